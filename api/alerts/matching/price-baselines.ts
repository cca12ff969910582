import { PRICE_ALERT_PERCENT } from '../../../common/alerts/model.ts';
import type { Token } from '../../../common/tokens/model.ts';

/** Baselines in memory, about 60 bytes each. Further ones are dropped. */
export const MAX_BASELINES = 1_000_000;

/** Prices have six digits: the rounding error of a product must not decide. */
const ROUNDING = 1e-9;
const UP = 1 + PRICE_ALERT_PERCENT / 100 - ROUNDING;
const DOWN = 1 - PRICE_ALERT_PERCENT / 100 + ROUNDING;

/** The price that a user's price alert is measured from. */
export interface Baseline {
  userId: string;
  /** The watchlist, or an earlier alert about the new token: each ends on its own. */
  origin: 'watchlist' | 'alert';
  /** SOL; null: the next known price becomes the baseline. */
  price: number | null;
  /** When the token had this price, epoch ms. */
  since: number;
}

interface PriceBaselineDeps {
  /** Takes the baselines that a token's price has moved away from. Returns false when too many matches wait; the next price retries. */
  onMoved(token: Token, moved: readonly Baseline[]): boolean;
  /** These users' baselines had no price and have this one from now on. */
  onFirstPrice(address: string, price: number, userIds: string[]): void;
  max?: number;
}

/** The baselines of price alerts by token. */
export function createPriceBaselines(deps: PriceBaselineDeps) {
  const tokens = new Map<string, Baseline[]>();
  let count = 0;

  function keep(address: string, baselines: readonly Baseline[]): void {
    count += baselines.length - (tokens.get(address)?.length ?? 0);
    if (baselines.length === 0) tokens.delete(address);
    else tokens.set(address, [...baselines]);
  }

  return {
    count: () => count,
    add(address: string, baseline: Baseline): void {
      if (count >= (deps.max ?? MAX_BASELINES)) return;
      const baselines = tokens.get(address) ?? [];
      tokens.set(address, baselines);
      // A move from zero has no percentage.
      baselines.push({ ...baseline, price: baseline.price === null || baseline.price <= 0 ? null : baseline.price });
      count += 1;
    },
    /** Removes the baseline of a watchlist entry. */
    unwatch(address: string, userId: string): void {
      const isOfEntry = (baseline: Baseline) => baseline.origin === 'watchlist' && baseline.userId === userId;
      const baselines = tokens.get(address) ?? [];
      if (baselines.some(isOfEntry))
        keep(
          address,
          baselines.filter((baseline) => !isOfEntry(baseline)),
        );
    },
    /** Compares the present price of a changed token. */
    update(token: Token): void {
      const { address, price } = token;
      const baselines = tokens.get(address);
      if (baselines === undefined || price === null || price <= 0) return;
      const unpriced = baselines.filter((baseline) => baseline.price === null);
      for (const baseline of unpriced) baseline.price = price;
      if (unpriced.length > 0)
        deps.onFirstPrice(
          address,
          price,
          unpriced.map(({ userId }) => userId),
        );
      const moved = baselines.filter((baseline) => hasMoved(baseline, price));
      if (moved.length > 0 && deps.onMoved(token, moved))
        keep(
          address,
          baselines.filter((baseline) => !hasMoved(baseline, price)),
        );
    },
    remove: (address: string) => keep(address, []),
    clear(): void {
      tokens.clear();
      count = 0;
    },
  };
}

function hasMoved({ price: from }: Baseline, price: number): boolean {
  return from !== null && (price >= from * UP || price <= from * DOWN);
}
