import { once } from 'node:events';
import { WebSocket } from 'ws';
import { type FeedCursor, PROTOCOL_VERSION } from '../../common/live/protocol.ts';

/** Engine.IO and Socket.IO packet types as they begin a text frame. */
const PING = '2';
const PONG = '3';
const CONNECT = '40';
const EVENT = '42';

export interface RawClient {
  websocket: WebSocket;
  /** Events as `[name, payload]`, in order of arrival. */
  received: unknown[][];
  seqs(): number[];
  /** Stops reading, so that the kernel's buffers fill, then the server's queue. */
  pause(): void;
  resume(): void;
}

interface RawOptions {
  session?: string;
  /** Instead of the header with the session. */
  headers?: Record<string, string>;
  /** False for a connection without a handshake. */
  isConnecting?: boolean;
  cursor?: Partial<FeedCursor>;
  /** False for a client that does not even read the hello. */
  isReading?: boolean;
}

/** Opens a client without Socket.IO's library, for behaviour that the library never shows. */
export async function rawClient(
  port: number,
  { session = 'alice', headers, isConnecting = true, cursor = {}, isReading = true }: RawOptions = {},
): Promise<RawClient> {
  const websocket = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`, {
    headers: headers ?? { cookie: `session=${session}` },
  });
  const received: unknown[][] = [];
  const waiting: (() => void)[] = [];
  websocket.on('error', () => websocket.terminate());
  websocket.on('message', (data) => {
    const frame = data.toString();
    if (frame === PING) websocket.send(PONG);
    if (!frame.startsWith(EVENT)) return;
    const event: unknown = JSON.parse(frame.slice(EVENT.length));
    if (Array.isArray(event)) received.push(event);
    for (const resolve of waiting.splice(0)) resolve();
  });
  await once(websocket, 'open');
  if (isConnecting) websocket.send(CONNECT + JSON.stringify({ protocol: PROTOCOL_VERSION, ...cursor }));
  if (!isReading) websocket.pause();
  while (isConnecting && isReading && received.length === 0)
    await new Promise<void>((resolve) => waiting.push(resolve));
  return {
    websocket,
    received,
    seqs: () => received.flatMap(([, payload]) => seqOf(payload)),
    pause: () => websocket.pause(),
    resume: () => websocket.resume(),
  };
}

function seqOf(payload: unknown): number[] {
  if (typeof payload !== 'object' || payload === null || 'protocol' in payload || !('seq' in payload)) return [];
  return typeof payload.seq === 'number' ? [payload.seq] : [];
}
