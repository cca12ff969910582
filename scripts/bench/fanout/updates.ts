import { seeded } from '../../../api/alerts/testing/tokens.ts';
import { addressNumber } from '../../../api/testing/tokens.ts';
import type { TokenPatch } from '../../../common/tokens/model.ts';
import { roundSignificant } from '../../../common/tokens/units.ts';

/** So many that no token changes twice within a tick, which makes one update one patch. */
const TOKENS = 2_000;
/** The rate in every event: market caps follow from it and the prices, so patches omit them. */
export const SOL_USD = 150;

interface Traded {
  address: string;
  number: number;
  version: number;
  price: number;
  liquidity: number;
  volume: number;
  holders: number;
  buys: number;
  sells: number;
  curveProgress: number;
}

/**
 * Returns a generator of patches as trades on a curve cause them: each changes the amounts, the curve's progress and the number
 * of buys or sells; every second one also the holders.
 */
export function createUpdates(seed = 1): (count: number) => TokenPatch[] {
  const random = seeded(seed);
  const tokens: Traded[] = Array.from({ length: TOKENS }, (_, number) => ({
    address: addressNumber(number),
    // As after some weeks of a busy market.
    number: 500_000 + number,
    version: 1 + Math.floor(random() * 200),
    price: 2.8e-8 * (1 + random() * 10),
    liquidity: 1 + random() * 80,
    volume: random() * 50_000,
    holders: 1 + Math.floor(random() * 400),
    buys: 1 + Math.floor(random() * 800),
    sells: Math.floor(random() * 600),
    curveProgress: random() * 90,
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
  token.curveProgress = Math.min(100, token.curveProgress * move);
  const isBuy = move > 1;
  if (isBuy) token.buys += 1;
  else token.sells += 1;
  if (isNewHolder) token.holders += 1;
  return {
    address: token.address,
    number: token.number,
    version: token.version,
    price: roundSignificant(token.price),
    currentLiquidity: roundSignificant(token.liquidity),
    volume: roundSignificant(token.volume),
    ...(isNewHolder ? { holderCount: token.holders } : {}),
    ...(isBuy ? { buys: token.buys } : { sells: token.sells }),
    curveProgress: Math.round(token.curveProgress * 10) / 10,
  };
}
