import { GROWTH_MIN_BUY, GROWTH_WINDOW, type GrowthWindow } from '../../../../common/tokens/growth.ts';
import { RUNNER_MIN_BUYERS } from '../../../../common/tokens/lists.ts';

/** Length of the spans that make up the five-minute window, ms. Data leaves the window in these steps. */
const SPAN = 30_000;
/** Distinct buyers counted; the score uses fewer. */
const MAX_BUYERS = 40;

interface Span {
  /** Start, epoch ms, a multiple of SPAN. */
  at: number;
  inflow: number;
  unknownInflow: boolean;
  /** Natural logarithm of the price's change. */
  logReturn: number;
}

export interface WindowTrade {
  at: number;
  side: 'buy' | 'sell';
  wallet: string;
  lamports: number | null;
  /** Price before and after it, SOL; null when unknown. */
  priceBefore: number | null;
  priceAfter: number | null;
}

/**
 * Growth of one token by strangers: its trades within the last five minutes, and its first buyers. Buys of developer and insiders,
 * and those below 0.05 SOL, give no growth; every sale takes some away.
 * A class, since tens of thousands of instances are in memory at once.
 */
export class Momentum {
  #spans: Span[] = [];
  readonly #buyers = new Map<string, number>();
  /** The first buyers ever, up to ten. */
  readonly #firstBuyers = new Set<string>();

  /** Adds a trade. `isInsider`: made by the developer or an insider. */
  add(trade: WindowTrade, isInsider: boolean): void {
    const isBuy = trade.side === 'buy';
    if (isBuy && (isInsider || (trade.lamports ?? GROWTH_MIN_BUY) < GROWTH_MIN_BUY)) return;
    const span = this.#spanAt(trade.at);
    if (trade.lamports === null) span.unknownInflow = true;
    else span.inflow += isBuy ? trade.lamports : -trade.lamports;
    span.logReturn += logReturn(trade);
    if (!isBuy) return;
    this.#addBuyer(trade);
    if (this.#firstBuyers.size < RUNNER_MIN_BUYERS) this.#firstBuyers.add(trade.wallet);
  }

  /** Returns the span of a time; a late trade counts in the newest one. */
  #spanAt(at: number): Span {
    const start = Math.floor(at / SPAN) * SPAN;
    const newest = this.#spans.at(-1);
    if (newest !== undefined && newest.at >= start) return newest;
    const span = { at: start, inflow: 0, unknownInflow: false, logReturn: 0 };
    this.#spans.push(span);
    if (this.#spans.length > GROWTH_WINDOW / SPAN + 1) this.#spans.shift();
    return span;
  }

  #addBuyer(trade: WindowTrade): void {
    if (!this.#buyers.has(trade.wallet) && this.#buyers.size >= MAX_BUYERS) this.#dropOldBuyers(trade.at);
    if (this.#buyers.has(trade.wallet) || this.#buyers.size < MAX_BUYERS) this.#buyers.set(trade.wallet, trade.at);
  }

  #dropOldBuyers(now: number): void {
    for (const [wallet, at] of this.#buyers) if (at <= now - GROWTH_WINDOW) this.#buyers.delete(wallet);
  }

  /**
   * Returns the number of wallets that ever bought, up to ten; wallets that turned out to be insiders are taken out. `isInsider`
   * receives `context`, so that the caller needs no closure per call.
   */
  outsideBuyers<Context>(isInsider: (context: Context, wallet: string) => boolean, context: Context): number {
    for (const wallet of this.#firstBuyers) if (isInsider(context, wallet)) this.#firstBuyers.delete(wallet);
    return this.#firstBuyers.size;
  }

  /** Returns true when the window has no trades, so that the growth score is 0. */
  isEmpty(now: number): boolean {
    this.#dropOldSpans(now);
    return this.#spans.length === 0;
  }

  #dropOldSpans(now: number): void {
    const first = this.#spans[0];
    if (first === undefined || first.at > now - GROWTH_WINDOW) return;
    this.#spans = this.#spans.filter(({ at }) => at > now - GROWTH_WINDOW);
    this.#dropOldBuyers(now);
  }

  /** Returns the window as input of the growth score. `price` is the present one. */
  read(now: number, price: number | null): GrowthWindow {
    this.#dropOldSpans(now);
    this.#dropOldBuyers(now);
    const known = this.#spans.every((span) => !span.unknownInflow);
    const total = this.#spans.reduce((sum, span) => sum + span.logReturn, 0);
    return {
      priceChange: price === null ? null : Math.expm1(total) * 100,
      netInflow: known ? this.#spans.reduce((sum, span) => sum + span.inflow, 0) : null,
      buyers: this.#buyers.size,
    };
  }
}

function logReturn({ priceBefore, priceAfter }: WindowTrade): number {
  if (priceBefore === null || priceAfter === null || priceBefore <= 0 || priceAfter <= 0) return 0;
  return Math.log(priceAfter / priceBefore);
}
