import { SECOND } from '../../../common/time.ts';
import { quoteForSale } from '../../../common/tokens/curve-trades.ts';
import { baseUnitsToTokens } from '../../../common/tokens/units.ts';
import { feeIn, SIGNATURE_FEE_LAMPORTS, type TradedMarket } from '../../../common/trading/fills.ts';
import type { PositionValue } from '../../../common/trading/position.ts';
import { type Reason, type ReasonCode, reason } from '../../../common/trading/reasons.ts';
import type { EventSink } from '../../events/bus.ts';
import type { Market } from '../../market/market.ts';
import type { TradedCoin } from '../../market/traded/traded-coin.ts';
import type { Outcome } from '../executors/executor.ts';
import { withOwnLot } from '../paper/paper-fill.ts';
import { type MarketFacts, tradedMarket } from '../traded-market.ts';
import type { HeldLot } from './fill-book.ts';
import type { HeldFigures, PositionRecord } from './model.ts';
import type { OpenBook } from './open-book.ts';

/** All positions are valued again after so many seconds: no price shows that a source has fallen silent. */
const ROUND = 10;

export interface PositionValuesDeps {
  book: OpenBook;
  /** Returns the present value of an open position. */
  value(position: PositionRecord): PositionValue;
  market: Pick<Market, 'onMoved'>;
  /** Returns false when no client of the user is connected. */
  isListening(userId: string): boolean;
  bus: EventSink;
}

/** Emits the values of open positions that changed, once a second, to users who listen. */
export function createPositionValues({ book, value, market, isListening, bus }: PositionValuesDeps) {
  /** Tokens whose price or depth has changed since the last tick. */
  let moved = new Set<string>();
  /** Last emitted value of each open position, without its time. */
  const emitted = new Map<string, string>();
  let seconds = 0;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;

  /** Returns the value of a position, unless it is the one emitted last. */
  function changed(position: PositionRecord): { id: string; value: PositionValue } | null {
    const id = position._id.toHexString();
    const present = value(position);
    const text = JSON.stringify({ ...present, at: null });
    if (emitted.get(id) === text) return null;
    emitted.set(id, text);
    return { id, value: present };
  }

  /** Returns the changed values of some tokens by user, of those who listen. */
  function changedValues(addresses: Iterable<string>): Map<string, { id: string; value: PositionValue }[]> {
    const byUser = new Map<string, { id: string; value: PositionValue }[]>();
    for (const position of [...addresses].flatMap(book.of)) {
      const userId = position.userId.toHexString();
      const one = isListening(userId) ? changed(position) : null;
      if (one === null) continue;
      const values = byUser.get(userId);
      if (values) values.push(one);
      else byUser.set(userId, [one]);
    }
    return byUser;
  }

  function forgetClosed(): void {
    for (const id of emitted.keys()) if (!book.get(id)) emitted.delete(id);
  }

  function tick(): void {
    const isRound = seconds % ROUND === 0;
    seconds += 1;
    if (isRound) forgetClosed();
    const addresses = isRound ? book.addresses() : moved;
    moved = new Set();
    for (const [userId, values] of changedValues(addresses)) bus.emit('position-values-changed', { userId, values });
  }

  return {
    /** Emits the changes since the last time. */
    tick,
    start(): void {
      unsubscribe ??= market.onMoved(({ steps }) => {
        for (const { address } of steps) moved.add(address);
      });
      timer ??= setInterval(tick, SECOND);
      timer.unref();
    },
    stop(): void {
      unsubscribe?.();
      clearInterval(timer);
    },
  };
}

/** What decides the value of a position. */
export type ValuedPosition = Pick<PositionRecord, 'mode' | 'tokens' | 'costLamports' | 'figures'>;

type PricedCoin = MarketFacts & Pick<TradedCoin, 'isLive'>;

/**
 * Returns what a sale of all of a position returns after the launchpad's and the network's fee, on the present reserves.
 * `coin`: null for a token that is not in memory. `lot`: all that the wallet holds of the token; on paper its purchases are
 * in no reserves. `now`: epoch ms.
 */
