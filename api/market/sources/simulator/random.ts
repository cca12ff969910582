import type { Random } from '../../../../common/time.ts';
import type { QuantilePoint } from './figures.ts';

const UINT32 = 2 ** 32;

/** Spreads a seed text over four 32-bit words (FNV-1a, once for each word). */
function seedWords(seed: string): [number, number, number, number] {
  const word = (salt: number): number => {
    let hash = 2_166_136_261 ^ salt;
    for (let i = 0; i < seed.length; i += 1) hash = Math.imul(hash ^ seed.charCodeAt(i), 16_777_619);
    return hash >>> 0;
  };
  return [word(1), word(2), word(3), word(4)];
}

/** The sfc32 generator: the same seed gives the same numbers, 0 ≤ x < 1. Not for secrets. */
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
  // The first numbers still resemble the seed.
  for (let i = 0; i < 15; i += 1) next();
  return next;
}

/** Draws from the distributions the market needs. */
export class Dice {
  readonly next: Random;

  constructor(random: Random) {
    this.next = random;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  between(from: number, to: number): number {
    return from + this.next() * (to - from);
  }

  /** A whole number from `from` to `to`, both included. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new Error('Nothing to pick from');
    return item;
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  logNormal(median: number, sigma: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
    return median * Math.exp(sigma * normal);
  }

  /** 1, 2, 3 … with the given mean (at least 1). */
  geometric(mean: number): number {
    if (mean <= 1) return 1;
    return 1 + Math.floor(Math.log(1 - this.next()) / Math.log(1 - 1 / mean));
  }

  bytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    const view = new DataView(bytes.buffer);
    for (let i = 0; i + 4 <= length; i += 4) view.setUint32(i, Math.floor(this.next() * UINT32));
    return bytes;
  }

  /** The value at a random place of a quantile table; 0 below its first point. */
  quantile(points: readonly QuantilePoint[]): number {
    const share = this.next();
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
}
