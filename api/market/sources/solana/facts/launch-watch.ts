import { LRUCache } from 'lru-cache';
import { MINUTE } from '../../../../../common/time.ts';
import { LAMPORTS_PER_SOL } from '../../../../../common/tokens/units.ts';
import type { Observation, TradeObservation } from '../../observation.ts';

/** A coin whose launch is worth reading: its creation, developer so far as known, and first other buyers. */
export interface Launch {
  address: string;
  /** Transaction of the creation. */
  signature: string;
  developer: ReadonlySet<string>;
  buyers: readonly string[];
}

/** Coins followed at a time; a day has more launches, but one that passes does so within minutes. */
const MAX_COINS = 3_000;
/** First buyers whose funders are read. */
const MAX_BUYERS = 20;
/** The gates: age on chain, SOL in the curve, buyers other than the developer, and share of the highest liquidity that is left. */
const MIN_AGE = 2 * MINUTE;
const MIN_LIQUIDITY = 5 * LAMPORTS_PER_SOL;
const MIN_BUYERS = 10;
const DRAINED_LEFT = 0.25;

interface FollowedCoin extends Launch {
  buyers: string[];
  createdAt: number;
  /** Lamports. */
  peak: number;
}

/** Chooses the coins whose launch is read: about 40 calls each, so only coins that a user may still buy. */
export function createLaunchWatch() {
  const coins = new LRUCache<string, FollowedCoin>({ max: MAX_COINS });
  return {
    /** Follows new coins. Returns the coins that passed the gates with these observations, each once. */
    observe(observations: readonly Observation[]): Launch[] {
      const passed: Launch[] = [];
      for (const one of observations) {
        if (one.kind === 'created') {
          const { address, chain, creator, user, at: createdAt } = one;
          const developer = new Set(user === null ? [creator] : [creator, user]);
          coins.set(address, { address, signature: chain.signature, developer, buyers: [], createdAt, peak: 0 });
        } else if (one.kind === 'trade') {
          const coin = coins.peek(one.address);
          if (coin === undefined || !passes(coin, one)) continue;
          coins.delete(one.address);
          passed.push(coin);
        }
      }
      return passed;
    },
  };
}

/** Adds a trade, and returns whether the coin passes the gates with it. */
function passes(coin: FollowedCoin, { side, wallet, quote, at, reserves }: TradeObservation): boolean {
  if (quote !== 'SOL') return false;
  const { buyers, developer } = coin;
  if (side === 'buy' && buyers.length < MAX_BUYERS && !developer.has(wallet) && !buyers.includes(wallet)) {
    buyers.push(wallet);
  }
  coin.peak = Math.max(coin.peak, reserves.realQuote);
  return (
    at - coin.createdAt >= MIN_AGE &&
    buyers.length >= MIN_BUYERS &&
    reserves.realQuote >= MIN_LIQUIDITY &&
    reserves.realQuote > coin.peak * DRAINED_LEFT
  );
}
