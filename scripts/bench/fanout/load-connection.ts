import { connect, type Socket } from 'node:net';
import { PROTOCOL_VERSION } from '../../../common/live/protocol.ts';
import { CLOSE, clientText, FrameReader, TEXT } from './frames.ts';

/** `gateway` waits for hello, `socketio` for the namespace, `bare` for the upgrade. */
export type ClientKind = 'gateway' | 'socketio' | 'bare';

const END_OF_HEADERS = Buffer.from('\r\n\r\n');

/** What a data frame begins with: its number follows, and nothing else of it is parsed. */
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

/** One WebSocket client that looks at nothing of a data frame but its number. */
export class Connection {
  readonly socket: Socket;
  /** When the bytes that are being read arrived, monotonic ms. */
  readAt = 0;
  onWelcome: () => void = () => {};
  /** `length`: bytes of the frame on the wire. */
  onNumbered: (seq: number, length: number) => void = () => {};
  readonly #kind: ClientKind;
  /** Null until the connection is a WebSocket. */
  #frames: FrameReader | null = null;

  /** `readBuffer` may be shared: reads of one process come one after another. */
  constructor(kind: ClientKind, port: number, readBuffer: Buffer) {
    this.#kind = kind;
    const onread = {
      buffer: readBuffer,
      callback: (length: number) => {
        this.#onRead(readBuffer.subarray(0, length));
        return true;
      },
    };
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
    this.socket.write(upgradeRequest(port));
  }

  #onRead(chunk: Buffer): void {
    this.readAt = Number(process.hrtime.bigint()) / 1e6;
    if (this.#frames) {
      this.#frames.push(chunk);
      return;
    }
    // The answer to an upgrade is short and comes in one piece on a loopback.
    this.#frames = new FrameReader((opcode, bytes, from, to) => this.#read(opcode, bytes, from, to));
    if (this.#kind === 'bare') this.onWelcome();
    const end = chunk.indexOf(END_OF_HEADERS) + END_OF_HEADERS.length;
    if (end < chunk.length) this.#frames.push(chunk.subarray(end));
  }

  #read(opcode: number, bytes: Buffer, from: number, to: number): void {
    if (opcode === CLOSE) this.socket.destroy();
    if (opcode !== TEXT) return;
    const seq = numberOf(bytes, from, to);
    if (seq > 0) this.onNumbered(seq, to - from + headerLength(to - from));
    else if (bytes[from] === PING && to - from === 1) this.socket.write(pong);
    else if (bytes[from] === OPEN) this.socket.write(hello);
    else if (isWelcome(this.#kind, bytes, from)) this.onWelcome();
  }
}

function upgradeRequest(port: number): string {
  return [
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
    // What a browser sends along: headers are part of what a connection costs.
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
