import { RequestError, type RequestErrorCode } from './request-error.ts';

export interface ResponseBounds {
  maxBytes: number;
  contentType: RegExp;
}

/**
 * Resolves with the JSON of a response. Rejects another content type (firewalls send HTML) and bodies over the limit before
 * parsing. Throws a RequestError.
 */
export async function readJson(response: Response, { maxBytes, contentType }: ResponseBounds): Promise<unknown> {
  const { status } = response;
  if (!contentType.test(response.headers.get('content-type') ?? '')) {
    await discardBody(response);
    throw new RequestError('not-json', status);
  }
  const text = await readText(response, maxBytes);
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the response, which must not be logged.
    throw new RequestError('not-json', status);
  }
}

/** Resolves with the text of a response. Throws a RequestError for a body over the limit. */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (response.body === null) return '';
  // Counted while reading: the announced length may be missing or wrong.
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    // Leaving the loop ends the stream.
    if (size > maxBytes) throw new RequestError('too-large', response.status);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Cancels an unread body to free its connection. */
export async function discardBody(response: Response): Promise<void> {
  // The body may have ended already; nothing depends on it.
  await response.body?.cancel().catch(() => undefined);
}

/** Returns the error code of a status other than 2xx. */
export function errorCodeOf(status: number): RequestErrorCode {
  if (status === 429) return 'rate-limited';
  if (status === 401 || status === 403) return 'forbidden';
  if (status === 404) return 'not-found';
  return status >= 500 ? 'server' : 'refused';
}
