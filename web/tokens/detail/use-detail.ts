import { useEffect, useMemo, useState } from 'react';
import { rooms } from '../../../common/live/rooms.ts';
import { tokenCalls } from '../../../common/tokens/http.ts';
import type { Risk, Token, TokenDetail, Trade } from '../../../common/tokens/model.ts';
import type { Holder, LabelledWallet, WalletLabel } from '../../../common/tokens/wallets/model.ts';
import { request } from '../../http/client.ts';
import { HttpError } from '../../http/error.ts';
import { useKeptError } from '../../http/kept-error.ts';
import type { Fetched } from '../../http/loaded.tsx';
import { callQuery } from '../../http/query.ts';
import { cursorOf } from '../../live/connection/cursor.ts';
import { useLiveEvent, useRoom, useRoomQuery } from '../../live/hooks/use-room.ts';
import { type UserQuery, useUserQuery } from '../../live/hooks/use-user-query.ts';
import { type Live, useLiveMarket } from '../../live/live.ts';
import { atomWithQuery, useAtomValue } from '../../store.ts';
import { useKeyed } from '../../use-keyed.ts';

/** Interval of data that only REST has (curve progress, authorities, counts, rate, holders), ms. */
const DETAIL_EVERY_MS = 30_000;
/** Interval of the labels of wallets, ms: those of a new coin change with its first trades. */
const WALLETS_EVERY_MS = 10_000;
/** Trades of a page, at most. */
export const TRADES_MAX = 500;

/** Returns the detail of a token: the response with the events since applied. Undefined data also for a token that is gone. */
export function useDetail(address: string): Fetched<TokenDetail> {
  const live = useLiveMarket();
  const query = useKeyed(address, () => detailAtom(live, address));
  const { data, error: latest, isFetching, refetch } = useAtomValue(query);
  const error = useKeptError(address, latest, isFetching && data === undefined);
  const token = useAtomValue(live.tokens.atom(address));
  const risk = useLiveRisk(address);
  useRoom(rooms.token(address));
  useEffect(() => live.onResync(() => void refetch()), [live, refetch]);
  const isGone = error instanceof HttpError && error.status === 404;
  return {
    data: data === undefined || isGone ? undefined : merged(data, token, risk),
    error: error === null ? null : error.message,
    loading: isFetching,
    reload: refetch,
  };
}

function detailAtom(live: Live, address: string) {
  const input = { params: { address } };
  return atomWithQuery(() => ({
    ...callQuery(tokenCalls.detail, input),
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const { data, headers } = await request(tokenCalls.detail, { ...input, signal });
      live.model.tokens([tokenOf(data)], cursorOf(headers));
      live.writer.schedule();
      return data;
    },
    refetchInterval: DETAIL_EVERY_MS,
    refetchIntervalInBackground: true,
    refetchOnMount: 'always' as const,
  }));
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
  const [latest, setLatest] = useState<{ address: string; version: number; risk: Risk } | null>(null);
  useLiveEvent('token-risk', (payload) => {
    if (payload.address !== address) return;
    setLatest((before) => (before?.address === address && before.version > payload.version ? before : payload));
  });
  return latest?.address === address ? latest : null;
}

/** Returns the token's trades, newest first, live. */
export function useTrades(address: string): UserQuery<Trade[]> {
  const input = { params: { address }, query: { limit: 200 } };
  return useRoomQuery(tokenCalls.trades, input, rooms.token(address), 'token-trades', (before, received) =>
    received.address === address ? withTrades(before, received.trades) : before,
  );
}

/** Adds trades, which arrive oldest first, to a list that is newest first; skips known ones. */
function withTrades(before: readonly Trade[], received: readonly Trade[]): Trade[] {
  const known = new Set(before.map((trade) => trade.id));
  const fresh = received.filter((trade) => !known.has(trade.id)).reverse();
  return [...fresh, ...before].slice(0, TRADES_MAX);
}

export function useHolders(address: string): UserQuery<Holder[]> {
  return useUserQuery(tokenCalls.holders, { params: { address } }, DETAIL_EVERY_MS);
}

/** Labels of wallets by address; wallets without a label are absent. */
export type WalletLabels = ReadonlyMap<string, readonly WalletLabel[]>;

/** Returns the labels of the token's wallets. Until they are known, only the creator has one. `isFailed`: their fetch has failed. */
export function useWalletLabels(token: Pick<TokenDetail, 'address' | 'creatorAddress' | 'creationSigner'>) {
  const { address, creatorAddress, creationSigner } = token;
  const { data, error } = useUserQuery(tokenCalls.wallets, { params: { address } }, WALLETS_EVERY_MS);
  const labels: WalletLabels = useMemo(() => {
    const creators = [creatorAddress, creationSigner].filter((wallet) => wallet !== null);
    const known: readonly LabelledWallet[] =
      data ?? creators.map((wallet) => ({ wallet, labels: ['developer' as const] }));
    return new Map(known.map((one) => [one.wallet, one.labels]));
  }, [data, creatorAddress, creationSigner]);
  return { labels, isFailed: data === undefined && error !== null };
}
