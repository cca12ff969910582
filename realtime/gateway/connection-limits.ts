import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../common/time.ts';
import { createBucket, type GatewayLimits, type TokenBucket, take } from '../limits.ts';
import { type Connection, cut } from './engine-io.ts';

/** It is the bucket of the connection's packets as well: an object of its own would take memory of every connection. */
interface ConnectionCount extends TokenBucket {
  readonly address: string;
  userId: string | null;
  /** A second handshake is refused: a thousand on one connection would bypass every other limit. */
  handshake: 'none' | 'running' | 'done';
}

interface Deps {
  limits: GatewayLimits;
  clock: Clock;
  clientAddress: (request: IncomingMessage) => string;
}

/** Counts connections per address and user, and closes connections that send too many packets. */
export function createConnectionLimits({ limits, clock, clientAddress }: Deps) {
  const connections = new Map<Connection, ConnectionCount>();
  const perAddress = new Map<string, number>();
  const waiting = createWaiting(
    limits.waitingPerAddress,
    (connection) => connections.get(connection)?.handshake === 'running',
  );
  const perUser = new Map<string, number>();

  // Functions with a `this` are shared by all connections: two closures each would be a tenth of a connection's memory.
  function onClose(this: Connection): void {
    const count = connections.get(this);
    if (!count) return;
    connections.delete(this);
    increment(perAddress, count.address, -1);
    if (count.userId === null) waiting.remove(this, count.address);
    else increment(perUser, count.userId, -1);
  }
  function onPacket(this: Connection): void {
    const count = connections.get(this);
    if (count && !take(count, limits.packetsPerSecond, clock.now())) this.close(true);
  }

  return {
    /**
     * Returns false when the address has reached its limit. Checked before the connection exists, since an idle one costs as
     * much as any. A full address is still accepted while its oldest connection without a user can be closed.
     */
    hasRoom(request: IncomingMessage): boolean {
      const address = clientAddress(request);
      if ((perAddress.get(address) ?? 0) >= limits.connectionsPerAddress) return false;
      return waiting.hasRoom(address);
    },

    /** Counts a new connection, for which the oldest waiting one of its address may have to go. */
    add(connection: Connection): void {
      const { left, at } = createBucket(limits.packetsPerSecond, clock.now());
      const address = clientAddress(connection.request);
      connections.set(connection, { left, at, address, userId: null, handshake: 'none' });
      increment(perAddress, address, 1);
      connection.on('close', onClose);
      connection.on('packet', onPacket);
      waiting.add(connection, address);
    },

    /** Returns true for the first handshake of a connection. */
    startHandshake(connection: Connection): boolean {
      const count = connections.get(connection);
      if (count?.handshake !== 'none') return false;
      count.handshake = 'running';
      return true;
    },

    /** Ends the handshake: from now on a connection without a user may be closed, when another needs its place. */
    endHandshake(connection: Connection): void {
      const count = connections.get(connection);
      if (count) count.handshake = 'done';
    },

    /** Counts the connection for the user. Returns false when the user has reached the limit or the connection is closed. */
    assignUser(connection: Connection, userId: string): boolean {
      const count = connections.get(connection);
      if (!count || connection.readyState !== 'open') return false;
      if ((perUser.get(userId) ?? 0) >= limits.connectionsPerUser) return false;
      count.userId = userId;
      waiting.remove(connection, count.address);
      increment(perUser, userId, 1);
      return true;
    },

    /** Returns the address that the connection is counted by; '' after it closed. */
    addressOf: (connection: Connection): string => connections.get(connection)?.address ?? '',

    /** Returns all connections, before and after their handshake. */
    all: (): Connection[] => [...connections.keys()],
  };
}
export type ConnectionLimits = ReturnType<typeof createConnectionLimits>;

/** Keeps up to `limit` connections without a user of each address, oldest first. */
function createWaiting(limit: number, isBeingIdentified: (connection: Connection) => boolean) {
  const byAddress = new Map<string, Set<Connection>>();
  const size = (address: string) => byAddress.get(address)?.size ?? 0;

  function remove(connection: Connection, address: string): void {
    const others = byAddress.get(address);
    others?.delete(connection);
    if (others?.size === 0) byAddress.delete(address);
  }

  function oldestIdle(address: string): Connection | null {
    for (const connection of byAddress.get(address) ?? []) if (!isBeingIdentified(connection)) return connection;
    return null;
  }

  return {
    /** Returns false when all places of the address are taken by connections that are being identified. */
    hasRoom: (address: string): boolean => size(address) < limit || oldestIdle(address) !== null,
    /**
     * Adds a connection. When there are too many, closes the one that has waited longest without a handshake: otherwise one
     * client could keep out all others behind the same proxy.
     */
    add(connection: Connection, address: string): void {
      byAddress.set(address, (byAddress.get(address) ?? new Set()).add(connection));
      if (size(address) <= limit) return;
      const oldest = oldestIdle(address) ?? connection;
      // At once: the event of its end may come late.
      remove(oldest, address);
      cut(oldest);
    },
    remove,
  };
}

function increment(counts: Map<string, number>, key: string, by: number) {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
