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

interface TokenBaselines {
  baselines: Baseline[];
  /** No baseline is met by a price between these two, SOL. */
  low: number;
  high: number;
  /** Whether a baseline has no price yet. */
  hasUnpriced: boolean;
}

interface PriceBaselineDeps {
  /** Takes the baselines that a token's price has moved away from. Returns false when the backlog is full; the next price retries. */
  onMoved(token: Token, moved: readonly Baseline[]): boolean;
  /** These users' baselines had no price and have this one from now on. */
  onFirstPrice(address: string, price: number, userIds: string[]): void;
  /** True while no match can be taken. */
  isFull(): boolean;
  max?: number;
}

/** The baselines of price alerts by token. A price that moved too little costs a look-up and two comparisons. */
export interface PriceBaselines {
  count(): number;
  add(address: string, baseline: Baseline): void;
  /** Removes the baseline of a watchlist entry. */
  unwatch(address: string, userId: string): void;
  /** Compares the present price of a changed token. */
  update(token: Token): void;
  remove(address: string): void;
  clear(): void;
}

export function createPriceBaselines(deps: PriceBaselineDeps): PriceBaselines {
  const tokens = new Map<string, TokenBaselines>();
  let count = 0;

  function keep(address: string, before: TokenBaselines, isKept: (baseline: Baseline) => boolean): void {
    const kept = before.baselines.filter(isKept);
    count += kept.length - before.baselines.length;
    if (kept.length === 0) tokens.delete(address);
    else tokens.set(address, withAll(kept));
  }

  return {
    count: () => count,
    add(address, baseline) {
      if (count >= (deps.max ?? MAX_BASELINES)) return;
      const token = tokens.get(address) ?? withAll([]);
      tokens.set(address, token);
      put(token, baseline);
      count += 1;
    },
    unwatch(address, userId) {
      const token = tokens.get(address);
      const isOfEntry = (baseline: Baseline) => baseline.origin === 'watchlist' && baseline.userId === userId;
      if (token?.baselines.some(isOfEntry)) keep(address, token, (baseline) => !isOfEntry(baseline));
    },
    update(token) {
      const { address, price } = token;
      const known = tokens.get(address);
      if (!known || price === null || price <= 0) return;
      if (known.hasUnpriced) deps.onFirstPrice(address, price, setFirstPrice(known, price));
      if ((price > known.low && price < known.high) || deps.isFull()) return;
      const moved = known.baselines.filter((baseline) => hasMoved(baseline, price));
      if (moved.length === 0 || !deps.onMoved(token, moved)) return;
      keep(address, known, (baseline) => !hasMoved(baseline, price));
    },
    remove(address) {
      count -= tokens.get(address)?.baselines.length ?? 0;
      tokens.delete(address);
    },
    clear() {
      tokens.clear();
      count = 0;
    },
  };
}

function withAll(baselines: readonly Baseline[]): TokenBaselines {
  const token: TokenBaselines = { baselines: [], low: 0, high: Number.POSITIVE_INFINITY, hasUnpriced: false };
  for (const baseline of baselines) put(token, baseline);
  return token;
}

function put(token: TokenBaselines, baseline: Baseline): void {
  // A move from zero has no percentage.
  const price = baseline.price === null || baseline.price <= 0 ? null : baseline.price;
  token.baselines.push({ ...baseline, price });
  if (price === null) token.hasUnpriced = true;
  else narrow(token, price);
}

/** Returns the users whose baselines had no price and have this one now. */
function setFirstPrice(token: TokenBaselines, price: number): string[] {
  const unpriced = token.baselines.filter((baseline) => baseline.price === null);
  for (const baseline of unpriced) baseline.price = price;
  narrow(token, price);
  token.hasUnpriced = false;
  return unpriced.map(({ userId }) => userId);
}

function narrow(token: TokenBaselines, price: number): void {
  token.low = Math.max(token.low, price * DOWN);
  token.high = Math.min(token.high, price * UP);
}

function hasMoved({ price: from }: Baseline, price: number): boolean {
  return from !== null && (price >= from * UP || price <= from * DOWN);
}
