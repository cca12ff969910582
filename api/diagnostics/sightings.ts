import type { DetectionCoverage } from '../../common/diagnostics/model.ts';
import type { Clock } from '../../common/time.ts';
import type { Observation } from '../market/sources/observation.ts';
import { type News, newsOf } from './news.ts';
import { percentile } from './percentile.ts';

/** One source as coverage sees it. */
export interface Watched {
  name: string;
  /** `stream`: it is told of every creation, so that one it did not tell of is missed. `made-up`: nobody else can know its tokens. */
  kind: 'stream' | 'poll' | 'made-up';
  /** Where the tokens live that it hears of: those of one cluster say nothing of a source that hears another. */
  cluster: string;
  /** Receives events now. */
  live: boolean;
  slotsMissed: number | null;
  decodeErrors: number;
}

interface Sighting {
  receivedAt: number;
  backfilled: boolean;
}

interface Seen {
  address: string;
  symbol: string | null;
  /** A source that hears all of this launchpad could have heard it. */
  comparable: boolean;
  /** When it was created, as told by the chain; null while nobody said. */
  createdAt: number | null;
  firstAt: number;
  by: Map<string, Sighting>;
  /** When it is to be looked at who missed it; null: not until another source tells of it. */
  judgeAt: number | null;
  /** Those it was held against. */
  missedBy: readonly string[];
}

/** How a source was at one look. */
interface Look {
  at: number;
  live: boolean;
  decodeErrors: number;
}

type Missed = DetectionCoverage['missed'][number];
type Minutes = DetectionCoverage['minutes'];

const MINUTE = 60_000;
const MINUTES = 60;
const HOUR = MINUTES * MINUTE;
/** A token is looked up again when the slower sources had this long, ms. */
const GRACE = MINUTE;
/** Tokens remembered: at mainnet's 23 a minute an hour is 1,400. */
const MAX_SEEN = 20_000;
const MAX_MISSED = 100;
/** Tokens judged at one look: after a flood the others wait for the next one, so that nobody waits for them. */
const MAX_JUDGED = 2_000;
/** The launchpad that both streams tell all of. */
const COMPARABLE = 'pump.fun';

/** Who saw which token when, over the last hour: what coverage is counted from. */
export class Sightings {
  readonly #clock: Clock;
  readonly #watched: () => readonly Watched[];
  readonly #begunAt: number;
  readonly #seen = new Map<string, Seen>();
  /** Goes on where it was: a new one would have to skip all places that were left empty before. */
  readonly #oldestFirst = this.#seen.keys();
  #missed: Missed[] = [];
  readonly #missedBy = new Map<string, number>();
  /** By source, of the last two minutes: what is judged is a minute old, and both sides of it are compared. */
  readonly #looks = new Map<string, Look[]>();

  /** `watched`: the sources as they are now. */
  constructor(clock: Clock, watched: () => readonly Watched[]) {
    this.#clock = clock;
    this.#watched = watched;
    this.#begunAt = clock.now();
  }

  /** Takes in what a source told. `backfilled`: it found it by reading what had been missed. */
  observed(source: string, observations: readonly Observation[], backfilled: boolean): void {
    for (const observation of observations) {
      const news = newsOf(observation);
      if (news !== null) this.#add(source, news, backfilled);
    }
  }

  #add(source: string, { address, receivedAt, symbol, launchpad, createdAt }: News, backfilled: boolean): void {
    const known = this.#seen.get(address);
    // Old tokens that a service lists or a history tells of: nobody detects them now.
    if (!known && createdAt !== null && receivedAt - createdAt > HOUR) return;
    const seen: Seen = known ?? {
      address,
      symbol: null,
      comparable: false,
      createdAt: null,
      firstAt: receivedAt,
      by: new Map(),
      judgeAt: receivedAt + GRACE,
      missedBy: [],
    };
    seen.symbol ??= symbol;
    seen.comparable ||= launchpad === COMPARABLE;
    seen.firstAt = Math.min(seen.firstAt, receivedAt);
    if (createdAt !== null) seen.createdAt = Math.min(seen.createdAt ?? createdAt, createdAt);
    const before = seen.by.get(source);
    if (!before || (before.backfilled && !backfilled)) {
      seen.by.set(source, { receivedAt, backfilled });
      seen.judgeAt ??= receivedAt + GRACE;
    }
    if (seen.missedBy.includes(source)) this.#takeBack(source, seen);
    if (known) return;
    this.#seen.set(address, seen);
    if (this.#seen.size <= MAX_SEEN) return;
    const { value: oldest } = this.#oldestFirst.next();
    if (oldest !== undefined) this.#seen.delete(oldest);
  }

