import bs58 from 'bs58';

/** So many bytes, or characters of a text, in a row are no accident: a piece of a key was found. */
const PIECE_BYTES = 8;
const PIECE_CHARACTERS = 12;
/** Of a list of numbers: each of them has fewer possible values a character. */
const PIECE_LIST_CHARACTERS = 24;

/**
 * What a 64-byte secret key or its seed could be found by: pieces of each form it is written in, as bytes. Pieces, since a
 * database compresses what it stores and would seldom leave a whole key in a row. The public half is no secret.
 */
function tracesOf(secretKeyHex: string): { form: string; piece: Buffer }[] {
  const key = Buffer.from(secretKeyHex, 'hex');
  const seed = key.subarray(0, 32);
  const texts = {
    hex: seed.toString('hex'),
    'HEX in capitals': seed.toString('hex').toUpperCase(),
    // Two bytes more or less in front give base64 its other two forms.
    base64: seed.toString('base64url').slice(0, 40),
    'base64 of all but 1 byte': seed.subarray(1).toString('base64url').slice(0, 40),
    'base64 of all but 2 bytes': seed.subarray(2).toString('base64url').slice(0, 40),
    'base58 of the key': bs58.encode(key),
    'base58 of the seed': bs58.encode(seed),
  };
  return [
    ...pieces(seed, PIECE_BYTES).map((piece) => ({ form: 'bytes', piece })),
    // As JSON writes an array of bytes.
    ...pieces(Buffer.from([...seed].join(',')), PIECE_LIST_CHARACTERS).map((piece) => ({
      form: 'list of bytes',
      piece,
    })),
    ...Object.entries(texts).flatMap(([form, text]) =>
      pieces(Buffer.from(text), PIECE_CHARACTERS).map((piece) => ({ form, piece })),
    ),
  ];
}

/** The forms in which a trace of the key is in there. Reads it once, for it may be a whole database. */
export function findTraces(secretKeyHex: string, within: Buffer | string): string[] {
  const bytes = typeof within === 'string' ? Buffer.from(within) : within;
  const traces = tracesOf(secretKeyHex);
  const byStart = new Map<number, typeof traces>();
  const starts = new Uint8Array(1 << 16);
  for (const trace of traces) {
    const start = trace.piece.readUInt16BE(0);
    starts[start] = 1;
    byStart.set(start, [...(byStart.get(start) ?? []), trace]);
  }
  const found = new Set<string>();
  let start = 0;
  for (let end = 0; end < bytes.length; end++) {
    start = ((start << 8) | (bytes[end] ?? 0)) & 0xffff;
    if (starts[start] === 0 || end === 0) continue;
    for (const { form, piece } of byStart.get(start) ?? []) {
      if (!found.has(form) && piece.equals(bytes.subarray(end - 1, end - 1 + piece.length))) found.add(form);
    }
  }
  return [...new Set(traces.map(({ form }) => form))].filter((form) => found.has(form));
}

/** All pieces that begin at a multiple of half of their length: whatever is left of the whole holds one of them. */
function pieces(whole: Buffer, length: number): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at + length <= whole.length; at += length / 2) found.push(whole.subarray(at, at + length));
  return found;
}
