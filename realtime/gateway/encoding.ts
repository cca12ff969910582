import { encodeListUpdates } from '../../common/live/lists.ts';
import type { Encoding } from '../../common/live/protocol.ts';
import { encodeUpdates } from '../../common/live/token-updates.ts';
import type { Client } from '../client.ts';
import type { FeedEntry, RoomMessage } from '../feed-log/feed-log.ts';
import { textFrame } from './engine-io.ts';

/** Types of a message in Engine.IO, and of an event of the default namespace in Socket.IO. */
const ENGINE_MESSAGE = '4';
const SOCKET_EVENT = '2';

/** An event as it is written to any number of connections, and as Engine.IO queues it. */
interface EncodedEvent {
  packet: string;
  frame: Buffer;
  shared: { compress: false; wsPreEncodedFrame: [Buffer] };
}

export type Encoder = (encoding: Encoding) => EncodedEvent;

/** Returns the encoder of an event, which encodes and frames it once for each encoding that is asked for. */
export function createEncoder(entry: FeedEntry | RoomMessage): Encoder {
  const known: Partial<Record<Encoding, EncodedEvent>> = {};
  const hasForms = entry.event === 'token-updates' || entry.event === 'list-updates';
  const formOf = (encoding: Encoding) => (hasForms ? encoding : 'named');
  return (encoding) => (known[formOf(encoding)] ??= encodedEvent(entry, encoding));
}

function encodedEvent(entry: FeedEntry | RoomMessage, encoding: Encoding): EncodedEvent {
  const packet = SOCKET_EVENT + JSON.stringify([entry.event, payloadFor(entry, encoding)]);
  const frame = textFrame(ENGINE_MESSAGE + packet);
  // All queues hold the same frame: a copy for each slow client would take megabytes.
  return { packet, frame, shared: { compress: false, wsPreEncodedFrame: [frame] } };
}

function payloadFor({ event, payload }: FeedEntry | RoomMessage, encoding: Encoding): unknown {
  if (encoding === 'named') return payload;
  if (event === 'token-updates') return encodeUpdates(payload);
  return event === 'list-updates' ? encodeListUpdates(payload) : payload;
}

/** Emits an entry of the numbered feed to one client, in its encoding. */
export function emitTo({ socket, encoding }: Client, entry: FeedEntry): void {
  // Socket.IO's types lose the pair of event and payload in a union.
  const recipient: { emit(event: string, payload: unknown): unknown } = socket;
  recipient.emit(entry.event, payloadFor(entry, encoding));
}
