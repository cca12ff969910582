/** The time of a test: that of the machine, ahead of it by what the test skips. */
export interface TestTime {
  /** Milliseconds by which it is ahead. */
  skipped: number;
  /** Has the time pass by skipping alone, so that a slow machine lets nothing fall due. */
  stop(): void;
  /** Epoch ms. */
  now(): number;
}

export function createTestTime(): TestTime {
  let stoppedAt: number | null = null;
  const time: TestTime = {
    skipped: 0,
    stop() {
      stoppedAt ??= Date.now();
    },
    now: () => (stoppedAt ?? Date.now()) + time.skipped,
  };
  return time;
}
