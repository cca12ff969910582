import WebSocket from 'ws';
import { type FeedCursor, PROTOCOL_VERSION } from '../../../common/live/protocol.ts';

/** `gateway` and `gateway-named` wait for hello, `socketio` for the namespace, `bare` for the upgrade. The first reads arrays. */
export type ClientKind = 'gateway' | 'gateway-named' | 'socketio' | 'bare';

/** The start of a data frame in each encoding. Its number follows; the rest is not parsed. */
const NUMBERED = ['42["token-updates",[', '42["token-updates",{"seq":'].map((text) => Buffer.from(text));
const PING = '2'.charCodeAt(0);
const OPEN = '0'.charCodeAt(0);
const MESSAGE = '4'.charCodeAt(0);
const CONNECT = '0'.charCodeAt(0);
const EVENT = '2'.charCodeAt(0);
const DIGIT_0 = '0'.charCodeAt(0);
const DIGIT_9 = '9'.charCodeAt(0);

/** Receivers of a connection's events. */
interface Handlers {
  onWelcome: () => void;
  /** `length`: bytes of the frame on the wire; `readAt`: arrival, monotonic ms. */
  onNumbered: (seq: number, length: number, readAt: number) => void;
}

/** Returns the first packet of a client. `cursor`: the position that it continues at; null: it has none. */
function helloOf(kind: ClientKind, cursor: FeedCursor | null): string {
  const encoding = kind === 'gateway' ? { encoding: 'arrays' } : {};
  return `40${JSON.stringify({ protocol: PROTOCOL_VERSION, ...encoding, ...cursor })}`;
}

/** Opens a WebSocket client that parses only the number of a data frame. `cursor`: the position that it continues at; null: it has none. */
export function openConnection(
  { kind, port, cursor }: { kind: ClientKind; port: number; cursor: FeedCursor | null },
  { onWelcome, onNumbered }: Handlers,
): WebSocket {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`, {
    perMessageDeflate: false,
    skipUTF8Validation: true,
    origin: `http://127.0.0.1:${port}`,
    // As from a browser: headers are part of the cost of a connection.
    headers: {
      'User-Agent':
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
      'Accept-Language': 'en-US,en;q=0.9',
      'Accept-Encoding': 'gzip, deflate, br',
      Cookie: 'mintwatch.sid=load',
    },
  });
  if (kind === 'bare') socket.on('open', onWelcome);
  socket.on('message', (data) => {
    if (!Buffer.isBuffer(data)) return; // never with the default type of messages
    const seq = numberOf(data);
    if (seq > 0) onNumbered(seq, data.length + headerLength(data.length), Number(process.hrtime.bigint()) / 1e6);
    else if (data[0] === PING && data.length === 1) socket.send('3');
    else if (data[0] === OPEN) socket.send(helloOf(kind, cursor));
    else if (isWelcome(kind, data)) onWelcome();
  });
  return socket;
}

function numberOf(data: Buffer): number {
  const start = NUMBERED.find(
    (text) => data.length > text.length && data.compare(text, 0, text.length, 0, text.length) === 0,
  )?.length;
  if (start === undefined) return 0;
  let seq = 0;
  for (let at = start; at < data.length; at += 1) {
    const digit = data[at] ?? 0;
    if (digit < DIGIT_0 || digit > DIGIT_9) break;
    seq = seq * 10 + digit - DIGIT_0;
  }
  return seq;
}

function isWelcome(kind: ClientKind, data: Buffer): boolean {
  return data[0] === MESSAGE && data[1] === (kind.startsWith('gateway') ? EVENT : CONNECT);
}

function headerLength(payload: number): number {
  return payload < 126 ? 2 : payload < 65_536 ? 4 : 10;
}
