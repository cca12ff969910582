import type { Logger } from 'pino';
import type { SystemStatus } from '../../common/admin/model.ts';
import { type Clock, DAY, isoOrNull } from '../../common/time.ts';
import { monthEnd } from '../market/sources/polled/allowance.ts';
import { createGrowingCache } from '../platform/growing-cache.ts';
import { backoff, pause } from '../platform/resilience.ts';
import { createMentions, type Mention, type MentionCount, mintAddresses } from './mentions.ts';
import { type Post, type SearchFailure, type SearchPage, searchRecent, X_API_ROOT } from './search.ts';

export interface SocialScannerOptions {
  /** App-only bearer token; null: the scanner is off. Never logged. */
  token: string | null;
  /** Handles without the @, at most 20 because of the query's length limit. */
  accounts: readonly string[];
  apiRoot?: string;
  clock: Clock;
  random: () => number;
  log: Logger;
  /** Most posts read in a day: each one costs money. */
  maxPostsPerDay?: number;
  times?: Partial<typeof defaultTimes>;
}

const defaultTimes = {
  /** Between two scans, ms. With at most five pages a scan, 75 calls in 15 minutes, of X's 450. */
  intervalMs: 60_000,
  timeoutMs: 10_000,
  /** Longest delay after failures, ms. */
  retryMaxMs: 15 * 60_000,
  /** Delay after a refused token, ms: the app may be enrolled meanwhile. */
  refusedMs: 3_600_000,
};

/** Posts of a page, and most pages of a scan: each post costs money. */
const PAGE_POSTS = 100;
const MAX_PAGES = 5;
/** Posts of the first scan, which only finds the newest post. */
const FIRST_POSTS = 10;
/** Recent posts kept for deduplication. */
const RECENT_POSTS = 5_000;
/** Most mentions in the list. */
const LISTED_MENTIONS = 20;
/** Longest timer, ms: Node's limit is about 24 days. */
const LONGEST_PAUSE = 24 * 3_600_000;
const WINDOW = 15 * 60_000;
/** Longest wait for X's next window, ms: a wrong header must not silence the scanner. */
const LONGEST_LIMIT = 2 * WINDOW;
/** Ten dollars a day at half a cent a post; five typical accounts cost one dollar. */
const MAX_POSTS_PER_DAY = 2_000;

const NO_TOKEN = 'Off: X_BEARER_TOKEN is not set.';

/** Reads the posts of a few accounts on X and records the addresses in them. */
export type SocialScanner = ReturnType<typeof createSocialScanner>;

export function createSocialScanner(options: SocialScannerOptions) {
  const { token, clock } = options;
  const log = options.log.child({ part: 'social' });
  const stopping = new AbortController();
  const posts = createPostLog();
  let ended: Promise<void> = Promise.resolve();
  let lastScanAt: number | null = null;
  let reason: string | null = token === null ? NO_TOKEN : 'The first scan has not finished yet.';

  async function run(scan: () => Promise<Outcome>): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const outcome = await scan();
      if (stopping.signal.aborted) return;
      failures = outcome.kind === 'failed' ? failures + 1 : 0;
      if (outcome.reason === null) lastScanAt = clock.now();
      if (outcome.reason !== reason && outcome.reason !== null) log.warn({ reason: outcome.reason }, 'x scan failed');
      reason = outcome.reason;
      await waitFor(delayAfter(outcome, failures, options), stopping.signal);
    }
  }

  return {
    start(): void {
      if (token === null) log.info(NO_TOKEN);
      else ended = run(createScan({ ...options, token }, posts, stopping.signal));
    },
    /** Aborts at once, a request included. */
    async stop(): Promise<void> {
      stopping.abort();
      await ended;
    },
    /** Returns the state for System Status. Posts, and posts with an address, are counted since the start. */
    state: (): SystemStatus['social'] => ({
      state: token === null ? 'off' : reason === null ? 'live' : 'down',
      reason,
      accounts: [...options.accounts],
      lastScanAt: isoOrNull(lastScanAt),
      ...posts.counts(),
    }),
    /** Returns the number of skipped posts of the wrong shape since the start. */
    malformed: (): number => posts.malformed(),
    /** Returns the mentions of the last day, newest first, at most 20. */
    newest: (): Mention[] => posts.mentions.newest(LISTED_MENTIONS, clock.now()),
    /** Returns the mentions of an address in the last day; null without any. */
    mentionsOf: (address: string): MentionCount | null => posts.mentions.of(address, clock.now()),
  };
}

/** Outcome of a scan. `reason` is null after a success; `until`: earliest next scan, epoch ms. */
type Outcome =
  | { kind: 'done' | 'waits'; reason: string | null; until: number | null }
  | { kind: 'failed' | 'refused'; reason: string };

function delayAfter(outcome: Outcome, failures: number, { clock, random, times }: SocialScannerOptions): number {
  const { intervalMs, retryMaxMs, refusedMs } = { ...defaultTimes, ...times };
  switch (outcome.kind) {
    case 'done':
    case 'waits':
      return Math.max(intervalMs, (outcome.until ?? 0) - clock.now());
    case 'failed':
      return backoff(failures, { base: intervalMs, max: retryMaxMs, random });
    case 'refused':
      return refusedMs;
  }
}

/** Waits by monotonic time: the time of day may be set back. */
async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  for (let left = ms; left > 0 && !signal.aborted; left -= LONGEST_PAUSE) {
    await pause(Math.min(LONGEST_PAUSE, left), signal);
  }
}

