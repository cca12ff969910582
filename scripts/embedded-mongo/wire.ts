/** MongoDB's wire protocol, limited to the part between a driver's socket and the engine's `roundTrip`. */
import type { Socket } from 'node:net';
import { deserialize, serialize } from 'bson';
import type { Engine, RoundTrip } from './engine.ts';

const OP_REPLY = 1;
const OP_MSG = 2013;
const HEADER_BYTES = 16;
/** OP_MSG: the header, four bytes of flags, one byte for the kind of section. */
const MESSAGE_HEAD_BYTES = 21;
/** OP_REPLY: the header, flags, cursor id, first document, number of documents. */
const REPLY_HEAD_BYTES = 36;
/** The largest message of a MongoDB server: 48 MB and some room for the head. */
const LONGEST_MESSAGE = 48_000_000 + 16_384;

function replyHead({ requestId, legacy, response }: RoundTrip, replyId: number): Buffer {
  const head = Buffer.alloc(legacy ? REPLY_HEAD_BYTES : MESSAGE_HEAD_BYTES);
  head.writeInt32LE(head.length + response.length, 0);
  head.writeInt32LE(replyId, 4);
  head.writeInt32LE(requestId, 8);
  head.writeInt32LE(legacy ? OP_REPLY : OP_MSG, 12);
  if (legacy) head.writeInt32LE(1, 32);
  return head;
}

/** Collects the chunks of a connection into whole messages. */
function createMessageReader() {
  let chunks: Buffer[] = [];
  let bytes = 0;
  return {
    push(chunk: Buffer): void {
      chunks.push(chunk);
      bytes += chunk.length;
    },
    /** Removes and returns the next whole message, or null. Joins chunks once per message, not once per chunk. */
    take(): Buffer | null {
      if (bytes < HEADER_BYTES) return null;
      let [first] = chunks;
      if (first === undefined || first.length < HEADER_BYTES) {
        first = Buffer.concat(chunks);
        chunks = [first];
      }
      const length = first.readInt32LE(0);
      if (length < HEADER_BYTES || length > LONGEST_MESSAGE) throw new Error(`a message of ${length} bytes`);
      if (bytes < length) return null;
      const whole = chunks.length === 1 ? first : Buffer.concat(chunks);
      const rest = whole.subarray(length);
      chunks = rest.length > 0 ? [rest] : [];
      bytes = rest.length;
      return whole.subarray(0, length);
    },
  };
}

/**
 * Serves one connection: one reply per message, in order. A driver has one command in flight per connection, so at most
 * one message waits here, and the socket accepts this user's programs only.
 */
export function serveConnection(engine: Engine, socket: Socket): void {
  const reader = createMessageReader();
  let replyId = 0;
  let busy = false;

  const reply = async (message: Buffer): Promise<void> => {
    const response = await engine.roundTrip(message);
    if (response.moreToCome || socket.destroyed) return;
    replyId += 1;
    socket.cork(); // one packet for head and body
    socket.write(replyHead(response, replyId));
    socket.write(response.response);
    socket.uncork();
  };

  const replyToAll = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    try {
      for (let message = reader.take(); message; message = reader.take()) await reply(message);
    } catch (error) {
      // As on a real server whose connection broke: the driver reports the closed connection.
      console.error(`connection closed: ${error instanceof Error ? error.message : String(error)}`);
      socket.destroy();
    }
    busy = false;
  };

  socket.on('data', (chunk) => {
    reader.push(chunk);
    void replyToAll();
  });
}

/** Runs one command in the engine, as a driver does. Throws when the response is not ok. */
export async function runCommand(
  engine: Engine,
  database: string,
  body: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const bson = serialize({ ...body, $db: database });
  const message = Buffer.alloc(MESSAGE_HEAD_BYTES + bson.length);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(OP_MSG, 12);
  message.set(bson, MESSAGE_HEAD_BYTES);
  const response: Record<string, unknown> = deserialize((await engine.roundTrip(message)).response);
  if (!response.ok) throw new Error(`${Object.keys(body)[0]}: ${String(response.errmsg)}`);
  return response;
}