export function positionValue(
  { mode, tokens, costLamports, figures }: ValuedPosition,
  coin: TradedCoin | null,
  lot: HeldLot,
  now: number,
): PositionValue {
  const price = coin?.isLive ? coin.price : null;
  const supply = supplyOf(coin);
  const at = new Date(now).toISOString();
  const own = mode === 'paper' ? lot : null;
  const removed = coin === null && figures !== null ? removedReason(BigInt(tokens), figures, own) : null;
  const result = removed ?? saleOf(BigInt(tokens), coin, own);
  if (typeof result !== 'number') {
    const unknown = typeof result === 'string' ? reason(result) : result;
    return { lamports: null, unknown, profitLamports: null, price, supply, at };
  }
  return { lamports: result, unknown: null, profitLamports: result - costLamports, price, supply, at };
}

/** Returns the whole tokens of a coin; null while unknown. */
function supplyOf(coin: TradedCoin | null): number | null {
  if (coin === null || coin.totalSupply === null || coin.decimals === null) return null;
  return baseUnitsToTokens(Number(coin.totalSupply), coin.decimals);
}

/** Returns why the value of a removed token is unknown, with the last one and its time where they are known. */
function removedReason(tokens: bigint, figures: HeldFigures, own: HeldLot | null): Reason {
  const last = saleOf(tokens, { ...figures, isLive: true }, own);
  if (typeof last === 'string' || figures.at === null) return reason('removed');
  return reason('removed', { lastLamports: last, lastAt: figures.at });
}

/** Returns the lamports that a sale brings, at least 0, or why that is unknown. */
function saleOf(tokens: bigint, coin: PricedCoin | null, own: HeldLot | null): number | ReasonCode {
  const market = tradedMarket(coin);
  if (!market.ok) return market.reason.code;
  if (!coin?.isLive) return 'stale';
  return saleValue(tokens, own === null ? market.value : withOwnLot(market.value, own)) ?? 'no-depth';
}

function saleValue(tokens: bigint, market: TradedMarket, networkLamports = SIGNATURE_FEE_LAMPORTS): number | null {
  const { reserves } = market;
  if (tokens > BigInt(Number.MAX_SAFE_INTEGER) || reserves.virtualToken <= 0) return null;
  const quote = quoteForSale(reserves, Number(tokens));
  return quote > reserves.realQuote ? null : Math.max(0, quote - feeIn(market, quote) - networkLamports);
}

/** A position whose price is to return. */
export type ReturningPosition = Pick<PositionRecord, 'mode' | 'tokens' | 'paidLamports' | 'proceedsLamports'>;

/**
 * Returns the fewest base units of a position whose sale returns, after all fees on the present reserves, its price less the proceeds
 * of its sales; why that is impossible otherwise. `coin` and `lot` as for the value. `networkLamports`: most that the
 * sale pays to the network.
 */
export function initialTokens(
  { mode, tokens, paidLamports, proceedsLamports }: ReturningPosition,
  coin: TradedCoin | null,
  lot: HeldLot,
  networkLamports: number,
): Outcome<bigint> {
  const owed = paidLamports - proceedsLamports;
  if (owed <= 0) return { ok: false, reason: reason('initial-returned') };
  const market = tradedMarket(coin);
  if (!market.ok) return market;
  if (!coin?.isLive) return { ok: false, reason: reason('stale') };
  const present = mode === 'paper' ? withOwnLot(market.value, lot) : market.value;
  const returned = (sold: bigint) => saleValue(sold, present, networkLamports);
  let most = BigInt(tokens);
  const all = returned(most);
  if (all === null) return { ok: false, reason: reason('no-depth') };
  if (all < owed) {
    return { ok: false, reason: reason('initial-short', { paidLamports: owed, returnsLamports: all }) };
  }
  // A larger sale never returns less, so halving finds the smallest one that returns enough.
  let tooFew = 0n;
  while (most - tooFew > 1n) {
    const middle = (most + tooFew) / 2n;
    if ((returned(middle) ?? 0) >= owed) most = middle;
    else tooFew = middle;
  }
  return { ok: true, value: most };
}