/** Creates a scan; each run continues after the previous one. */
function createScan(
  options: SocialScannerOptions & { token: string },
  posts: PostLog,
  signal: AbortSignal,
): () => Promise<Outcome> {
  const { clock, token, apiRoot = X_API_ROOT } = options;
  const { timeoutMs } = { ...defaultTimes, ...options.times };
  const query = socialQuery(options.accounts);
  const budget = createDailyBudget(options.maxPostsPerDay ?? MAX_POSTS_PER_DAY, clock);
  let sinceId: string | null = null;

  function search(nextToken: string | null): Promise<SearchPage | SearchFailure> {
    const limit = sinceId === null ? FIRST_POSTS : PAGE_POSTS;
    return searchRecent({ query, sinceId, nextToken, limit }, { root: apiRoot, token, timeoutMs, signal });
  }

  function failed(failure: SearchFailure): Outcome {
    // X rejects ids older than seven days: the next scan starts over.
    if (failure.kind === 'invalid') sinceId = null;
    // Otherwise `sinceId` stays, so that the remaining pages are not lost.
    return outcomeOf(failure, clock.now());
  }

  return async () => {
    const spent = budget.spent();
    if (spent !== null) return spent;
    let newestId = sinceId;
    let nextToken: string | null = null;
    for (let pages = 1; ; pages += 1) {
      const page = await search(nextToken);
      if (page.kind !== 'page') return failed(page);
      posts.add(page, clock.now());
      budget.take(page.posts.length + page.malformed);
      newestId = newestOf(newestId, page.posts);
      nextToken = sinceId === null ? null : page.nextToken;
      const used = budget.spent();
      if (nextToken === null || pages === MAX_PAGES || used !== null) {
        if (nextToken !== null) options.log.warn({ pages }, 'x scan truncated, oldest posts skipped');
        sinceId = newestId;
        return used ?? { kind: 'done', reason: null, until: bounded(page.spentUntil, clock.now()) };
      }
    }
  };
}

function outcomeOf(failure: SearchFailure, now: number): Outcome {
  switch (failure.kind) {
    case 'limited': {
      const until = bounded(failure.until, now) ?? now + WINDOW;
      return { kind: 'waits', reason: `The rate limit of X is used up until ${new Date(until).toISOString()}.`, until };
    }
    case 'capped': {
      const until = monthEnd(now);
      const day = new Date(until).toISOString().slice(0, 10);
      return {
        kind: 'waits',
        reason: `The monthly posts of the X plan are used up. Reading resumes on ${day}.`,
        until,
      };
    }
    case 'refused':
      return { kind: 'refused', reason: `X rejects X_BEARER_TOKEN (${failure.status}).` };
    case 'invalid':
      return { kind: 'failed', reason: 'X rejected the query. The next scan starts over.' };
    case 'failed':
      return { kind: 'failed', reason: failure.reason };
  }
}

function bounded(until: number | null, now: number): number | null {
  return until === null ? null : Math.min(until, now + LONGEST_LIMIT);
}

/** Bounds the paid posts of a day, which begins with its first post. */
function createDailyBudget(limit: number, clock: Clock) {
  let until = Number.NEGATIVE_INFINITY;
  let used = 0;
  return {
    take(posts: number): void {
      if (clock.now() >= until) used = 0;
      if (used === 0) until = clock.now() + DAY;
      used += posts;
    },
    /** Returns the outcome while the budget is used up; otherwise null. */
    spent(): Outcome | null {
      if (used < limit || clock.now() >= until) return null;
      const end = new Date(until).toISOString();
      const reason = `The daily limit of ${limit} posts is reached. Reading resumes at ${end}.`;
      return { kind: 'waits', reason, until };
    },
  };
}

/** Returns the query of recent search: at most 512 characters, enough for 20 accounts. */
export function socialQuery(accounts: readonly string[]): string {
  return `(${accounts.map((account) => `from:${account}`).join(' OR ')}) -is:retweet`;
}

function newestOf(newest: string | null, posts: readonly Post[]): string | null {
  let found = newest;
  // Ids have 64 bits and would be rounded as numbers.
  for (const { id } of posts) if (found === null || BigInt(id) > BigInt(found)) found = id;
  return found;
}

/** Posts and mentions since the start. */
type PostLog = ReturnType<typeof createPostLog>;

function createPostLog() {
  const mentions = createMentions();
  const recentIds = createGrowingCache<true>(RECENT_POSTS);
  const counts = { posts: 0, mentions: 0 };
  let malformed = 0;
  return {
    mentions,
    /** Adds a page, newest post first; skips posts that are already known. */
    add(page: Pick<SearchPage, 'posts' | 'malformed'>, now: number): void {
      malformed += page.malformed;
      for (const { id, text, links, account, at } of page.posts.toReversed()) {
        if (recentIds.has(id)) continue;
        recentIds.set(id, true);
        const addresses = mintAddresses(text, links);
        counts.posts += 1;
        if (addresses.length > 0) counts.mentions += 1;
        for (const address of addresses) mentions.add({ address, account, postId: id, at: Math.min(at ?? now, now) });
      }
    },
    /** Returns the number of posts, and of posts with an address. */
    counts: (): { posts: number; mentions: number } => ({ ...counts }),
    malformed: (): number => malformed,
  };
}
