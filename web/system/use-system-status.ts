import { useEffect, useRef } from 'react';
import type { z } from 'zod';
import { adminCalls } from '../../common/admin/http.ts';
import { useRoomQuery } from '../live/hooks/use-room.ts';
import type { UserQuery } from '../live/hooks/use-user-query.ts';

const MINUTE = 60_000;
/** A minute that the server has not told of yet is asked for no sooner than this again. */
const ASK_AGAIN_MS = 10_000;

export type SystemAnswer = z.output<typeof adminCalls.systemStatus.output>;

/**
 * The state of the system, live by `system-status`, and the minutes of the last hour. Those come with no event: the answer is
 * asked for anew when, by the server's own clock, a minute has passed that it does not have.
 */
export function useSystemStatus(): UserQuery<SystemAnswer> {
  const query = useRoomQuery(adminCalls.systemStatus, {}, 'admin', (update) => ({
    systemStatus: (status) => update((before) => ({ ...before, status })),
  }));
  const { data, reload } = query;
  const askedAt = useRef(0);
  const now = data === undefined ? null : Date.parse(data.status.at);
  const minuteIsMissing = data !== undefined && isMinuteMissing(data);
  useEffect(() => {
    if (!minuteIsMissing || now === null || Math.abs(now - askedAt.current) < ASK_AGAIN_MS) return;
    askedAt.current = now;
    void reload();
  });
  return query;
}

function isMinuteMissing({ status, history }: SystemAnswer): boolean {
  const last = history.at(-1);
  const now = Date.parse(status.at);
  const since = last === undefined ? now - status.uptime * 1_000 : Date.parse(last.at);
  // A second more: the server ends its minute first.
  return now - since >= MINUTE + 1_000;
}
