import { useCallback, useEffect, useMemo, useState } from 'react';
import { rooms } from '../../../common/live/rooms.ts';
import { tokenCalls } from '../../../common/tokens/http.ts';
import type { Risk, Token, TokenDetail, Trade } from '../../../common/tokens/model.ts';
import type { Holder, LabelledWallet, WalletLabel } from '../../../common/tokens/wallets/model.ts';
import { request } from '../../http/client.ts';
import { cursorOf } from '../../live/connection/cursor.ts';
import { useLiveMarket } from '../../live/live.ts';
import { useAtomValue } from '../../store.ts';
import { resourceFamily, type UsedResource, useResource } from './resource.ts';

/** Interval of data that only REST has (curve progress, authorities, counts, rate, holders), ms. */
const DETAIL_EVERY_MS = 30_000;
/** Interval of the trades, ms: they arrive with the feed, and a fetch adds those missed while it was down. */
const TRADES_EVERY_MS = 30_000;
/** Interval of the labels of wallets, ms: those of a new coin change with its first trades. */
const WALLETS_EVERY_MS = 10_000;
/** Trades of a page, at most. */
export const TRADES_MAX = 500;

const detailOf = resourceFamily<TokenDetail>();
const tradesOf = resourceFamily<Trade[]>();
const holdersOf = resourceFamily<Holder[]>();
const walletsOf = resourceFamily<LabelledWallet[]>();

/** Returns the detail of a token: the response with the events since applied. */
export function useDetail(address: string): UsedResource<TokenDetail> {
  const live = useLiveMarket();
  const fetch = useCallback(
    async (signal: AbortSignal) => {
      const { data, headers } = await request(tokenCalls.detail, { params: { address }, signal });
      live.model.tokens([tokenOf(data)], cursorOf(headers));
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

/** Returns the list part of a detail. */
function tokenOf(detail: TokenDetail): Token {
  const { risk, bondingCurve, pool, mintAuthority, freezeAuthority, solUsd, times, ...token } = detail;
  return token;
}

function merged(detail: TokenDetail, token: Token | null, risk: { version: number; risk: Risk } | null): TokenDetail {
  const newer = token !== null && token.version >= detail.version ? { ...detail, ...token } : detail;
  return risk !== null && risk.version >= detail.version ? { ...newer, risk: risk.risk } : newer;
}

/** Returns the latest risk received with the feed; null before the first. */
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

/** Returns the token's trades, newest first, live. */
export function useTrades(address: string): UsedResource<Trade[]> {
  const live = useLiveMarket();
  const fetch = useCallback(
    async (signal: AbortSignal) =>
      (await request(tokenCalls.trades, { params: { address }, query: { limit: 200 }, signal })).data,
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
function withTrades(before: readonly Trade[], received: readonly Trade[]): Trade[] {
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

/** Labels of wallets by address; wallets without a label are absent. */
export type WalletLabels = ReadonlyMap<string, readonly WalletLabel[]>;

/** Returns the labels of the token's wallets. Until they are known, only the creator has one. `isFailed`: their fetch has failed. */
export function useWalletLabels(token: Pick<TokenDetail, 'address' | 'creatorAddress' | 'creationSigner'>) {
  const { address, creatorAddress, creationSigner } = token;
  const fetch = useCallback(
    async (signal: AbortSignal) => (await request(tokenCalls.wallets, { params: { address }, signal })).data,
    [address],
  );
  const { data, error } = useResource(walletsOf(address), fetch, WALLETS_EVERY_MS);
  const labels: WalletLabels = useMemo(() => {
    const creators = [creatorAddress, creationSigner].filter((wallet) => wallet !== null);
    const known = data ?? creators.map((wallet) => ({ wallet, labels: ['developer' as const] }));
    return new Map(known.map((one) => [one.wallet, one.labels]));
  }, [data, creatorAddress, creationSigner]);
  return { labels, isFailed: data === null && error !== null };
}
