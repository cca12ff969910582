import '@testing-library/jest-dom/vitest';
import { cleanup } from '@testing-library/react';
import { afterEach, beforeEach } from 'vitest';
import { clearToasts } from '../ui/toast-store.ts';

beforeEach(() => {
  localStorage.clear();
  window.history.replaceState(null, '', '/');
});

// Vitest's globals are off, so Testing Library cannot register its own cleanup.
afterEach(() => {
  cleanup();
  clearToasts();
});
