import { atom } from '../../store.ts';
import { type Link, linkAtom, onlineAtom, type PollState, pollAtom } from './atoms.ts';
import { clockAtom } from './clock.ts';

/** State of the connection as the header shows it (P2). Ages in ms. */
export type Freshness =
  | { state: 'live'; roundTrip: number | null }
  | { state: 'reconnecting'; age: number }
  | { state: 'polling'; age: number }
  | { state: 'offline'; age: number | null }
  /** The server speaks another version: only a reload helps. */
  | { state: 'wrong-version' };

/**
 * Returns the state of P2. The age of data counts from the last time when the feed was live or a poll had a response.
 * Offline: polls fail too, or the browser reports no network while the socket is down. A live socket outweighs that
 * report, since a server on this machine needs no network.
 */
export function freshnessOf(link: Link, poll: PollState, online: boolean, now: number): Freshness {
  if (link.phase === 'wrong-version') return { state: 'wrong-version' };
  if (link.phase === 'live') return { state: 'live', roundTrip: link.roundTrip };
  const respondedAt = poll.respondedAt !== null && poll.respondedAt >= link.since ? poll.respondedAt : null;
  const failedAt = poll.failedAt !== null && poll.failedAt >= link.since ? poll.failedAt : null;
  // Before the first attempt data has no age.
  const age = link.since === 0 ? 0 : Math.max(0, now - (respondedAt ?? link.since));
  if (!online) return { state: 'offline', age };
  if (poll.active && failedAt !== null && failedAt > (respondedAt ?? 0)) return { state: 'offline', age };
  if (poll.active && respondedAt !== null) return { state: 'polling', age };
  return { state: 'reconnecting', age };
}

export const freshnessAtom = atom((get) => freshnessOf(get(linkAtom), get(pollAtom), get(onlineAtom), get(clockAtom)));
