import { z } from 'zod';

/** X API v2. */
export const X_API_ROOT = 'https://api.x.com';

export interface Post {
  id: string;
  text: string;
  /** Pages that the post's shortened links lead to. */
  links: string[];
  /** Handle without the @; null when X did not name it. */
  account: string | null;
  /** Epoch ms; null when X did not say. */
  at: number | null;
}

export interface SearchPage {
  kind: 'page';
  posts: Post[];
  /** Posts whose shape was not what it should be: they were left out. */
  malformed: number;
  nextToken: string | null;
  /** Epoch ms until which no further call is left; null while there are some. */
  spentUntil: number | null;
}

export type SearchAnswer = SearchPage | SearchTrouble;

/** Why there is no page. */
export type SearchTrouble =
  /** Too many calls; `until` is when the next window begins, epoch ms, null when X did not say. */
  | { kind: 'limited'; until: number | null }
  /** The posts that the plan pays for in a month are used up. */
  | { kind: 'capped' }
  /** The token is not good for this call. */
  | { kind: 'refused'; status: number }
  /** The question is not to X's liking, e.g. a `sinceId` that is older than the seven days it searches. */
  | { kind: 'invalid' }
  /** No answer, a useless one, or trouble on X's side. Never the token. */
  | { kind: 'failed'; reason: string };

export interface SearchQuestion {
  query: string;
  /** Only posts after this one. */
  sinceId: string | null;
  nextToken: string | null;
  /** 10–100. */
  limit: number;
}

export interface SearchOptions {
  root: string;
  token: string;
  /** For the whole call, ms. */
  timeoutMs: number;
  signal: AbortSignal;
}

/** An answer of 100 posts is about 100 kB. */
const maxAnswerBytes = 4 * 1_024 * 1_024;

const digits = z.string().regex(/^\d{1,20}$/);
const answerSchema = z.object({
  data: z.array(z.unknown()).optional(),
  includes: z.object({ users: z.array(z.unknown()).optional() }).optional(),
  meta: z.object({ next_token: z.string().max(200).optional() }),
});
const postSchema = z.object({
  id: digits,
  text: z.string().max(50_000),
  created_at: z.iso.datetime({ offset: true }).optional(),
  author_id: digits.optional(),
  entities: z
    .object({ urls: z.array(z.object({ expanded_url: z.string().max(4_096).optional() })).optional() })
    .optional(),
});
/** Some handles are from before they were limited to 15 characters. */
const userSchema = z.object({ id: digits, username: z.string().regex(/^\w{1,50}$/) });
const problemSchema = z.object({ type: z.string() });

/** Asks X for recent posts. Never throws. */
export async function searchRecent(question: SearchQuestion, options: SearchOptions): Promise<SearchAnswer> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]);
  try {
    const response = await fetch(address(question, options.root), {
      headers: { authorization: `Bearer ${options.token}` },
      // A redirect would carry the token elsewhere.
      redirect: 'error',
      signal,
    });
    return read(response.status, response.headers, json(await bodyOf(response)));
  } catch {
    // What exactly went wrong may quote the request with its token; the kind says enough.
    return { kind: 'failed', reason: signal.aborted ? 'X did not answer in time.' : 'X could not be reached.' };
  }
}

function address({ query, sinceId, nextToken, limit }: SearchQuestion, root: string): URL {
  const url = new URL('/2/tweets/search/recent', root);
  url.searchParams.set('query', query);
  url.searchParams.set('max_results', String(limit));
  url.searchParams.set('tweet.fields', 'created_at,author_id,entities');
  url.searchParams.set('expansions', 'author_id');
  url.searchParams.set('user.fields', 'username');
  if (sinceId !== null) url.searchParams.set('since_id', sinceId);
  if (nextToken !== null) url.searchParams.set('next_token', nextToken);
  return url;
}

async function bodyOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxAnswerBytes) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A page of a gateway in between; the status decides.
    return null;
  }
}

/** What an answer means. Never throws. */
export function read(status: number, headers: Headers, body: unknown): SearchAnswer {
  if (status === 429) {
    const problem = problemSchema.safeParse(body);
    if (problem.data?.type.endsWith('/usage-capped')) return { kind: 'capped' };
    return { kind: 'limited', until: resetAt(headers) };
  }
  if (status === 401 || status === 403) return { kind: 'refused', status };
  if (status === 400) return { kind: 'invalid' };
  if (status !== 200) return { kind: 'failed', reason: `X answered ${status}.` };
  const parsed = answerSchema.safeParse(body);
  if (!parsed.success) return { kind: 'failed', reason: 'The answer of X had another shape.' };
  const { data = [], includes, meta } = parsed.data;
  const accounts = accountsOf(includes?.users ?? []);
  const posts = data.flatMap((item) => postOf(item, accounts));
  const spent = headers.get('x-rate-limit-remaining') === '0';
  return {
    kind: 'page',
    posts,
    malformed: data.length - posts.length,
    nextToken: meta.next_token ?? null,
    spentUntil: spent ? resetAt(headers) : null,
  };
}

function resetAt(headers: Headers): number | null {
  const seconds = headers.get('x-rate-limit-reset') ?? '';
  return /^\d{1,12}$/.test(seconds) ? Number(seconds) * 1_000 : null;
}

function accountsOf(users: readonly unknown[]): Map<string, string> {
  const accounts = new Map<string, string>();
  for (const item of users) {
    const user = userSchema.safeParse(item);
    if (user.success) accounts.set(user.data.id, user.data.username);
  }
  return accounts;
}

function postOf(item: unknown, accounts: ReadonlyMap<string, string>): Post[] {
  const parsed = postSchema.safeParse(item);
  if (!parsed.success) return [];
  const { id, text, created_at, author_id, entities } = parsed.data;
  return [
    {
      id,
      text,
      links: (entities?.urls ?? []).flatMap(({ expanded_url }) => expanded_url ?? []),
      account: (author_id === undefined ? undefined : accounts.get(author_id)) ?? null,
      at: created_at === undefined ? null : Date.parse(created_at),
    },
  ];
}
