import { AskError, type AskErrorCode } from './request-error.ts';

export interface AnswerBounds {
  maxBytes: number;
  contentType: RegExp;
}

/**
 * The JSON of an answer. A page of HTML, as firewalls send it, and anything over the bound are refused before they are
 * parsed. Throws an AskError.
 */
export async function readAnswer(response: Response, { maxBytes, contentType }: AnswerBounds): Promise<unknown> {
  const { status } = response;
  if (!contentType.test(response.headers.get('content-type') ?? '')) {
    await discard(response);
    throw new AskError('not-json', status);
  }
  const text = await readText(response, maxBytes);
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the answer, which is not ours to show.
    throw new AskError('not-json', status);
  }
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (response.body === null) return '';
  // Counted while it comes: the length a server announces may be missing or wrong.
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    // Leaving the loop ends the stream.
    if (size > maxBytes) throw new AskError('too-large', response.status);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Ends a body that nobody reads, so that its connection is free. */
export async function discard(response: Response): Promise<void> {
  // It may have ended already; nothing depends on it.
  await response.body?.cancel().catch(() => undefined);
}

/** What a status other than 2xx means. */
export function failureOf(status: number): AskErrorCode {
  if (status === 429) return 'rate-limited';
  if (status === 401 || status === 403) return 'forbidden';
  if (status === 404) return 'not-found';
  return status >= 500 ? 'server' : 'refused';
}
