import { HOUR, iso } from '../../../common/time.ts';
import { marketCapUsd } from '../../../common/tokens/market-cap.ts';
import {
  type CoinEnd,
  CREATOR_COINS_MAX,
  type CreatorCoin,
  type CreatorRecord,
} from '../../../common/tokens/wallets/creator.ts';
import { nameOf, symbolOf } from '../present.ts';
import type { CreatorCoinRecord, CreatorCoins } from './creator-coins.ts';

/** A coin without a trade for this long is quiet, ms. */
const QUIET_AFTER = HOUR;

/** Returns a creator's record on the wire. `now`: epoch ms. */
export function presentCreator({ wallet, coins, hasMore }: CreatorCoins, now: number): CreatorRecord {
  const ends = coins.map((coin) => ({ coin, end: endOf(coin, now) }));
  const drained = ends.filter(({ end }) => end === 'drained');
  return {
    wallet,
    launched: coins.length,
    hasMore,
    migrated: ends.filter(({ end }) => end === 'migrated').length,
    drained: drained.length,
    drainedWithinHour: drained.filter(({ coin }) => (drainedAt(coin) ?? Infinity) - coin.listedAt <= HOUR).length,
    coins: bestFirst(ends.map(({ coin, end }) => presentCoin(coin, end))).slice(0, CREATOR_COINS_MAX),
  };
}

function presentCoin(coin: CreatorCoinRecord, end: CoinEnd): CreatorCoin {
  const { _id, listedAt, price, peakPrice, totalSupply, decimals } = coin;
  // The peak is stored in steps: the present price may be higher.
  const highest = price === null && peakPrice === null ? null : Math.max(price ?? 0, peakPrice ?? 0);
  return {
    address: _id,
    name: nameOf(coin.name),
    symbol: symbolOf(coin.symbol),
    launchedAt: iso(listedAt),
    highestMarketCap: marketCapUsd(highest, totalSupply, decimals, 1),
    end,
  };
}

/** Returns what became of a coin, see `coinEndSchema`. */
function endOf({ drained, rugged, stage, lastTradeAt }: CreatorCoinRecord, now: number): CoinEnd {
  if (drained || rugged) return 'drained';
  if (stage === 'pool') return 'migrated';
  return lastTradeAt !== null && now - lastTradeAt < QUIET_AFTER ? 'alive' : 'quiet';
}

/** Returns the time of the trade that drained a coin, epoch ms; null when unknown. */
function drainedAt({ facts }: CreatorCoinRecord): number | null {
  const times = [facts?.drained, facts?.rugged].flatMap((fact) => (fact?.value === true ? fact.at : []));
  return times.length === 0 ? null : Math.min(...times);
}

/** Returns the coins with the best one first. */
function bestFirst(coins: readonly CreatorCoin[]): CreatorCoin[] {
  const highest = Math.max(...coins.map(({ highestMarketCap }) => highestMarketCap ?? 0));
  const best = coins.find(({ highestMarketCap }) => highestMarketCap !== null && highestMarketCap === highest);
  return best === undefined ? [...coins] : [best, ...coins.filter((coin) => coin !== best)];
}
