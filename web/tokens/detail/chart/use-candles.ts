import { useCallback, useEffect, useRef } from 'react';
import type { CandleInterval, CandlePage } from '../../../../common/tokens/candles/model.ts';
import { tokenCalls } from '../../../../common/tokens/http.ts';
import { request } from '../../../http/client.ts';
import { useLiveMarket } from '../../../live/live.ts';
import { useKeyed } from '../../../use-keyed.ts';
import { resourceFamily, type UsedResource, useResource } from '../resource.ts';
import { type CandleSeries, createCandleSeries } from './candle-series.ts';

/** Interval of the fetches, ms: trades arrive with the feed, and a fetch adds those missed while it was down. */
const CANDLES_EVERY_MS = 60_000;

const pageOf = resourceFamily<CandlePage>();

export interface UsedCandles extends UsedResource<CandlePage> {
  series: CandleSeries;
  /** Fetches the page before the first candle, if there is one. */
  loadOlder: () => void;
}

/** Returns the candles of a coin, live. */
export function useCandles(address: string, interval: CandleInterval): UsedCandles {
  const live = useLiveMarket();
  const fetch = useCallback(
    async (signal: AbortSignal) =>
      (await request(tokenCalls.candles, { params: { address }, query: { interval }, signal })).data,
    [address, interval],
  );
  const resource = useResource(pageOf(`${address} ${interval}`), fetch, CANDLES_EVERY_MS);
  const series = useKeyed(`${address} ${interval}`, () => createCandleSeries(interval));
  const { data, reload } = resource;
  useEffect(() => {
    if (data !== null) series.load(data);
  }, [series, data]);
  useEffect(() => live.onResync(reload), [live, reload]);
  useEffect(
    () =>
      live.on('token-trades', (payload) => {
        if (payload.address === address) series.addTrades(payload.trades);
      }),
    [live, address, series],
  );
  const loadOlder = useOlder(address, series);
  return { ...resource, series, loadOlder };
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
