import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach } from 'vitest';
import { clearToasts } from '../ui/toast-store.ts';

// What a test waits for comes when it comes, however busy the machine; the library would give up after a second.
configure({ asyncUtilTimeout: 10_000 });

beforeEach(() => {
  localStorage.clear();
  window.history.replaceState(null, '', '/');
});

// Vitest's globals are off, so Testing Library cannot register its own cleanup.
afterEach(() => {
  cleanup();
  clearToasts();
});
