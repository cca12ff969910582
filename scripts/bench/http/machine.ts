import os from 'node:os';

/** Returns what a figure depends on besides the code. */
export function describeMachine(loadAverageBefore: readonly number[]) {
  return {
    cpu: os.cpus()[0]?.model ?? 'unknown',
    cores: os.availableParallelism(),
    node: process.version,
    kernel: os.release(),
    loadAverageBefore,
    loadAverageAfter: os.loadavg(),
  };
}