  /** It was late, or read afterwards: not missed after all. */
  #takeBack(source: string, seen: Seen): void {
    seen.missedBy = seen.missedBy.filter((name) => name !== source);
    this.#missedBy.set(source, Math.max(0, (this.#missedBy.get(source) ?? 0) - 1));
    this.#missed = this.#missed.filter((one) => one.source !== source || one.address !== seen.address);
  }

  /** To be called about once a second: notes who is live, judges what is old enough, forgets what is older than an hour. */
  tick(): void {
    const now = this.#clock.now();
    const watched = this.#watched();
    for (const source of watched) this.#look(source, now);
    let judged = 0;
    for (const seen of this.#seen.values()) {
      if (now - seen.firstAt > HOUR) this.#seen.delete(seen.address);
      else if (seen.judgeAt !== null && now >= seen.judgeAt && judged < MAX_JUDGED) {
        judged += 1;
        this.#judge(seen, watched, now);
      }
    }
  }

  #look({ name, live, decodeErrors }: Watched, now: number): void {
    const looks = this.#looks.get(name) ?? [];
    this.#looks.set(name, looks);
    looks.push({ at: now, live, decodeErrors });
    while ((looks[0]?.at ?? now) < now - 2 * GRACE) looks.shift();
  }

  #judge(seen: Seen, watched: readonly Watched[], now: number): void {
    seen.judgeAt = null;
    if (!seen.comparable) return;
    const streams = watched.filter(({ kind }) => kind === 'stream');
    const first = firstToTell(seen, streams);
    if (first === null) return;
    if (now - first.receivedAt < GRACE) {
      // A poll knew it before the streams did.
      seen.judgeAt = first.receivedAt + GRACE;
      return;
    }
    for (const { name, cluster } of streams) {
      if (cluster !== first.by.cluster || seen.by.has(name) || seen.missedBy.includes(name)) continue;
      seen.missedBy = [...seen.missedBy, name];
      this.#missedBy.set(name, (this.#missedBy.get(name) ?? 0) + 1);
      this.#missed.unshift({
        address: seen.address,
        symbol: seen.symbol,
        source: name,
        seenBy: first.by.name,
        at: new Date(first.receivedAt).toISOString(),
        why: this.#whyMissed(name, first.receivedAt),
      });
    }
    this.#missed.length = Math.min(this.#missed.length, MAX_MISSED);
  }

  #whyMissed(source: string, at: number): string | null {
    const looks = this.#looks.get(source) ?? [];
    const before = looks.findLast((look) => look.at <= at);
    const after = looks.find((look) => look.at >= at);
    if (!before?.live || !after?.live) return 'not connected at the time';
    const first = looks.find((look) => look.at >= at - GRACE / 2);
    const last = looks.findLast((look) => look.at <= at + GRACE / 2);
    if (first && last && last.decodeErrors > first.decodeErrors) return 'something it sent then could not be decoded';
    return null;
  }

  /** In one pass over all that was seen: it is asked for every second while somebody looks on. */
  coverage(): DetectionCoverage {
    const watched = this.#watched();
    const sums = new Map(watched.map(({ name }) => [name, { seen: 0, backfilled: 0, latencies: [] as number[] }]));
    const firstMinute = Math.floor(this.#clock.now() / MINUTE) - MINUTES + 1;
    const minutes = emptyMinutes(firstMinute);
    for (const seen of this.#seen.values()) {
      countMinute(minutes, firstMinute, seen);
      const begin = this.#beginOf(seen);
      for (const [name, { receivedAt, backfilled }] of seen.by) {
        const sum = sums.get(name);
        if (!sum) continue;
        sum[backfilled ? 'backfilled' : 'seen'] += 1;
        // Times on chain have a resolution of a second, and clocks differ: nothing is heard before it happens.
        if (begin !== null && !backfilled) sum.latencies.push(Math.max(0, receivedAt - begin));
      }
    }
    return {
      sources: watched.map(({ name }) => name),
      minutes,
      bySource: watched.map(({ name, slotsMissed, decodeErrors }) => {
        const { seen = 0, backfilled = 0, latencies = [] } = sums.get(name) ?? {};
        // Sorted as numbers by themselves, many times quicker than by a comparing function.
        const sorted = Float64Array.from(latencies).sort();
        return {
          source: name,
          seen,
          missed: this.#missedBy.get(name) ?? 0,
          backfilled,
          latencyP50: percentile(sorted, 50),
          latencyP99: percentile(sorted, 99),
          slotsMissed,
          decodeErrors,
        };
      }),
      missed: [...this.#missed],
    };
  }

  /** What latency counts from; null without anything to compare with, or when nobody here could have heard it then. */
  #beginOf({ createdAt, by, firstAt }: Seen): number | null {
    if (createdAt !== null) return createdAt < this.#begunAt ? null : createdAt;
    return by.size > 1 ? firstAt : null;
  }
}

/** The first stream that told of it as it happened. */
function firstToTell(seen: Seen, streams: readonly Watched[]): { by: Watched; receivedAt: number } | null {
  let first: { by: Watched; receivedAt: number } | null = null;
  for (const by of streams) {
    const sighting = seen.by.get(by.name);
    if (!sighting || sighting.backfilled) continue;
    if (first === null || sighting.receivedAt < first.receivedAt) first = { by, receivedAt: sighting.receivedAt };
  }
  return first;
}

function emptyMinutes(first: number): Minutes {
  return Array.from({ length: MINUTES }, (_, index) => ({
    at: new Date((first + index) * MINUTE).toISOString(),
    both: 0,
    only: {},
    backfill: 0,
  }));
}

/** By when it was created, so that what is read after a gap fills the gap. */
function countMinute(minutes: Minutes, first: number, { createdAt, firstAt, by }: Seen): void {
  const minute = minutes[Math.floor(Math.min(createdAt ?? firstAt, firstAt) / MINUTE) - first];
  if (minute === undefined) return;
  let live = 0;
  let one = '';
  for (const [name, { backfilled }] of by) {
    if (backfilled) continue;
    live += 1;
    one = name;
  }
  if (live === 0) minute.backfill += 1;
  else if (live > 1) minute.both += 1;
  else minute.only[one] = (minute.only[one] ?? 0) + 1;
}
