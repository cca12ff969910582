import { MINUTE } from '../../../../common/time.ts';
import type { Reserves } from '../observation.ts';
import type { StoredToken } from '../source.ts';
import { type Coin, type CoinQuote, migrationFee, multipleOf, newCoin } from './coin/coin.ts';
import { CURVE_START, migratedPool } from './coin/curve.ts';
import { USDC_CURVE_VIRTUAL_QUOTE } from './figures.ts';
import { resumedPath } from './lives/paths.ts';
import type { Dice } from './random.ts';
import type { LifePath } from './world/floor.ts';
import type { World } from './world/world.ts';

/** Most coins of an earlier run that trade on. */
const MOST_RESUMED = 400;
/** Coins whose last trade is older than this stay silent, unless they are pinned. */
export const STILL_TRADING = 30 * MINUTE;
/** A pool's product of quote and token side: SOL pools start at 1.76e25, USDC pools at 5.7e24; it hardly grows. */
const SOL_POOL_PRODUCT = 1.2e25;
/** Coins at this price multiple and above trade on briskly. */
const LIVELY_MULTIPLE = 1.5;

/**
 * Resumes coins of an earlier run and returns their number. Their holders are unknown, so only tokens bought from now on are
 * sold.
 */
export function resumeCoins(world: World, stored: readonly StoredToken[], now: number): number {
  let resumed = 0;
  for (const token of stored) {
    if (resumed >= MOST_RESUMED) break;
    const coin = coinOf(token);
    if (!coin) continue;
    world.names.add(token.createdAt, { name: coin.symbol, symbol: coin.symbol });
    if (token.creator) world.creators.add(token.creator);
    if (coin.stage === 'complete') world.scheduleMigration(coin, now);
    else if (!token.isPinned && now - (token.lastTradeAt ?? token.createdAt) > STILL_TRADING) continue;
    world.add(coin, pathOf(world.dice, coin, now), now + world.dice.between(200, 20_000));
    resumed += 1;
  }
  return resumed;
}

/** Returns the stored coin; null when its reserves are unknown or used up. */
export function coinOf(token: StoredToken): Coin | null {
  const { reserves } = token;
  if (!reserves || reserves.virtualQuote < 1 || reserves.virtualToken < 1) return null;
  const creator = token.creator ?? token.address;
  const coin = newCoin({
    address: token.address,
    symbol: token.symbol ?? '',
    creator,
    developer: creator,
    feePayer: creator,
    createdAt: token.createdAt,
    quote: quoteOf(token.stage, reserves),
  });
  // Until its first trade a pool is stored with the final reserves of its curve.
  const unopened = token.stage === 'pool' && reserves.realToken === 0;
  return {
    ...coin,
    stage: token.stage,
    reserves: unopened ? migratedPool(reserves, migrationFee(coin.quote)) : { ...reserves },
    lpLockedPercent: token.stage === 'pool' ? 100 : null,
    holdersKnown: false,
  };
}

/** Derives the quote from the virtual reserves, which start differently for the two kinds of curves and pools. */
function quoteOf(stage: StoredToken['stage'], reserves: Reserves): CoinQuote {
  if (stage === 'pool') return reserves.virtualQuote * reserves.virtualToken >= SOL_POOL_PRODUCT ? 'SOL' : 'USDC';
  const start = reserves.virtualQuote - reserves.realQuote;
  const isUsdc = Math.abs(start - USDC_CURVE_VIRTUAL_QUOTE) < Math.abs(start - CURVE_START.virtualQuote);
  return isUsdc ? 'USDC' : 'SOL';
}

/** Returns a path near the present price of a coin of an earlier run. */
export function pathOf(dice: Dice, coin: Coin, now: number): LifePath {
  const multiple = multipleOf(coin);
  const lively = multiple >= LIVELY_MULTIPLE;
  return resumedPath(dice, {
    age: now - coin.createdAt,
    multiple: Math.max(1.02, multiple),
    pace: lively ? dice.between(3, 8) : dice.between(0.5, 2),
    lastsFor: (lively ? dice.between(20, 70) : dice.between(3, 15)) * MINUTE,
  });
}
