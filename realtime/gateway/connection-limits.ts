import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../common/time.ts';
import { type Allowance, type GatewayLimits, newAllowance, take } from '../limits.ts';
import type { Connection } from './engine-io.ts';

interface Admitted {
  readonly address: string;
  userId: string | null;
  readonly packets: Allowance;
  /** A connection asks once: otherwise one could ask a thousand times and skip every other bound. */
  asked: boolean;
}

interface Deps {
  limits: GatewayLimits;
  clock: Clock;
  clientAddress: (request: IncomingMessage) => string;
}

/** Counts who is connected, and closes connections that say too much. */
export function createAdmission({ limits, clock, clientAddress }: Deps) {
  const connections = new Map<Connection, Admitted>();
  const perAddress = new Map<string, number>();
  /** Of those, connections of nobody yet. */
  const waiting = new Map<string, number>();
  const perUser = new Map<string, number>();

  // Functions with a `this` are shared by all connections: two closures each would be a tenth of what a connection weighs.
  function onClose(this: Connection): void {
    const admitted = connections.get(this);
    if (!admitted) return;
    connections.delete(this);
    add(perAddress, admitted.address, -1);
    if (admitted.userId === null) add(waiting, admitted.address, -1);
    else add(perUser, admitted.userId, -1);
  }
  function onPacket(this: Connection): void {
    const admitted = connections.get(this);
    if (admitted && !take(admitted.packets, limits.packetsPerSecond, clock.now())) this.close(true);
  }

  return {
    /** False for one connection too many of an address. Asked before it exists: an idle one costs as much as any other. */
    hasRoom(request: IncomingMessage): boolean {
      const address = clientAddress(request);
      const isFull = (perAddress.get(address) ?? 0) >= limits.connectionsPerAddress;
      return !isFull && (waiting.get(address) ?? 0) < limits.waitingPerAddress;
    },

    /** To be called for every new connection, before it says anything. */
    arrived(connection: Connection): void {
      const packets = newAllowance(limits.packetsPerSecond, clock.now());
      const address = clientAddress(connection.request);
      connections.set(connection, { address, userId: null, packets, asked: false });
      add(perAddress, address, 1);
      add(waiting, address, 1);
      connection.on('close', onClose);
      connection.on('packet', onPacket);
    },

    /** True the first time a connection asks for its handshake. */
    mayAsk(connection: Connection): boolean {
      const admitted = connections.get(connection);
      if (!admitted || admitted.asked) return false;
      admitted.asked = true;
      return true;
    },

    /** Counts the connection as the user's; false when the user has too many already or the connection is gone. */
    admit(connection: Connection, userId: string): boolean {
      const admitted = connections.get(connection);
      if (!admitted || connection.readyState !== 'open') return false;
      if ((perUser.get(userId) ?? 0) >= limits.connectionsPerUser) return false;
      admitted.userId = userId;
      add(waiting, admitted.address, -1);
      add(perUser, userId, 1);
      return true;
    },

    /** Everyone who is connected, whether let in or not. */
    connections: (): Connection[] => [...connections.keys()],
  };
}
export type Admission = ReturnType<typeof createAdmission>;

function add(counts: Map<string, number>, key: string, by: number) {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
