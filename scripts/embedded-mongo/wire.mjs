/** MongoDB's wire protocol, as much of it as lies between a driver's socket and the engine's `roundTrip`. */
import { deserialize, serialize } from 'bson';

const OP_REPLY = 1;
const OP_MSG = 2013;
const HEADER_BYTES = 16;
/** OP_MSG: the header, four bytes of flags, one byte for the kind of section. */
const MESSAGE_HEAD_BYTES = 21;
/** OP_REPLY: the header, flags, cursor id, first document, number of documents. */
const REPLY_HEAD_BYTES = 36;
/** What a MongoDB server accepts: 48 MB and some room for the head. */
const LONGEST_MESSAGE = 48_000_000 + 16_384;

function replyHead({ requestId, legacy, response }, replyId) {
  const head = Buffer.alloc(legacy ? REPLY_HEAD_BYTES : MESSAGE_HEAD_BYTES);
  head.writeInt32LE(head.length + response.length, 0);
  head.writeInt32LE(replyId, 4);
  head.writeInt32LE(requestId, 8);
  head.writeInt32LE(legacy ? OP_REPLY : OP_MSG, 12);
  if (legacy) head.writeInt32LE(1, 32);
  return head;
}

/**
 * Serves one connection: whole messages in, one reply each, in order. A driver has one command under way on each of
 * its connections, so what waits here is one message; and the socket is open to this user's own programs only.
 */
export function converse(engine, socket) {
  let chunks = [];
  let bytes = 0;
  let replyId = 0;

  const answer = async (message) => {
    const reply = await engine.roundTrip(message);
    if (reply.moreToCome || socket.destroyed) return;
    socket.cork(); // one packet for head and body
    socket.write(replyHead(reply, ++replyId));
    socket.write(reply.response);
    socket.uncork();
  };

  /** The next whole message, or undefined. Chunks are joined once a message, not once a chunk. */
  const takeMessage = () => {
    if (bytes < HEADER_BYTES) return undefined;
    if (chunks[0].length < HEADER_BYTES) chunks = [Buffer.concat(chunks)];
    const length = chunks[0].readInt32LE(0);
    if (length < HEADER_BYTES || length > LONGEST_MESSAGE) throw new Error(`a message of ${length} bytes`);
    if (bytes < length) return undefined;
    const whole = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    const rest = whole.subarray(length);
    chunks = rest.length > 0 ? [rest] : [];
    bytes = rest.length;
    return whole.subarray(0, length);
  };

  let answering = false;
  const answerAll = async () => {
    if (answering) return;
    answering = true;
    try {
      for (let message = takeMessage(); message; message = takeMessage()) await answer(message);
    } catch (error) {
      // As with a real server whose connection broke: the driver sees it closed, and reports that.
      console.error(`closing a connection: ${error.message}`);
      socket.destroy();
    }
    answering = false;
  };

  socket.on('data', (chunk) => {
    chunks.push(chunk);
    bytes += chunk.length;
    void answerAll();
  });
}

/** Runs one command through the engine, as a driver would. */
export async function command(engine, database, body) {
  const bson = serialize({ ...body, $db: database });
  const message = Buffer.alloc(MESSAGE_HEAD_BYTES + bson.length);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(OP_MSG, 12);
  message.set(bson, MESSAGE_HEAD_BYTES);
  const reply = deserialize((await engine.roundTrip(message)).response);
  if (!reply.ok) throw new Error(`${Object.keys(body)[0]}: ${reply.errmsg}`);
  return reply;
}
