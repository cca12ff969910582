import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type SampleRange, tokenCalls } from '../../../common/tokens/http.ts';
import type { Sample, Token } from '../../../common/tokens/model.ts';
import { request } from '../../http/client.ts';
import { useLiveMarket } from '../../live/live.ts';
import { useAtomValue } from '../../store.ts';
import { resourceFamily, type UsedResource, useResource } from './resource.ts';

/** Interval of the samples, ms: the server thins them as they grow older. */
const SAMPLES_EVERY_MS = 60_000;
/** Live points closer together than this are merged, ms. */
const POINT_EVERY_MS = 1_000;
const LIVE_POINTS_MAX = 600;

/** Lengths of the spans. */
export const rangeMs: Record<SampleRange, number> = {
  '10m': 600_000,
  '1h': 3_600_000,
  '8h': 28_800_000,
  all: Number.POSITIVE_INFINITY,
};

const samplesOf = resourceFamily<Sample[]>();

/** Returns the chart points of a range, oldest first, with live points appended. */
export function useSamples(address: string, range: SampleRange): UsedResource<Sample[]> {
  const fetch = useCallback(
    async (signal: AbortSignal) =>
      (await request(tokenCalls.samples, { params: { address }, query: { range }, signal })).data,
    [address, range],
  );
  const resource = useResource(samplesOf(`${address} ${range}`), fetch, SAMPLES_EVERY_MS);
  const points = useLivePoints(address);
  const data = useMemo(
    () => (resource.data === null ? null : joined(resource.data, points, range)),
    [resource.data, points, range],
  );
  return { ...resource, data };
}

/** Returns fetched points, then later live ones, within the range. */
export function joined(fetched: readonly Sample[], live: readonly Sample[], range: SampleRange): Sample[] {
  const last = fetched.at(-1)?.at ?? '';
  const all = [...fetched, ...live.filter((point) => point.at > last)];
  const end = Date.parse(all.at(-1)?.at ?? '');
  return all.filter((point) => end - Date.parse(point.at) <= rangeMs[range]);
}

/**
 * Returns points made from feed events while the page is open: price and liquidity of the token, volume of its trades.
 */
function useLivePoints(address: string): readonly Sample[] {
  const live = useLiveMarket();
  const token = useAtomValue(live.tokens.atom(address));
  const [points, setPoints] = useState<readonly Sample[]>([]);
  const traded = useRef(0);

  useEffect(() => {
    setPoints([]);
    traded.current = 0;
    return live.on('token-trades', (payload) => {
      if (payload.address !== address) return;
      for (const trade of payload.trades) traded.current += trade.sol ?? 0;
    });
  }, [live, address]);

  useEffect(() => {
    if (token === null || token.price === null) return;
    const volume = traded.current;
    traded.current = 0;
    setPoints((before) => withPoint(before, pointOf(token, volume)));
  }, [token]);
  return points;
}

function pointOf(token: Token, volume: number): Sample {
  const { lastUpdated, price, currentLiquidity, holderCount } = token;
  return {
    ...{ at: lastUpdated, price, open: price, high: price, low: price },
    ...{ liquidity: currentLiquidity, volume, holders: holderCount },
  };
}

/** Returns one point for two: it begins with the first and closes with the second. */
function joinedPoint(first: Sample, second: Sample): Sample {
  return {
    ...second,
    at: first.at,
    open: first.open ?? second.open,
    high: extreme(Math.max, first.high, second.high),
    low: extreme(Math.min, first.low, second.low),
    volume: first.volume + second.volume,
  };
}

function extreme(of: (...values: number[]) => number, one: number | null, other: number | null): number | null {
  const known = [one, other].filter((value) => value !== null);
  return known.length === 0 ? null : of(...known);
}

/** Appends a point, or merges it into the last one when that is less than `POINT_EVERY_MS` older. */
export function withPoint(before: readonly Sample[], point: Sample): readonly Sample[] {
  const last = before.at(-1);
  if (last && point.at < last.at) return before;
  if (last && Date.parse(point.at) - Date.parse(last.at) < POINT_EVERY_MS) {
    return [...before.slice(0, -1), joinedPoint(last, point)];
  }
  return [...before, point].slice(-LIVE_POINTS_MAX);
}
