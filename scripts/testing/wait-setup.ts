import { vi } from 'vitest';

/** As long as `expect.poll` waits: on a busy machine a condition may take longer than the library's default of a second. */
const TIMEOUT_MS = 15_000;

const { waitFor } = vi;

/** `vi.waitFor` with that timeout unless the test has its own, ms. */
const waitLonger: typeof vi.waitFor = (condition, options) =>
  waitFor(condition, typeof options === 'number' ? options : { timeout: TIMEOUT_MS, ...options });

// This file runs before each test file, and the files of a worker share `vi`.
if (waitFor.name !== waitLonger.name) vi.waitFor = waitLonger;
