import { z } from 'zod';
import { readText } from '../market/sources/polled/response.ts';
import { createTimeLimit } from '../platform/resilience.ts';

/** X API v2. */
export const X_API_ROOT = 'https://api.x.com';

export interface Post {
  id: string;
  text: string;
  /** Targets of the post's shortened links. */
  links: string[];
  /** Handle without the @; null when unknown. */
  account: string | null;
  /** Epoch ms; null when unknown. */
  at: number | null;
}

export interface SearchPage {
  kind: 'page';
  posts: Post[];
  /** Skipped posts of the wrong shape. */
  malformed: number;
  nextToken: string | null;
  /** End of the window without calls left, epoch ms; null while calls are left. */
  spentUntil: number | null;
}

/** Reason for a missing page. */
export type SearchFailure =
  /** Rate limit; `until`: start of the next window, epoch ms, null when unknown. */
  | { kind: 'limited'; until: number | null }
  /** The plan's posts of the month are used up. */
  | { kind: 'capped' }
  /** The token is not valid for this request. */
  | { kind: 'refused'; status: number }
  /** Rejected query, e.g. a `sinceId` older than the searched seven days. */
  | { kind: 'invalid' }
  /** No response, an unreadable one, or a failure of X. The reason never contains the token. */
  | { kind: 'failed'; reason: string };

export interface SearchQuery {
  query: string;
  /** Only posts after this one. */
  sinceId: string | null;
  nextToken: string | null;
  /** 10–100. */
  limit: number;
}

/** A response of 100 posts has about 100 kB. */
const maxResponseBytes = 4 * 1_024 * 1_024;

const digits = z.string().regex(/^\d{1,20}$/);
const responseSchema = z.object({
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
/** Some handles predate the limit of 15 characters. */
const userSchema = z.object({ id: digits, username: z.string().regex(/^\w{1,50}$/) });
const problemSchema = z.object({ type: z.string() });

/** Fetches recent posts from X. Never throws. */
export async function searchRecent(
  search: SearchQuery,
  options: {
    root: string;
    token: string;
    /** Timeout of the request, ms. */
    timeoutMs: number;
    signal: AbortSignal;
  },
): Promise<SearchPage | SearchFailure> {
  const { signal, clear } = createTimeLimit(options.timeoutMs, options.signal);
  try {
    const response = await fetch(urlOf(search, options.root), {
      headers: { authorization: `Bearer ${options.token}` },
      // A redirect would send the token to another host.
      redirect: 'error',
      signal,
    });
    return readResponse(response.status, response.headers, parseJson(await readText(response, maxResponseBytes)));
  } catch {
    // The error may quote the request with its token; its kind is enough.
    return { kind: 'failed', reason: signal.aborted ? 'X did not respond in time.' : 'X could not be reached.' };
  } finally {
    clear();
  }
}

function urlOf({ query, sinceId, nextToken, limit }: SearchQuery, root: string): URL {
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The page of a gateway; the status decides.
    return null;
  }
}

/** Interprets a response. Never throws. */
export function readResponse(status: number, headers: Headers, body: unknown): SearchPage | SearchFailure {
  if (status === 429) {
    const problem = problemSchema.safeParse(body);
    if (problem.data?.type.endsWith('/usage-capped')) return { kind: 'capped' };
    return { kind: 'limited', until: resetAt(headers) };
  }
  if (status === 401 || status === 403) return { kind: 'refused', status };
  if (status === 400) return { kind: 'invalid' };
  if (status !== 200) return { kind: 'failed', reason: `X responded with status ${status}.` };
  const parsed = responseSchema.safeParse(body);
  if (!parsed.success) return { kind: 'failed', reason: 'The response of X has an unknown format.' };
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
