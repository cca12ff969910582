import { tradingCalls } from '../../common/trading/http.ts';
import type { Position } from '../../common/trading/position.ts';
import { request } from '../http/client.ts';
import { type FetchPage, lastIdOf } from '../http/pages.ts';

/** Returns what fetches a page of the user's positions in a state, newest first. */
export function fetchPositions(state: 'open' | 'closed'): FetchPage<Position> {
  return async (before, limit, signal) => {
    const query = { state, limit, before: before ?? undefined };
    const { data } = await request(tradingCalls.positions, { query, signal });
    return { rows: data, total: null, next: lastIdOf(data, limit) };
  };
}
