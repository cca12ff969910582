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
  heard: unknown[][];
  seqs(): number[];
  /** Stops reading: the kernel's buffers fill, then the server's queue. */
  pause(): void;
  resume(): void;
}

interface RawOptions {
  session?: string;
  /** False for a connection that has not asked for anything yet. */
  isConnecting?: boolean;
  cursor?: Partial<FeedCursor>;
  /** False for one that does not even read the hello. */
  isReading?: boolean;
}

/** A client without any library of Socket.IO's, for what those would never do. */
export async function rawClient(
  port: number,
  { session = 'alice', isConnecting = true, cursor = {}, isReading = true }: RawOptions = {},
): Promise<RawClient> {
  const websocket = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`, {
    headers: { cookie: `session=${session}` },
  });
  const heard: unknown[][] = [];
  const waiting: (() => void)[] = [];
  websocket.on('error', () => websocket.terminate());
  websocket.on('message', (data) => {
    const frame = data.toString();
    if (frame === PING) websocket.send(PONG);
    if (!frame.startsWith(EVENT)) return;
    const event: unknown = JSON.parse(frame.slice(EVENT.length));
    if (Array.isArray(event)) heard.push(event);
    for (const resolve of waiting.splice(0)) resolve();
  });
  await once(websocket, 'open');
  if (isConnecting) websocket.send(CONNECT + JSON.stringify({ protocol: PROTOCOL_VERSION, ...cursor }));
  if (!isReading) websocket.pause();
  while (isConnecting && isReading && heard.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
  return {
    websocket,
    heard,
    seqs: () => heard.flatMap(([, payload]) => seqOf(payload)),
    pause: () => websocket.pause(),
    resume: () => websocket.resume(),
  };
}

function seqOf(payload: unknown): number[] {
  if (typeof payload !== 'object' || payload === null || 'protocol' in payload || !('seq' in payload)) return [];
  return typeof payload.seq === 'number' ? [payload.seq] : [];
}
