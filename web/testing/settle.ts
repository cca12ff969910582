import { act } from '@testing-library/react';
import { vi } from 'vitest';

/** Does something asynchronous outside React, and waits until React has shown what came of it. */
export function settle(work: () => Promise<unknown>): Promise<void> {
  return act(async () => {
    await work();
  });
}

/** Lets faked time pass, ms, and React show what came of it. */
export function passTime(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}
