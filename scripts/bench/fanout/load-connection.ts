import { connect, type Socket } from 'node:net';
import { PROTOCOL_VERSION } from '../../../common/live/protocol.ts';
import { CLOSE, clientText, createFrameReader, TEXT } from './frames.ts';

/** `gateway` waits for hello, `socketio` for the namespace, `bare` for the upgrade. */
export type ClientKind = 'gateway' | 'socketio' | 'bare';

const END_OF_HEADERS = Buffer.from('\r\n\r\n');

/** The start of a data frame. Its number follows; the rest is not parsed. */
const NUMBERED = Buffer.from('42["token-updates",{"seq":');
const PING = '2'.charCodeAt(0);
const OPEN = '0'.charCodeAt(0);
const MESSAGE = '4'.charCodeAt(0);
const CONNECT = '0'.charCodeAt(0);
const EVENT = '2'.charCodeAt(0);
const DIGIT_0 = '0'.charCodeAt(0);
const DIGIT_9 = '9'.charCodeAt(0);

const pong = clientText('3');
const hello = clientText(`40${JSON.stringify({ protocol: PROTOCOL_VERSION })}`);

/** Receivers of a connection's events. */
interface Handlers {
  onWelcome: () => void;
  /** `length`: bytes of the frame on the wire; `readAt`: arrival, monotonic ms. */
  onNumbered: (seq: number, length: number, readAt: number) => void;
}

/** Opens a WebSocket client that parses only the number of a data frame. `readBuffer` may be shared by all clients. */
export function openConnection(kind: ClientKind, port: number, readBuffer: Buffer, handlers: Handlers): Socket {
  let readAt = 0;
  /** Null until the connection is a WebSocket. */
  let readFrames: ((chunk: Buffer) => void) | null = null;

  const onFrame = (opcode: number, bytes: Buffer, from: number, to: number): void => {
    if (opcode === CLOSE) socket.destroy();
    if (opcode !== TEXT) return;
    const seq = numberOf(bytes, from, to);
    if (seq > 0) handlers.onNumbered(seq, to - from + headerLength(to - from), readAt);
    else if (bytes[from] === PING && to - from === 1) socket.write(pong);
    else if (bytes[from] === OPEN) socket.write(hello);
    else if (isWelcome(kind, bytes, from)) handlers.onWelcome();
  };

  const onRead = (chunk: Buffer): void => {
    readAt = Number(process.hrtime.bigint()) / 1e6;
    if (readFrames) {
      readFrames(chunk);
      return;
    }
    // The response to an upgrade is short and arrives in one chunk on the loopback.
    readFrames = createFrameReader(onFrame);
    if (kind === 'bare') handlers.onWelcome();
    const end = chunk.indexOf(END_OF_HEADERS) + END_OF_HEADERS.length;
    if (end < chunk.length) readFrames(chunk.subarray(end));
  };

  const onread = {
    buffer: readBuffer,
    callback: (length: number) => {
      onRead(readBuffer.subarray(0, length));
      return true;
    },
  };
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
  socket.write(upgradeRequest(port));
  return socket;
}

function upgradeRequest(port: number): string {
  return [
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
    // As from a browser: headers are part of the cost of a connection.
    `Origin: http://127.0.0.1:${port}`,
    'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
    'Accept-Language: en-US,en;q=0.9',
    'Accept-Encoding: gzip, deflate, br',
    'Cookie: mintwatch.sid=load',
    '\r\n',
  ].join('\r\n');
}

function numberOf(data: Buffer, from: number, to: number): number {
  const start = from + NUMBERED.length;
  if (start >= to || data.compare(NUMBERED, 0, NUMBERED.length, from, start) !== 0) return 0;
  let seq = 0;
  for (let at = start; at < to; at += 1) {
    const digit = data[at] ?? 0;
    if (digit < DIGIT_0 || digit > DIGIT_9) break;
    seq = seq * 10 + digit - DIGIT_0;
  }
  return seq;
}

function isWelcome(kind: ClientKind, data: Buffer, from: number): boolean {
  return data[from] === MESSAGE && data[from + 1] === (kind === 'gateway' ? EVENT : CONNECT);
}

function headerLength(payload: number): number {
  return payload < 126 ? 2 : payload < 65_536 ? 4 : 10;
}
