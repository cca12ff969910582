import { useEffect, useRef } from 'react';
import type { z } from 'zod';
import { adminCalls } from '../../common/admin/http.ts';
import { MINUTE } from '../../common/time.ts';
import { useRoomQuery } from '../live/hooks/use-room.ts';
import type { UserQuery } from '../live/hooks/use-user-query.ts';

/** Minimum interval between fetches for the same missing minute, ms. */
const REFETCH_MS = 10_000;

export type SystemStatusResponse = z.output<typeof adminCalls.systemStatus.output>;

/**
 * Returns the state of the system, updated by `system-status` events, and the minutes of the last hour. No event carries
 * those: they are refetched when, by the server's clock, a minute has ended that is missing.
 */
export function useSystemStatus(): UserQuery<SystemStatusResponse> {
  const query = useRoomQuery(adminCalls.systemStatus, {}, 'admin', 'system-status', (before, status) => ({
    ...before,
    status,
  }));
  const { data, reload } = query;
  const fetchedAt = useRef(0);
  const now = data === undefined ? null : Date.parse(data.status.at);
  const minuteIsMissing = data !== undefined && isMinuteMissing(data);
  useEffect(() => {
    if (!minuteIsMissing || now === null || Math.abs(now - fetchedAt.current) < REFETCH_MS) return;
    fetchedAt.current = now;
    void reload();
  });
  return query;
}

function isMinuteMissing({ status, history }: SystemStatusResponse): boolean {
  const last = history.at(-1);
  const now = Date.parse(status.at);
  const since = last === undefined ? now - status.uptime * 1_000 : Date.parse(last.at);
  // One second of tolerance for the server to complete its minute.
  return now - since >= MINUTE + 1_000;
}
