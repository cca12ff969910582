import type { Following, SourcedTick } from '../../../market/traded/follow.ts';
import type { MarketChange } from '../../../market/traded/market-feed.ts';
import { createStepHistory, type PriceStep } from '../../../market/traded/step-history.ts';
import type { TradedCoin } from '../../../market/traded/traded-coin.ts';
import type { PaperDeps } from '../../paper/paper-look.ts';
import type { TestMarket } from '../../positions/testing/market.ts';
import { coin } from '../../testing/coin.ts';

const SOL = 1_000_000_000;

/** A price of a coin, as a multiple of that at its launch, with its time (epoch ms). */
export interface HourStep {
  address: string;
  at: number;
  times: number;
}

/** One market for plans, orders, paper and exits, in ticks of the test. */
export function createHourMarket(base: TestMarket) {
  const history = createStepHistory();
  const listeners = new Set<Parameters<TestMarket['onMoved']>[0]>();
  let follower: ((tick: SourcedTick) => void) | null = null;
  let mergedAt = 0;

  function take({ address, at, times }: HourStep): PriceStep {
    const virtualQuote = Math.round(30 * SOL * Math.sqrt(times));
    const virtualToken = Math.round(1_073_000_000_000_000 / Math.sqrt(times));
    const reserves = { virtualQuote, virtualToken, realQuote: virtualQuote, realToken: virtualToken };
    const price = virtualQuote / SOL / (virtualToken / 1_000_000);
    const launched = { address, symbol: address, cluster: null, isLive: true } as const;
    base.coins.set(address, coin({ ...launched, price, reserves, reservesAt: at }));
    const step: PriceStep = { address, at, price, reserves, stage: 'curve', venue: 'curve' };
    history.add(step);
    return step;
  }

  const market: TestMarket & PaperDeps['market'] = {
    ...base,
    stepsSince: history.since,
    stepAt: history.at,
    hasMerged: (at) => at < mergedAt,
    onMoved(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const feed: Following = {
    follow(_from, onTick) {
      follower = onTick;
    },
    unfollow() {
      follower = null;
    },
  };

  return {
    market,
    feed,
    isFollowed: () => follower !== null,
    /** Merges launches (symbols are addresses) and prices, and hands them on as one tick. */
    tick(now: number, launches: readonly string[], moves: readonly HourStep[]): void {
      const steps = moves.map(take);
      mergedAt = now;
      for (const listener of listeners) listener({ now, steps });
      const changes: MarketChange[] = [
        ...launches.map((address) => ({ type: 'token' as const, token: tokenOf(address, now) })),
        ...steps.map((step) => ({ type: 'price' as const, price: { ...step, liquidity: LIQUIDITY } })),
        ...launches.map((address) => ({ type: 'facts' as const, facts: factsOf(base.coins.get(address), address) })),
      ];
      follower?.({ now, changes, known: new Set(), isLive: () => true });
    },
  };
}

const LIQUIDITY = 40;

function tokenOf(address: string, detectedAt: number) {
  const [source, launchpad] = ['simulator', 'simulator'] as const;
  return { address, symbol: address, detectedAt, isNew: true, source, launchpad } as const;
}

function factsOf(known: TradedCoin | undefined, address: string) {
  return { address, symbol: address, holders: 50, risk: 10, quote: 'SOL', decimals: known?.decimals ?? 6 };
}
