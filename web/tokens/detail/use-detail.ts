import { useCallback, useEffect, useState } from 'react';
import { rooms } from '../../../common/live/rooms.ts';
import { tokenCalls } from '../../../common/tokens/http.ts';
import type { Holder, Risk, Token, TokenDetail, Trade } from '../../../common/tokens/model.ts';
import { request } from '../../http/client.ts';
import { cursorOf } from '../../live/connection/cursor.ts';
import { useLiveMarket } from '../../live/live.ts';
import { useAtomValue } from '../../store.ts';
import { resourceFamily, type UsedResource, useResource } from './resource.ts';

/** What only REST tells (curve progress, authorities, counts, the rate) and holders are fetched again this often. */
const DETAIL_EVERY_MS = 30_000;
/** Trades come by the feed; a fetch now and then brings what was missed while it was down. */
const TRADES_EVERY_MS = 30_000;
const TRADES_MAX = 200;

const detailOf = resourceFamily<TokenDetail>();
const tradesOf = resourceFamily<Trade[]>();
const holdersOf = resourceFamily<Holder[]>();

/** A token's page data: the detail as it was fetched, with everything the feed said since. */
export function useDetail(address: string): UsedResource<TokenDetail> {
  const live = useLiveMarket();
  const fetch = useCallback(
    async (signal: AbortSignal) => {
      const { data, headers } = await request(tokenCalls.detail, { params: { address }, signal });
      live.model.token(tokenOf(data), cursorOf(headers));
      live.writer.schedule();
      return data;
    },
    [live, address],
  );
  const resource = useResource(detailOf(address), fetch, DETAIL_EVERY_MS);
  const { reload } = resource;
  const token = useAtomValue(live.tokens.atom(address));
  const risk = useLiveRisk(address);
  useEffect(() => live.topics.join(rooms.token(address)), [live, address]);
  useEffect(() => live.onResync(reload), [live, reload]);
  return { ...resource, data: resource.data && merged(resource.data, token, risk) };
}

/** The list's part of a detail. */
function tokenOf(detail: TokenDetail): Token {
  const {
    risk,
    curveProgress,
    bondingCurve,
    pool,
    mintAuthority,
    freezeAuthority,
    buys,
    sells,
    solUsd,
    times,
    ...token
  } = detail;
  return token;
}

function merged(detail: TokenDetail, token: Token | null, risk: { version: number; risk: Risk } | null): TokenDetail {
  const newer = token !== null && token.version >= detail.version ? { ...detail, ...token } : detail;
  return risk !== null && risk.version >= detail.version ? { ...newer, risk: risk.risk } : newer;
}

/** The latest risk that the feed told of this token; null before it told any. */
function useLiveRisk(address: string): { version: number; risk: Risk } | null {
  const live = useLiveMarket();
  const [latest, setLatest] = useState<{ address: string; version: number; risk: Risk } | null>(null);
  useEffect(
    () =>
      live.on('token-risk', (payload) => {
        if (payload.address !== address) return;
        setLatest((before) => (before?.address === address && before.version > payload.version ? before : payload));
      }),
    [live, address],
  );
  return latest?.address === address ? latest : null;
}

/** The token's trades, newest first; new ones come by the feed. */
export function useTrades(address: string): UsedResource<Trade[]> {
  const live = useLiveMarket();
  const fetch = useCallback(
    async (signal: AbortSignal) =>
      (await request(tokenCalls.trades, { params: { address }, query: { limit: 100 }, signal })).data,
    [address],
  );
  const resource = useResource(tradesOf(address), fetch, TRADES_EVERY_MS);
  const { change } = resource;
  useEffect(
    () =>
      live.on('token-trades', (payload) => {
        if (payload.address === address) change((before) => withTrades(before, payload.trades));
      }),
    [live, address, change],
  );
  return resource;
}

/** Adds trades, which arrive oldest first, to a list that is newest first; skips known ones. */
export function withTrades(before: readonly Trade[], received: readonly Trade[]): Trade[] {
  const known = new Set(before.map((trade) => trade.id));
  const fresh = received.filter((trade) => !known.has(trade.id)).reverse();
  return [...fresh, ...before].slice(0, TRADES_MAX);
}

export function useHolders(address: string): UsedResource<Holder[]> {
  const fetch = useCallback(
    async (signal: AbortSignal) => (await request(tokenCalls.holders, { params: { address }, signal })).data,
    [address],
  );
  return useResource(holdersOf(address), fetch, DETAIL_EVERY_MS);
}
