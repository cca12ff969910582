import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { SystemStatus } from '../../common/admin/model.ts';
import type { Clock } from '../../common/time.ts';
import { isoOrNull } from '../platform/iso.ts';
import { backoff, pause } from '../platform/resilience.ts';
import { mintAddresses } from './addresses.ts';
import { type Mention, type MentionCount, Mentions } from './mentions.ts';
import { type Post, type SearchAnswer, type SearchTrouble, searchRecent, X_API_ROOT } from './search.ts';

export interface SocialScannerOptions {
  /** App-only bearer token; null: the scanner is off and says so. Never logged. */
  token: string | null;
  /** Handles without the @, at most 20: the query has a limit. */
  accounts: readonly string[];
  apiRoot?: string;
  clock: Clock;
  random: () => number;
  log: Logger;
  /** Posts that are paid for in a day at most. */
  maxPostsPerDay?: number;
  times?: Partial<SocialScannerTimes>;
}

export interface SocialScannerTimes {
  /** Between two scans, ms. With at most five pages a scan that is 75 calls in 15 minutes, where X allows 450. */
  intervalMs: number;
  timeoutMs: number;
  /** Longest pause after failures, ms. */
  retryMaxMs: number;
  /** Until a refused token is tried again, ms: the app may have been enrolled meanwhile. */
  refusedMs: number;
}

const defaultTimes: SocialScannerTimes = {
  intervalMs: 60_000,
  timeoutMs: 10_000,
  retryMaxMs: 15 * 60_000,
  refusedMs: 3_600_000,
};

/** Posts a page holds, and pages of one scan: every post read costs money. */
const PAGE_POSTS = 100;
const MAX_PAGES = 5;
/** The first scan only finds out where "new" begins. */
const FIRST_POSTS = 10;
/** Posts remembered, so that one that is read twice counts once. */
const RECENT_POSTS = 5_000;
/** Mentions that are listed. */
const LISTED_MENTIONS = 20;
/** A timer cannot wait for longer than about 24 days. */
const LONGEST_PAUSE = 24 * 3_600_000;
const WINDOW = 15 * 60_000;
const DAY = 24 * 3_600_000;
/** However far away X says that the next window is, ms: a wrong header must not silence the scanner. */
const LONGEST_LIMIT = 2 * WINDOW;
/** A post costs half a cent: ten dollars a day, where five usual accounts write for one. */
const MAX_POSTS_PER_DAY = 2_000;

export const NO_TOKEN = 'Off: X_BEARER_TOKEN is not set.';

/** Reads what a few accounts post on X, and notes which addresses they name. */
export interface SocialScanner {
  start(): void;
  /** Ends at once, also a call under way. */
  stop(): Promise<void>;
  /** For System Status. Posts, and posts that named a mint address, are counted since the start. */
  state(): SystemStatus['social'];
  /** Posts of another shape since the start: they were left out. */
  malformed(): number;
  /** Mentions of the last day, newest first, at most 20. */
  newest(): Mention[];
  /** How often an address was named in the last day; null when it was not. */
  mentionsOf(address: string): MentionCount | null;
}

export function createSocialScanner(options: SocialScannerOptions): SocialScanner {
  const { token, clock } = options;
  const log = options.log.child({ part: 'social' });
  const stopping = new AbortController();
  const seen = new Seen();
  let ended: Promise<void> = Promise.resolve();
  let lastScanAt: number | null = null;
  let trouble: string | null = token === null ? NO_TOKEN : 'The first scan has not ended yet.';

  async function run(scan: () => Promise<Outcome>): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const outcome = await scan();
      if (stopping.signal.aborted) return;
      failures = outcome.kind === 'failed' ? failures + 1 : 0;
      if (outcome.reason === null) lastScanAt = clock.now();
      if (outcome.reason !== trouble && outcome.reason !== null) log.warn({ reason: outcome.reason }, 'X scan failed');
      trouble = outcome.reason;
      await waitFor(pauseAfter(outcome, failures, options), stopping.signal);
    }
  }

  return {
    start() {
      if (token === null) return log.info(NO_TOKEN);
      ended = run(createScan({ ...options, token }, seen, stopping.signal));
    },
    async stop() {
      stopping.abort();
      await ended;
    },
    state: () => ({
      state: token === null ? 'off' : trouble === null ? 'live' : 'down',
      reason: trouble,
      accounts: [...options.accounts],
      lastScanAt: isoOrNull(lastScanAt),
      posts: seen.posts,
      mentions: seen.named,
    }),
    malformed: () => seen.malformed,
    newest: () => seen.mentions.newest(LISTED_MENTIONS, clock.now()),
    mentionsOf: (address) => seen.mentions.of(address, clock.now()),
  };
}

/** How a scan ended. `reason` is null after a good one; `until` is when the next may be, epoch ms. */
type Outcome =
  | { kind: 'done' | 'waits'; reason: string | null; until: number | null }
  | { kind: 'failed' | 'refused'; reason: string };

function pauseAfter(outcome: Outcome, failures: number, { clock, random, times }: SocialScannerOptions): number {
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

/** Waits by passing time: the time of day may be set back. */
async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  for (let left = ms; left > 0 && !signal.aborted; left -= LONGEST_PAUSE) {
    await pause(Math.min(LONGEST_PAUSE, left), signal);
  }
}

