import { GROWTH_WINDOW, type GrowthWindow } from '../../../../common/tokens/growth.ts';

/** Length of the spans that make up the five-minute window, ms. Data leaves the window in these steps. */
const SPAN = 30_000;
/** Distinct buyers counted; the score uses fewer. */
const MAX_BUYERS = 40;

interface Span {
  /** Start, epoch ms, a multiple of SPAN. */
  at: number;
  inflow: number;
  unknownInflow: boolean;
  /** Price and holders when the span began. */
  price: number | null;
  holders: number | null;
}

export interface WindowTrade {
  at: number;
  side: 'buy' | 'sell';
  wallet: string;
  lamports: number | null;
}

/**
 * Trades of one token within the last five minutes, for its growth score.
 * A class, since tens of thousands of instances are in memory at once.
 */
export class Momentum {
  #spans: Span[] = [];
  readonly #buyers = new Map<string, number>();

  /** Adds a trade. `price` and `holders` are those before it. */
  add(trade: WindowTrade, price: number | null, holders: number | null): void {
    const start = Math.floor(trade.at / SPAN) * SPAN;
    let span = this.#spans.at(-1);
    // A late trade counts in the newest span.
    if (span === undefined || span.at < start) {
      span = { at: start, inflow: 0, unknownInflow: false, price, holders };
      this.#spans.push(span);
      if (this.#spans.length > GROWTH_WINDOW / SPAN + 1) this.#spans.shift();
    }
    if (trade.lamports === null) span.unknownInflow = true;
    else span.inflow += trade.side === 'buy' ? trade.lamports : -trade.lamports;
    if (trade.side === 'buy') this.#addBuyer(trade);
  }

  #addBuyer(trade: WindowTrade): void {
    if (!this.#buyers.has(trade.wallet) && this.#buyers.size >= MAX_BUYERS) this.#dropOldBuyers(trade.at);
    if (this.#buyers.has(trade.wallet) || this.#buyers.size < MAX_BUYERS) this.#buyers.set(trade.wallet, trade.at);
  }

  #dropOldBuyers(now: number): void {
    for (const [wallet, at] of this.#buyers) if (at <= now - GROWTH_WINDOW) this.#buyers.delete(wallet);
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

  /** Returns the window as input of the growth score, with the present price and holders. */
  read(now: number, price: number | null, holders: number | null): GrowthWindow {
    this.#dropOldSpans(now);
    this.#dropOldBuyers(now);
    const first = this.#spans[0];
    if (first === undefined) {
      return { priceChange: price === null ? null : 0, netInflow: 0, buyers: 0, holderGain: 0 };
    }
    const known = this.#spans.every((span) => !span.unknownInflow);
    return {
      priceChange: change(first.price, price),
      netInflow: known ? this.#spans.reduce((sum, span) => sum + span.inflow, 0) : null,
      buyers: this.#buyers.size,
      holderGain: holders === null || first.holders === null ? null : holders - first.holders,
    };
  }
}

/** Returns the change in percent; 0 for a token whose first price is unknown. */
function change(from: number | null, to: number | null): number | null {
  if (to === null) return null;
  return from === null || from <= 0 ? 0 : ((to - from) / from) * 100;
}
