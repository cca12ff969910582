import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import * as React from 'react';
import { afterEach, beforeEach } from 'vitest';
import { clearToasts } from '../ui/toast-store.ts';

// On a busy machine a test may wait longer than the library's default of a second.
configure({ asyncUtilTimeout: 25_000 });

// For each element React's development build captures a stack, which no test reads, until it has counted 10,000 in about a
// second. Kept at that limit, its count spares about a tenth of the processor time of these tests.
const internals: unknown = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE');
if (typeof internals === 'object' && internals !== null) {
  const count = { configurable: true, get: () => 10_000, set: () => {} };
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', count);
}

beforeEach(() => {
  localStorage.clear();
  window.history.replaceState(null, '', '/');
});

// Vitest's globals are off, so Testing Library cannot register its own cleanup.
afterEach(() => {
  cleanup();
  clearToasts();
});