/** Scans one after the other, each beginning where the one before ended. */
function createScan(
  options: SocialScannerOptions & { token: string },
  seen: Seen,
  signal: AbortSignal,
): () => Promise<Outcome> {
  const { clock, token, apiRoot = X_API_ROOT, log } = options;
  const { timeoutMs } = { ...defaultTimes, ...options.times };
  const query = socialQuery(options.accounts);
  const allowance = createAllowance(options.maxPostsPerDay ?? MAX_POSTS_PER_DAY, clock);
  let sinceId: string | null = null;

  function ask(nextToken: string | null): Promise<SearchAnswer> {
    const limit = sinceId === null ? FIRST_POSTS : PAGE_POSTS;
    return searchRecent({ query, sinceId, nextToken, limit }, { root: apiRoot, token, timeoutMs, signal });
  }

  function troubled(answer: SearchTrouble): Outcome {
    // Ids of more than seven days ago are refused: the next scan begins anew.
    if (answer.kind === 'invalid') sinceId = null;
    // Otherwise `sinceId` stays where it was, so that the pages behind this one are not lost.
    return troubleOf(answer, clock.now());
  }

  return async () => {
    const spent = allowance.spent();
    if (spent !== null) return spent;
    let newestId = sinceId;
    let nextToken: string | null = null;
    for (let pages = 1; ; pages += 1) {
      const answer = await ask(nextToken);
      if (answer.kind !== 'page') return troubled(answer);
      seen.take(answer, clock.now());
      allowance.take(answer.posts.length + answer.malformed);
      newestId = newestOf(newestId, answer.posts);
      nextToken = sinceId === null ? null : answer.nextToken;
      const used = allowance.spent();
      if (nextToken === null || pages === MAX_PAGES || used !== null) {
        if (nextToken !== null) log.warn({ pages }, 'more posts than one scan reads: the oldest are left out');
        sinceId = newestId;
        return used ?? { kind: 'done', reason: null, until: notTooFar(answer.spentUntil, clock.now()) };
      }
    }
  };
}

function troubleOf(answer: SearchTrouble, now: number): Outcome {
  switch (answer.kind) {
    case 'limited': {
      const until = notTooFar(answer.until, now) ?? now + WINDOW;
      return { kind: 'waits', reason: `X allows no more calls until ${new Date(until).toISOString()}.`, until };
    }
    case 'capped': {
      const until = nextMonth(now);
      const day = new Date(until).toISOString().slice(0, 10);
      return { kind: 'waits', reason: `The posts that X sells in a month are used up; goes on at ${day}.`, until };
    }
    case 'refused':
      return { kind: 'refused', reason: `X refuses X_BEARER_TOKEN (${answer.status}).` };
    case 'invalid':
      return { kind: 'failed', reason: 'X did not accept the question; the next scan begins anew.' };
    case 'failed':
      return { kind: 'failed', reason: answer.reason };
  }
}

function notTooFar(until: number | null, now: number): number | null {
  return until === null ? null : Math.min(until, now + LONGEST_LIMIT);
}

/** Counts the posts that are paid for, as an account may write any number of them. A day begins with its first post. */
function createAllowance(limit: number, clock: Clock) {
  let until = Number.NEGATIVE_INFINITY;
  let used = 0;
  return {
    take(posts: number): void {
      if (clock.now() >= until) used = 0;
      if (used === 0) until = clock.now() + DAY;
      used += posts;
    },
    /** What is said while nothing is left; null while there is something. */
    spent(): Outcome | null {
      if (used < limit || clock.now() >= until) return null;
      const end = new Date(until).toISOString();
      const reason = `The ${limit} posts that are read in a day at most are used up; goes on at ${end}.`;
      return { kind: 'waits', reason, until };
    },
  };
}

function nextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** The query of recent search: at most 512 characters, which 20 accounts fit into. */
export function socialQuery(accounts: readonly string[]): string {
  return `(${accounts.map((account) => `from:${account}`).join(' OR ')}) -is:retweet`;
}

function newestOf(newest: string | null, posts: readonly Post[]): string | null {
  let found = newest;
  // Ids are 64 bits long: as numbers they would be rounded.
  for (const { id } of posts) if (found === null || BigInt(id) > BigInt(found)) found = id;
  return found;
}

/** What was read so far. */
class Seen {
  readonly mentions = new Mentions();
  readonly #ids = new LRUCache<string, true>({ max: RECENT_POSTS });
  posts = 0;
  /** Posts that named an address. */
  named = 0;
  malformed = 0;

  take({ posts, malformed }: { posts: readonly Post[]; malformed: number }, now: number): void {
    this.malformed += malformed;
    // Answers begin with the newest post.
    for (const post of posts.toReversed()) {
      if (this.#ids.has(post.id)) continue;
      this.#ids.set(post.id, true);
      this.#takePost(post, now);
    }
  }

  #takePost(post: Post, now: number): void {
    this.posts += 1;
    const addresses = mintAddresses(post.text, post.links);
    if (addresses.length > 0) this.named += 1;
    const at = Math.min(post.at ?? now, now);
    for (const address of addresses) this.mentions.add({ address, account: post.account, postId: post.id, at });
  }
}
