import { expect } from 'vitest';
import {
  afterCurveTrade,
  CURVE_FEES_BPS,
  curvePurchase,
  quoteForSale,
} from '../../../../../../common/tokens/curve-trades.ts';
import { afterPoolTrade, poolFeesAt, poolPurchase, poolSale } from '../../../../../../common/tokens/pool-trades.ts';
import type { Reserves, TradeObservation } from '../../../observation.ts';
import { MIGRATION_FEE_LAMPORTS, migratedPool } from '../../coin/curve.ts';
import type { ChainEvent, CoinChain, CoinToList, CrowdOrder, FollowedCoin, Listing } from '../coin-chain.ts';

export interface FakeCoin {
  creator: string;
  reserves: Reserves;
  stage: 'curve' | 'complete' | 'pool';
}

/** A chain that trades by the same maths at once; the test decides when its events arrive. */
export function fakeChain() {
  const coins = new Map<string, FakeCoin>();
  let events: ChainEvent[] = [];
  let onEvents: (events: readonly ChainEvent[]) => void = () => undefined;
  let count = 0;
  let isAway = false;
  let losesResponse = false;
  let followed: () => FollowedCoin[] = () => [];
  const chain = {
    leave(): void {
      isAway = true;
    },
    /** Lists coins from now on, but its responses are lost. */
    loseResponses(loses: boolean): void {
      losesResponse = loses;
    },
    followed: () => followed(),
    orders: [] as CrowdOrder[],
    /** Coins whose move into a pool was sent. */
    migrations: [] as string[],
    coins,
    trade(
      { address, side, wallet, amount }: Omit<CrowdOrder, 'creator' | 'venue'>,
      at: number,
      isCrowd = false,
    ): TradeObservation {
      const coin = coins.get(address) ?? expect.fail('not listed');
      const venue = coin.stage === 'pool' ? 'pool' : 'curve';
      const { quoteAmount, tokenAmount, reserves } =
        venue === 'pool' ? inPool(coin.reserves, side, amount) : onCurve(coin.reserves, side, amount);
      coin.reserves = reserves;
      count += 1;
      const observation: TradeObservation = {
        kind: 'trade',
        source: 'solana',
        at: at - (at % 1_000),
        receivedAt: at,
        chain: { signature: `signature${count}`, index: 0, slot: count },
        ...{ address, side, wallet, quote: 'SOL', quoteAmount, tokenAmount, reserves: { ...coin.reserves } },
        ...{ creator: coin.creator, launchpad: 'pump.fun', cluster: 'local', venue },
      };
      events.push({ observation, isCrowd });
      if (reserves.realToken === 0) {
        coin.stage = 'complete';
        const { at: madeAt, receivedAt, chain: place } = observation;
        const completed = { kind: 'completed', source: 'solana', at: madeAt, receivedAt, address } as const;
        events.push({ observation: { ...completed, chain: { ...place, index: 1 } }, isCrowd });
      }
      return observation;
    },
    /** Moves a sold-out coin into its pool. */
    migrate(address: string, at: number): void {
      const coin = coins.get(address) ?? expect.fail('not listed');
      coin.stage = 'pool';
      coin.reserves = migratedPool(coin.reserves, MIGRATION_FEE_LAMPORTS);
      count += 1;
      const { reserves } = coin;
      const place = { signature: `signature${count}`, index: 0, slot: count };
      const seen = { kind: 'migrated', source: 'solana', at: at - (at % 1_000), receivedAt: at } as const;
      const move = { address, pool: `pool of ${address}`, quoteAmount: reserves.realQuote, reserves: { ...reserves } };
      events.push({ observation: { ...seen, chain: place, ...move }, isCrowd: true });
    },
    flush(): void {
      const waiting = events;
      events = [];
      onEvents(waiting);
    },
    port: {
      listed: async () => [...coins.keys()],
      async list({ address, creator, reserves }: CoinToList): Promise<Listing> {
        if (isAway) return { ok: false, code: 'node-away' };
        const there = coins.get(address);
        const made = { creator, reserves: { ...reserves }, stage: 'curve' } as const;
        if (!there) coins.set(address, made);
        if (losesResponse) return { ok: false, code: 'node-away' };
        const { stage, reserves: now } = there ?? made;
        return { ok: true, stage, reserves: now, isNew: !there };
      },
      async trade(order: CrowdOrder) {
        chain.orders.push(order);
        return true;
      },
      async migrate(address) {
        chain.migrations.push(address);
      },
      missed: async () => [],
      follow(handlers) {
        onEvents = handlers.onEvents;
        followed = handlers.coins;
        return () => undefined;
      },
    } satisfies CoinChain,
  };
  return chain;
}

interface Moved {
  quoteAmount: number;
  tokenAmount: number;
  reserves: Reserves;
}

function onCurve(reserves: Reserves, side: 'buy' | 'sell', amount: number): Moved {
  const bought = side === 'buy' ? curvePurchase(reserves, amount, CURVE_FEES_BPS) : null;
  const [quoteAmount, tokenAmount] = bought ? [bought.quote, bought.tokens] : [quoteForSale(reserves, amount), amount];
  return { quoteAmount, tokenAmount, reserves: afterCurveTrade(reserves, side, quoteAmount, tokenAmount) };
}

function inPool(pool: Reserves, side: 'buy' | 'sell', amount: number): Moved {
  const made = (side === 'buy' ? poolPurchase : poolSale)(pool, amount, poolFeesAt(pool)) ?? expect.fail('no trade');
  const { quote, tokens, fees } = made;
  const reserves = afterPoolTrade(pool, side, { quote, tokens, providerFee: fees.provider });
  return { quoteAmount: quote, tokenAmount: tokens, reserves };
}
