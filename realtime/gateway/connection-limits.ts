import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../common/time.ts';
import { createBucket, type GatewayLimits, type TokenBucket, take } from '../limits.ts';
import type { Connection } from './engine-io.ts';

interface ConnectionCount {
  readonly address: string;
  userId: string | null;
  readonly packets: TokenBucket;
  /** True after the handshake. A second one is refused: a thousand on one connection would bypass every other limit. */
  isHandshakeDone: boolean;
}

interface Deps {
  limits: GatewayLimits;
  clock: Clock;
  clientAddress: (request: IncomingMessage) => string;
}

/** Counts connections per address and user, and closes those that send too many packets. */
export function createConnectionLimits({ limits, clock, clientAddress }: Deps) {
  const connections = new Map<Connection, ConnectionCount>();
  const perAddress = new Map<string, number>();
  /** Of those, connections before their handshake. */
  const waiting = new Map<string, number>();
  const perUser = new Map<string, number>();

  // Functions with a `this` are shared by all connections: two closures each would be a tenth of a connection's memory.
  function onClose(this: Connection): void {
    const count = connections.get(this);
    if (!count) return;
    connections.delete(this);
    increment(perAddress, count.address, -1);
    if (count.userId === null) increment(waiting, count.address, -1);
    else increment(perUser, count.userId, -1);
  }
  function onPacket(this: Connection): void {
    const count = connections.get(this);
    if (count && !take(count.packets, limits.packetsPerSecond, clock.now())) this.close(true);
  }

  return {
    /** Returns false when the address has reached its limit. Checked before the connection exists, since an idle one costs as much as any. */
    hasRoom(request: IncomingMessage): boolean {
      const address = clientAddress(request);
      const isFull = (perAddress.get(address) ?? 0) >= limits.connectionsPerAddress;
      return !isFull && (waiting.get(address) ?? 0) < limits.waitingPerAddress;
    },

    /** Counts a new connection. */
    add(connection: Connection): void {
      const packets = createBucket(limits.packetsPerSecond, clock.now());
      const address = clientAddress(connection.request);
      connections.set(connection, { address, userId: null, packets, isHandshakeDone: false });
      increment(perAddress, address, 1);
      increment(waiting, address, 1);
      connection.on('close', onClose);
      connection.on('packet', onPacket);
    },

    /** Returns true for the first handshake of a connection. */
    startHandshake(connection: Connection): boolean {
      const count = connections.get(connection);
      if (!count || count.isHandshakeDone) return false;
      count.isHandshakeDone = true;
      return true;
    },

    /** Counts the connection for the user. Returns false when the user has reached the limit or the connection is closed. */
    assignUser(connection: Connection, userId: string): boolean {
      const count = connections.get(connection);
      if (!count || connection.readyState !== 'open') return false;
      if ((perUser.get(userId) ?? 0) >= limits.connectionsPerUser) return false;
      count.userId = userId;
      increment(waiting, count.address, -1);
      increment(perUser, userId, 1);
      return true;
    },

    /** Returns all connections, before and after their handshake. */
    all: (): Connection[] => [...connections.keys()],
  };
}
export type ConnectionLimits = ReturnType<typeof createConnectionLimits>;

function increment(counts: Map<string, number>, key: string, by: number) {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
