/** WebSocket opcodes that a load client receives. */
export const TEXT = 1;
export const CLOSE = 8;

const LENGTH_16 = 126;
const LENGTH_64 = 127;

/** Receives a whole server frame: `bytes[from … to)` is its payload, valid during the call only. */
type OnFrame = (opcode: number, bytes: Buffer, from: number, to: number) => void;

/** Creates a function that cuts a server's byte stream into WebSocket frames, which are unmasked and never fragmented here. */
export function createFrameReader(onFrame: OnFrame): (chunk: Buffer) => void {
  let rest: Buffer | null = null;
  return (chunk) => {
    const bytes = rest ? Buffer.concat([rest, chunk]) : chunk;
    let at = 0;
    for (let end = readFrame(bytes, at, onFrame); end >= 0; end = readFrame(bytes, at, onFrame)) at = end;
    // The caller reuses `chunk`, so the rest must be copied.
    rest = at === bytes.length ? null : Buffer.from(bytes.subarray(at));
  };
}

/** Reads one frame at `at`. Returns its end, or -1 while it is incomplete. */
function readFrame(bytes: Buffer, at: number, onFrame: OnFrame): number {
  if (bytes.length < at + 2) return -1;
  const short = bytes.readUInt8(at + 1) & 127;
  const header = short === LENGTH_64 ? 10 : short === LENGTH_16 ? 4 : 2;
  if (bytes.length < at + header) return -1;
  const length = header === 2 ? short : header === 4 ? bytes.readUInt16BE(at + 2) : bytes.readUInt32BE(at + 6);
  const from = at + header;
  if (bytes.length < from + length) return -1;
  onFrame(bytes.readUInt8(at) & 15, bytes, from, from + length);
  return from + length;
}

/** Returns a client's text frame, with a mask of zeros that leaves the text unchanged. */
export function clientText(text: string): Buffer {
  const payload = Buffer.from(text);
  if (payload.length >= LENGTH_16) throw new RangeError('too long for a short frame');
  return Buffer.concat([Buffer.from([0x80 | TEXT, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}

/** Returns a server's text frame. */
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
