import { useEffect, useRef, useState } from 'react';
import type { TradingMode } from '../../../common/trading/account.ts';
import { tradingCalls } from '../../../common/trading/http.ts';
import type { OrderSide } from '../../../common/trading/machine.ts';
import type { Quote, QuoteResponse } from '../../../common/trading/order.ts';
import { request } from '../../http/client.ts';
import { errorText, HttpError } from '../../http/error.ts';

/** Least time between two requests, ms: the server accepts two a second. */
const REQUEST_EVERY_MS = 500;
/** Delay after a change of the input, ms, so that typing does not ask for every digit. */
const DEBOUNCE_MS = 150;
/** Interval of renewing a quote while it is on screen, ms. */
const RENEW_EVERY_MS = 2_000;
/** Age from which nothing is traded by a quote any more, ms. */
export const QUOTE_FRESH_MS = 5_000;

/** A trade as it is entered. */
export interface QuoteAsk {
  address: string;
  side: OrderSide;
  /** For a purchase. */
  lamports?: number;
  /** For a sale, percent. */
  sharePercent?: number;
  /** For a sale of what returns the price of a position. */
  initial?: true;
  positionId?: string;
  slippageBps: number;
  priorityMaxLamports: number;
  tipLamports: number;
}

/** Money of the user by the latest quote with it; null while unknown. */
export type KnownMoney = Pick<Quote, 'walletLamports' | 'mostLamports'>;

/** A trade to quote, in the mode that the page shows. */
type ShownAsk = QuoteAsk & { mode: TradingMode };

interface UsedQuote {
  /** Latest response for this input; null before the first. */
  response: QuoteResponse | null;
  /** Error text of the latest request; null after a success. */
  error: string | null;
  /** Whether the response is too old to trade by. */
  isOld: boolean;
}

const noQuote: UsedQuote = { response: null, error: null, isOld: false };

/** Returns the quote of a trade in this mode, renewed while the page is visible; no request for null. */
export function useQuote(ask: QuoteAsk | null, mode: TradingMode): UsedQuote & { money: KnownMoney } {
  const key = ask === null ? null : JSON.stringify({ ...ask, mode });
  const [latest, setLatest] = useState<UsedQuote & { key: string | null }>({ ...noQuote, key: null });
  const [money, setMoney] = useState<KnownMoney>({ walletLamports: null, mostLamports: null });
  const requestedAt = useRef(0);
  useEffect(() => {
    if (key === null) return;
    const leaving = new AbortController();
    const query: ShownAsk = JSON.parse(key);
    const show = (change: Partial<UsedQuote>) =>
      setLatest((before) => ({ ...(before.key === key ? before : noQuote), ...change, key }));
    let aging: ReturnType<typeof setTimeout> | undefined;
    let timer = setTimeout(
      () => void run(),
      Math.max(DEBOUNCE_MS, requestedAt.current + REQUEST_EVERY_MS - Date.now()),
    );
    async function run(): Promise<void> {
      if (!document.hidden) {
        requestedAt.current = Date.now();
        const change = await fetchQuote(query, leaving.signal);
        if (change !== null) show(change);
        // Kept while an amount is typed that has no quote. A sale leaves the largest purchase as it was.
        const known = change?.response?.quote;
        if (known)
          setMoney((before) => ({
            walletLamports: known.walletLamports,
            mostLamports: known.mostLamports ?? before.mostLamports,
          }));
        if (change?.response) {
          clearTimeout(aging);
          aging = setTimeout(() => show({ isOld: true }), QUOTE_FRESH_MS);
        }
      }
      if (!leaving.signal.aborted) timer = setTimeout(() => void run(), RENEW_EVERY_MS);
    }
    return () => {
      leaving.abort();
      clearTimeout(timer);
      clearTimeout(aging);
    };
  }, [key]);
  return { ...(latest.key === key ? latest : noQuote), money };
}

/** Returns the response or the error text of a quote; null when it was aborted, or refused because another tab used the rate up. */
async function fetchQuote(query: ShownAsk, signal: AbortSignal): Promise<Partial<UsedQuote> | null> {
  const { lamports, initial, priorityMaxLamports, tipLamports, ...rest } = query;
  const asked = {
    ...rest,
    ...(lamports === undefined ? {} : { lamports: String(lamports) }),
    ...(initial ? { initial: 'true' as const } : {}),
    priorityMaxLamports: String(priorityMaxLamports),
    tipLamports: String(tipLamports),
  };
  try {
    const { data } = await request(tradingCalls.quote, { query: asked, signal });
    return { response: data, error: null, isOld: false };
  } catch (reason) {
    const isBusy = reason instanceof HttpError && reason.code === 'too-many-requests';
    return signal.aborted || isBusy ? null : { error: errorText(reason) };
  }
}
