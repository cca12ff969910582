import type { Logger } from 'pino';
import { isAway } from '../../common/errors.ts';
import type { Clock } from '../../common/time.ts';
import type { Client } from '../client.ts';
import { cutLater } from './engine-io.ts';

/** Time limit of a check, ms, so that one lost response does not end all checks. */
const CHECK_TIMEOUT_MS = 10_000;

/**
 * Resolves with those of the sessions that still exist with unchanged rights. `admins`: the sessions that connected as an
 * administrator's. A rejection keeps the sockets.
 */
export type AliveSessions = (ids: string[], admins: ReadonlySet<string>) => Promise<Set<string>>;

/** Keeps the sockets of each session, and drops them when it ends (L1). */
export function createSessions(deps: { aliveSessions: AliveSessions; log: Logger; clock: Clock }) {
  const { aliveSessions, log, clock } = deps;
  const bySession = new Map<string, Set<Client>>();
  let checkingSince: number | null = null;

  function end(sessionId: string): void {
    for (const { socket } of [...(bySession.get(sessionId) ?? [])]) {
      socket.disconnect(true);
      // A client that does not read would keep the connection until its ping times out.
      cutLater(socket.conn);
    }
  }

  /** Sockets of one session with different rights count as an administrator's, so that none keeps too many rights. */
  function isAdmins(sessionId: string): boolean {
    return [...(bySession.get(sessionId) ?? [])].some(({ user }) => user.isAdmin);
  }

  async function check(): Promise<void> {
    const now = clock.now();
    if (bySession.size === 0 || (checkingSince !== null && now - checkingSince < CHECK_TIMEOUT_MS)) return;
    checkingSince = now;
    try {
      const ids = [...bySession.keys()];
      const alive = await aliveSessions(ids, new Set(ids.filter(isAdmins)));
      for (const id of ids) if (!alive.has(id)) end(id);
    } catch (error) {
      // A failed check drops no sockets: the feed continues while the database is away.
      log[isAway(error) ? 'debug' : 'warn']({ error }, 'session check failed');
    } finally {
      checkingSince = null;
    }
  }

  return {
    add(client: Client): void {
      const clients = bySession.get(client.sessionId) ?? new Set();
      bySession.set(client.sessionId, clients.add(client));
    },
    remove(client: Client): void {
      const clients = bySession.get(client.sessionId);
      clients?.delete(client);
      if (clients?.size === 0) bySession.delete(client.sessionId);
    },
    end,
    check,
  };
}
export type Sessions = ReturnType<typeof createSessions>;
