import type { Random } from '../../../../common/time.ts';
import type { QuantilePoint } from './figures.ts';

const UINT32 = 2 ** 32;

/** Hashes a seed to four 32-bit words (FNV-1a, once per word). */
function seedWords(seed: string): [number, number, number, number] {
  const word = (salt: number): number => {
    let hash = 2_166_136_261 ^ salt;
    for (let i = 0; i < seed.length; i += 1) hash = Math.imul(hash ^ seed.charCodeAt(i), 16_777_619);
    return hash >>> 0;
  };
  return [word(1), word(2), word(3), word(4)];
}

/** Creates an sfc32 generator: the same seed gives the same numbers, 0 ≤ x < 1. Not for secrets. */
export function seededRandom(seed: string): Random {
  let [a, b, c, counter] = seedWords(seed);
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / UINT32;
  };
  // The first numbers resemble the seed.
  for (let i = 0; i < 15; i += 1) next();
  return next;
}

export type Dice = ReturnType<typeof createDice>;

/** Draws from the distributions of the simulated market. */
export function createDice(next: Random) {
  return {
    next,
    /** Returns true with this probability, 0–1. */
    chance: (share: number) => next() < share,
    between: (from: number, to: number) => from + next() * (to - from),
    /** Returns an integer from `from` to `to`, both included. */
    whole: (from: number, to: number) => from + Math.floor(next() * (to - from + 1)),
    pick<Item>(items: readonly Item[]): Item {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error('pick from an empty list');
      return item;
    },
    exponential: (mean: number) => -mean * Math.log(1 - next()),
    logNormal(median: number, sigma: number) {
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
      return median * Math.exp(sigma * normal);
    },
    /** Returns 1, 2, 3 … with the given mean (at least 1). */
    geometric: (mean: number) => (mean <= 1 ? 1 : 1 + Math.floor(Math.log(1 - next()) / Math.log(1 - 1 / mean))),
    bytes(length: number) {
      const bytes = new Uint8Array(length);
      const view = new DataView(bytes.buffer);
      for (let i = 0; i + 4 <= length; i += 4) view.setUint32(i, Math.floor(next() * UINT32));
      return bytes;
    },
    /** Returns a value distributed by a quantile table; 0 below its first point. */
    quantile: (points: readonly QuantilePoint[]) => quantileAt(points, next()),
  };
}

function quantileAt(points: readonly QuantilePoint[], share: number): number {
  let before: QuantilePoint | null = null;
  for (const point of points) {
    if (share <= point.share) {
      if (!before) return 0;
      const way = (share - before.share) / (point.share - before.share);
      return before.value * (point.value / before.value) ** way;
    }
    before = point;
  }
  return before?.value ?? 0;
}
