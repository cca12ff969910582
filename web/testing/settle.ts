import { act } from '@testing-library/react';
import { vi } from 'vitest';

/** Runs asynchronous work outside React, and waits until React has rendered its effect. */
export function settle(work: () => Promise<unknown>): Promise<void> {
  return act(async () => {
    await work();
  });
}

/** Advances fake timers, ms, and lets React render the effect. */
export function passTime(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}
