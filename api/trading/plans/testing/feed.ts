import type { Following, SourcedTick } from '../../../market/traded/follow.ts';
import type { MarketChange } from '../../../market/traded/market-feed.ts';
import { nothingLive } from '../../../testing/tokens.ts';
import type { TokenMarket } from '../../../tokens/service.ts';

const SOL = 1_000_000_000;

/** Figures of a coin of the test. */
export interface TestCoin {
  price: number | null;
  /** SOL. */
  liquidity: number | null;
  holders: number | null;
  risk: number | null;
}

const plain: TestCoin = { price: 1, liquidity: 10, holders: 5, risk: 10 };

/** A market that hands over the coins that the test detects, with the next tick that the test makes. */
export interface TestFeed extends Following, Pick<TokenMarket, 'unstored'> {
  /** Detects coins now. */
  detect(addresses: readonly string[], figures?: Partial<TestCoin>): void;
  /** Changes figures of a coin. */
  change(address: string, figures: Partial<TestCoin>): void;
  /** Has a detected coin appear as one that was loaded from the database. */
  hydrate(address: string): void;
  remove(address: string): void;
  tick(): void;
  readonly isFollowed: boolean;
  isLive: boolean;
}

export function createTestFeed(now: () => number): TestFeed {
  const coins = new Map<string, { detectedAt: number; figures: TestCoin }>();
  const handed = new Set<string>();
  /** Coins that were detected since the last tick. */
  const fresh = new Set<string>();
  let changes: MarketChange[] = [];
  let listener: ((tick: SourcedTick) => void) | null = null;
  let from = Number.POSITIVE_INFINITY;

  function add(address: string, { price, liquidity, holders, risk }: TestCoin): void {
    const [at, stage, venue, quote] = [now(), 'curve', 'curve', 'SOL'] as const;
    const reserves = {
      ...{ virtualQuote: 30_000 * SOL, virtualToken: 1_073_000_000_000_000 },
      ...{ realQuote: 0, realToken: 793_100_000_000_000 },
    };
    changes.push(
      { type: 'price', price: { address, at, price, liquidity, reserves, venue, stage } },
      { type: 'facts', facts: { address, symbol: address, holders, risk, quote, decimals: 6 } },
    );
  }

  return {
    unstored: nothingLive.unstored,
    isLive: true,
    get isFollowed() {
      return listener !== null;
    },
    follow(begun, onTick) {
      from = begun;
      listener = onTick;
    },
    unfollow() {
      from = Number.POSITIVE_INFINITY;
      listener = null;
      changes = [];
      handed.clear();
    },
    detect(addresses, figures = {}) {
      for (const address of addresses) {
        coins.set(address, { detectedAt: now(), figures: { ...plain, ...figures } });
        fresh.add(address);
      }
    },
    change(address, figures) {
      const coin = coins.get(address);
      if (!coin) return;
      coin.figures = { ...coin.figures, ...figures };
      if (handed.has(address)) add(address, coin.figures);
    },
    hydrate: (address) => void fresh.delete(address),
    remove(address) {
      coins.delete(address);
      if (handed.delete(address)) changes.push({ type: 'gone', address });
    },
    tick() {
      const known = new Set<string>();
      for (const [address, { detectedAt, figures }] of coins) {
        if (detectedAt < from || handed.has(address)) continue;
        handed.add(address);
        if (!fresh.has(address)) known.add(address);
        const token = {
          address,
          symbol: address,
          detectedAt,
          isNew: true,
          source: 'simulator',
          launchpad: 'simulator',
        } as const;
        changes.push({ type: 'token', token });
        add(address, figures);
      }
      fresh.clear();
      const tick = { now: now(), changes, known, isLive: () => this.isLive };
      changes = [];
      listener?.(tick);
    },
  };
}
