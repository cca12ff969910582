import type { TokenPatch } from '../../../common/tokens/model.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const ADDRESS_LENGTH = 44;
/** So many that no token changes twice within a tick, which makes one update one patch. */
const TOKENS = 2_000;
const SIGNIFICANT_DIGITS = 6;
/** The rate in every event: market caps follow from it and the prices, so patches omit them. */
export const SOL_USD = 150;

interface Traded {
  address: string;
  version: number;
  price: number;
  liquidity: number;
  volume: number;
  holders: number;
}

/** Returns a generator of patches as trades cause them: each changes the amounts, every second one the holders. */
export function createUpdates(seed = 1): (count: number) => TokenPatch[] {
  const random = seeded(seed);
  const tokens: Traded[] = Array.from({ length: TOKENS }, () => ({
    address: Array.from({ length: ADDRESS_LENGTH }, () => ALPHABET[Math.floor(random() * ALPHABET.length)]).join(''),
    version: 1 + Math.floor(random() * 200),
    price: 2.8e-8 * (1 + random() * 10),
    liquidity: 1 + random() * 80,
    volume: random() * 50_000,
    holders: 1 + Math.floor(random() * 400),
  }));
  let next = 0;

  return (count) =>
    Array.from({ length: count }, () => {
      next = (next + 1) % tokens.length;
      const token = tokens[next];
      if (!token) throw new RangeError('no such token');
      return traded(token, random);
    });
}

function traded(token: Traded, random: () => number): TokenPatch {
  const move = 1 + (random() - 0.5) * 0.1;
  const isNewHolder = random() < 0.5;
  token.version += 1;
  token.price *= move;
  token.liquidity *= move;
  token.volume += random() * 300;
  if (isNewHolder) token.holders += 1;
  return {
    address: token.address,
    version: token.version,
    price: rounded(token.price),
    currentLiquidity: rounded(token.liquidity),
    volume: rounded(token.volume),
    ...(isNewHolder ? { holderCount: token.holders } : {}),
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(SIGNIFICANT_DIGITS));
}

/** mulberry32: the same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
