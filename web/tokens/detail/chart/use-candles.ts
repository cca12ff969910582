import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import type { CandleInterval, CandlePage } from '../../../../common/tokens/candles/model.ts';
import { tokenCalls } from '../../../../common/tokens/http.ts';
import { request } from '../../../http/client.ts';
import { useLiveEvent } from '../../../live/hooks/use-room.ts';
import { type UserQuery, useUserQuery } from '../../../live/hooks/use-user-query.ts';
import { useLiveMarket } from '../../../live/live.ts';
import { useKeyed } from '../../../use-keyed.ts';
import { type CandleSeries, createCandleSeries } from './candle-series.ts';

/** Interval of the fetches, ms: trades arrive with the feed, and a fetch adds those missed while it was down. */
const CANDLES_EVERY_MS = 60_000;

export interface UsedCandles extends UserQuery<CandlePage> {
  series: CandleSeries;
  /** Fetches the page before the first candle, if there is one. */
  loadOlder: () => void;
}

/** Returns the candles of a coin, live. */
export function useCandles(address: string, interval: CandleInterval): UsedCandles {
  const live = useLiveMarket();
  const query = useUserQuery(tokenCalls.candles, { params: { address }, query: { interval } }, CANDLES_EVERY_MS);
  const series = useKeyed(`${address} ${interval}`, () => createCandleSeries(interval));
  const { data } = query;
  const reload = useEffectEvent(query.reload);
  useEffect(() => {
    if (data !== undefined) series.load(data);
  }, [series, data]);
  useEffect(() => live.onResync(() => void reload()), [live]);
  useLiveEvent('token-trades', (payload) => {
    if (payload.address === address) series.addTrades(payload.trades);
  });
  const loadOlder = useOlder(address, series);
  return { ...query, series, loadOlder };
}

/** Returns the function that fetches an older page, one at a time. */
function useOlder(address: string, series: CandleSeries): () => void {
  const loading = useRef<CandleSeries | null>(null);
  return useCallback(() => {
    const before = series.older();
    if (before === null || loading.current === series) return;
    loading.current = series;
    const query = { interval: series.interval, before };
    request(tokenCalls.candles, { params: { address }, query })
      .then(({ data }) => series.loadOlder(data))
      // The chart asks again with the next movement.
      .catch(() => undefined)
      .finally(() => {
        loading.current = null;
      });
  }, [address, series]);
}
