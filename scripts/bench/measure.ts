import os from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Returns the value below which the share (0–1) of the values lies; NaN without values. Sorts in place. */
export function percentile(values: number[], share: number): number {
  values.sort((a, b) => a - b);
  return values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
}

/** Returns the heap size in bytes after a full garbage collection, which pauses the process: not for use during a measurement. */
export function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
  return process.memoryUsage().heapUsed;
}

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
