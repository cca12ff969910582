import type { Clock } from '../../common/time.ts';
import { type Batch, idOf } from './batch.ts';

/** Bounds of the stream: replays come from the memory of gateways, so it only has to outlast one of their restarts. */
const STREAM_LIMITS = {
  /** Age of the oldest entry, ms. */
  ageMs: 10 * 60_000,
  characters: 64 * 1024 * 1024,
};
export type StreamLimits = typeof STREAM_LIMITS;

/** Creates the record of sizes and times of the entries written in this epoch. */
export function createTrim(clock: Clock, given: Partial<StreamLimits>) {
  const limits = { ...STREAM_LIMITS, ...given };
  let kept: { id: string; at: number; characters: number }[] = [];
  let characters = 0;
  return {
    clear(): void {
      kept = [];
      characters = 0;
    },
    add({ id, at, lines }: Batch): void {
      const size = lines.reduce((sum, line) => sum + line.length, 0);
      kept.push({ id: idOf(id), at, characters: size });
      characters += size;
    },
    /** Returns the id of the oldest entry to keep; `next`: the one that is being written. */
    oldest(next: Batch): string {
      const before = clock.now() - limits.ageMs;
      let from = 0;
      for (const { at, characters: size } of kept) {
        if (at >= before && characters <= limits.characters) break;
        characters -= size;
        from += 1;
      }
      if (from > 0) kept = kept.slice(from);
      return kept[0]?.id ?? idOf(next.id);
    },
  };
}
