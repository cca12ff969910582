import type { Clock } from '../../common/time.ts';
import type { Client } from '../client.ts';
import type { GatewayLimits } from '../limits.ts';
import { closeConnection, queuedBytes, queuedPackets } from './engine-io.ts';
import type { Replay } from './replay.ts';

/** WebSocket close code and reason for a client that does not read (F6). */
const SLOW_CLOSE = { code: 4008, reason: 'slow' } as const;

/** Keeps the queues of all clients bounded (F6). */
export function createBackpressure(deps: {
  clients: ReadonlySet<Client>;
  replay: Replay;
  limits: GatewayLimits;
  clock: Clock;
}) {
  const { clients, replay, limits, clock } = deps;
  let closed = 0;

  function isOver({ socket }: Client): boolean {
    const packets = queuedPackets(socket.conn);
    // Nearly every queue is empty; only the others are measured.
    return packets > 0 && (packets > limits.queuedPackets || queuedBytes(socket.conn) > limits.queuedBytes);
  }

  function check(client: Client, now: number): void {
    const { behind, socket } = client;
    if (!behind) {
      if (isOver(client)) replay.suspend(client, now);
      return;
    }
    if (queuedPackets(socket.conn) === 0) {
      behind.stalledSince = null;
      void replay.advance(client);
      return;
    }
    behind.stalledSince ??= now;
    if (behind.closing || now - behind.stalledSince < limits.slowMs) return;
    behind.closing = true;
    closed += 1;
    closeConnection(socket.conn, SLOW_CLOSE.code, SLOW_CLOSE.reason);
  }

  return {
    sweep(): void {
      const now = clock.now();
      for (const client of clients) check(client, now);
    },
    /**
     * Returns the number of clients whose queue does not drain, the bytes queued for all clients together, and the number of clients
     * closed with the reason `slow` since the start.
     */
    stats() {
      let stalled = 0;
      let queued = 0;
      for (const { behind, socket } of clients) {
        if (behind && behind.stalledSince !== null) stalled += 1;
        queued += queuedBytes(socket.conn);
      }
      return { stalled, queuedBytes: queued, closedSlow: closed };
    },
  };
}
