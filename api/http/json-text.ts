import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type Koa from 'koa';

const BRAND: unique symbol = Symbol('JsonText');

/** A serialized JSON response with its validator, made once and sent any number of times. */
export interface JsonText {
  readonly [BRAND]: true;
  /** UTF-8, so that it is not encoded again with each response. */
  readonly bytes: Buffer;
  readonly etag: string;
  /** Compresses the bytes, once for all responses; undefined: each response is compressed by itself. */
  readonly compressed?: (encoding: Encoding) => Promise<Buffer>;
}

/** Encodings that browsers accept, the better one first. */
const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

const compressors: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  // A list takes 2 ms with this quality, and 200 ms with the library's.
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: promisify<Buffer, Buffer>(gzip),
};
/** Shorter bodies do not get smaller, bytes. */
const COMPRESSED_FROM = 1_024;

/** Serialises a value for any number of responses. */
export function createJsonText(value: unknown): JsonText {
  const text = jsonTextOf(Buffer.from(JSON.stringify(value)));
  if (text.bytes.length < COMPRESSED_FROM) return text;
  const made = new Map<Encoding, Promise<Buffer>>();
  return {
    ...text,
    compressed(encoding) {
      const known = made.get(encoding);
      if (known !== undefined) return known;
      const bytes = compressors[encoding](text.bytes);
      made.set(encoding, bytes);
      bytes.catch(() => made.delete(encoding));
      return bytes;
    },
  };
}

/** Returns the response of these bytes of JSON, for a caller that overwrites them once they are sent. */
export function jsonTextOf(bytes: Buffer): JsonText {
  // Weak: compression changes the bytes on the way out, not their meaning.
  return { [BRAND]: true, bytes, etag: `W/"${createHash('sha1').update(bytes).digest('base64url')}"` };
}

export function isJsonText(value: unknown): value is JsonText {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/** Sends the response, or 304 when the client already has it. */
export async function sendJson(ctx: Koa.Context, json: JsonText): Promise<void> {
  if (ctx.status === 404) ctx.status = 200;
  if (ctx.status === 200 && (ctx.method === 'GET' || ctx.method === 'HEAD')) {
    ctx.set('ETag', json.etag);
    ctx.set('Cache-Control', cacheControlOf(ctx.path));
    if (matchesAny(ctx.get('If-None-Match'), json.etag)) {
      ctx.status = 304;
      return;
    }
  } else {
    ctx.set('Cache-Control', 'no-store');
  }
  ctx.type = 'application/json';
  const encoding = ctx.method === 'HEAD' ? undefined : bestEncoding(ctx);
  if (json.compressed && encoding) {
    ctx.body = await json.compressed(encoding);
    ctx.set('Content-Encoding', encoding);
  } else ctx.body = json.bytes;
}

/** Returns the best encoding that the client accepts. Asked one by one: of several the client's order would decide. */
export function bestEncoding(ctx: Koa.Context): Encoding | undefined {
  return ENCODINGS.find((name) => ctx.acceptsEncodings(name) === name);
}

/**
 * Returns the `Cache-Control` of what can be read at this path. Figures of tokens, the same for all users, change at any moment: a
 * browser may keep them, but must revalidate. Everything else may be private, such as wallets, and must not stay on its disk.
 */
export function cacheControlOf(path: string): string {
  return path === '/api/tokens' || path.startsWith('/api/tokens/') ? 'private, no-cache' : 'no-store';
}

/**
 * Compares validators. Koa's own `fresh` gives up at `Cache-Control: no-cache`, which browsers add to every fetch with
 * `If-None-Match`; since the body is always current here, only the validator matters.
 */
export function matchesAny(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === '' || ifNoneMatch === etag) return ifNoneMatch === etag;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
}
