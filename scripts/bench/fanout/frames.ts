/** WebSocket opcodes that a load client meets. */
export const TEXT = 1;
export const CLOSE = 8;

const LENGTH_16 = 126;
const LENGTH_64 = 127;

/** Calls back for every whole server frame: `bytes[from … to)` is its payload, valid during the call only. */
export type OnFrame = (opcode: number, bytes: Buffer, from: number, to: number) => void;

/** Cuts a byte stream from a server into WebSocket frames. Server frames are unmasked and here never fragmented. */
export class FrameReader {
  #rest: Buffer | null = null;
  readonly #onFrame: OnFrame;

  constructor(onFrame: OnFrame) {
    this.#onFrame = onFrame;
  }

  push(chunk: Buffer): void {
    const bytes = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk;
    let at = 0;
    for (;;) {
      const end = this.#frame(bytes, at);
      if (end < 0) break;
      at = end;
    }
    // `chunk` belongs to the caller, who uses it again: what stays must be copied.
    this.#rest = at === bytes.length ? null : Buffer.from(bytes.subarray(at));
  }

  /** Reads one frame at `at`; returns where it ends, or -1 when it is not all there yet. */
  #frame(bytes: Buffer, at: number): number {
    if (bytes.length < at + 2) return -1;
    const short = bytes.readUInt8(at + 1) & 127;
    const header = short === LENGTH_64 ? 10 : short === LENGTH_16 ? 4 : 2;
    if (bytes.length < at + header) return -1;
    const length = header === 2 ? short : header === 4 ? bytes.readUInt16BE(at + 2) : bytes.readUInt32BE(at + 6);
    const from = at + header;
    if (bytes.length < from + length) return -1;
    this.#onFrame(bytes.readUInt8(at) & 15, bytes, from, from + length);
    return from + length;
  }
}

/** A text frame from a client, with a mask of zeros, which leaves the text as it is. */
export function clientText(text: string): Buffer {
  const payload = Buffer.from(text);
  if (payload.length >= LENGTH_16) throw new RangeError('too long for a short frame');
  return Buffer.concat([Buffer.from([0x80 | TEXT, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}

/** A text frame from a server. */
export function serverText(text: string): Buffer {
  const payload = Buffer.from(text);
  const header = Buffer.alloc(payload.length < LENGTH_16 ? 2 : payload.length < 65_536 ? 4 : 10);
  header[0] = 0x80 | TEXT;
  if (header.length === 2) header[1] = payload.length;
  else if (header.length === 4) {
    header[1] = LENGTH_16;
    header.writeUInt16BE(payload.length, 2);
  } else {
    header[1] = LENGTH_64;
    header.writeBigUInt64BE(BigInt(payload.length), 2);
  }
  return Buffer.concat([header, payload]);
}
