import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The value below which the share (0–1) of the values lies; NaN without values. Sorts in place. */
export function percentile(values: number[], share: number): number {
  values.sort((a, b) => a - b);
  return values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
}

/** Bytes on the heap after a full garbage collection. It stops the process for a moment: not for use while measuring. */
export function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
  return process.memoryUsage().heapUsed;
}
