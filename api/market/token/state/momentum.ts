import { GROWTH_WINDOW, type GrowthWindow } from '../../../../common/tokens/growth.ts';

/** The five minutes are kept in spans of this length, ms: what leaves the window leaves it in such steps. */
const SPAN = 30_000;
/** Buying wallets that are told apart; more than the score can use. */
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

/** What happened to one token within the last five minutes. */
export class Momentum {
  #spans: Span[] = [];
  readonly #buyers = new Map<string, number>();

  /** `price` and `holders` are those before the trade. */
  add(trade: WindowTrade, price: number | null, holders: number | null): void {
    const start = Math.floor(trade.at / SPAN) * SPAN;
    let span = this.#spans.at(-1);
    // A trade that comes late is counted in the newest span.
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
    if (!this.#buyers.has(trade.wallet) && this.#buyers.size >= MAX_BUYERS) this.#forgetBuyers(trade.at);
    if (this.#buyers.has(trade.wallet) || this.#buyers.size < MAX_BUYERS) this.#buyers.set(trade.wallet, trade.at);
  }

  #forgetBuyers(now: number): void {
    for (const [wallet, at] of this.#buyers) if (at <= now - GROWTH_WINDOW) this.#buyers.delete(wallet);
  }

  /** True when nothing is in the window, so that its score is that of standing still. */
  isEmpty(now: number): boolean {
    this.#forget(now);
    return this.#spans.length === 0;
  }

  #forget(now: number): void {
    const first = this.#spans[0];
    if (first === undefined || first.at > now - GROWTH_WINDOW) return;
    this.#spans = this.#spans.filter(({ at }) => at > now - GROWTH_WINDOW);
    this.#forgetBuyers(now);
  }

  /** The window as the growth score takes it, with the price and the holders of this moment. */
  read(now: number, price: number | null, holders: number | null): GrowthWindow {
    this.#forget(now);
    this.#forgetBuyers(now);
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

/** Percent; a token whose first price was not seen has not moved yet. */
function change(from: number | null, to: number | null): number | null {
  if (to === null) return null;
  return from === null || from <= 0 ? 0 : ((to - from) / from) * 100;
}
