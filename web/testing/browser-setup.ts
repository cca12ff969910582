import { beforeAll, beforeEach } from 'vitest';
import { page } from 'vitest/browser';
import '../styles/app.css';

/** Vitest's default, px. Files of a worker share a page, so its size and scroll position would carry over. */
const VIEWPORT = [414, 896] as const;

beforeAll(() => page.viewport(...VIEWPORT));
beforeEach(() => window.scrollTo(0, 0));
