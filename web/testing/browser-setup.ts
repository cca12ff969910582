import { beforeAll, beforeEach } from 'vitest';
import { page } from 'vitest/browser';
import '../styles/app.css';

/** Vitest's default, px: the files of a worker share a page, whose size and scroll position stay otherwise. */
const VIEWPORT = [414, 896] as const;

beforeAll(() => page.viewport(...VIEWPORT));
beforeEach(() => window.scrollTo(0, 0));
