import type { DetectionCoverage } from '../../common/diagnostics/model.ts';
import type { Observation } from '../market/observation.ts';
import type { Clock } from '../market/sources/source.ts';
import { percentile } from './percentile.ts';

/** One source as coverage sees it. */
export interface Watched {
  name: string;
  /** `stream`: it is told of every creation, so that one it did not tell of is missed. `made-up`: nobody else can know its tokens. */
  kind: 'stream' | 'poll' | 'made-up';
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
  judged: boolean;
}

type Missed = DetectionCoverage['missed'][number];

const MINUTE = 60_000;
const MINUTES = 60;
/** A token is looked up again when the slower sources had this long, ms. */
const GRACE = MINUTE;
/** Tokens remembered: at mainnet's 23 a minute an hour is 1,400. */
const MAX_SEEN = 20_000;
const MAX_MISSED = 100;
/** The launchpad that both streams tell all of. */
const COMPARABLE = 'pump.fun';

/** Who saw which token when, over the last hour: what coverage is counted from. */
export class Sightings {
  readonly #clock: Clock;
  readonly #watched: () => readonly Watched[];
  readonly #seen = new Map<string, Seen>();
  readonly #missed: Missed[] = [];
  readonly #missedBy = new Map<string, number>();
  /** By source: since when it has been live, and what it could not decode at each look. */
  readonly #health = new Map<string, { liveSince: number | null; decodeErrors: { at: number; count: number }[] }>();

  /** `watched`: the sources as they are now. */
  constructor(clock: Clock, watched: () => readonly Watched[]) {
    this.#clock = clock;
    this.#watched = watched;
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
    const seen = known ?? {
      address,
      symbol: null,
      comparable: false,
      createdAt: null,
      firstAt: receivedAt,
      by: new Map<string, Sighting>(),
      judged: false,
    };
    seen.symbol ??= symbol;
    seen.comparable ||= launchpad === COMPARABLE;
    if (createdAt !== null) seen.createdAt = Math.min(seen.createdAt ?? createdAt, createdAt);
    const before = seen.by.get(source);
    if (!before || (before.backfilled && !backfilled)) seen.by.set(source, { receivedAt, backfilled });
    if (known) return;
    this.#seen.set(address, seen);
    if (this.#seen.size <= MAX_SEEN) return;
    const [oldest] = this.#seen.keys();
    if (oldest !== undefined) this.#seen.delete(oldest);
  }

  /** To be called about once a second: notes who is live, judges what is old enough, forgets what is older than an hour. */
  tick(): void {
    const now = this.#clock.now();
    const watched = this.#watched();
    for (const source of watched) this.#note(source, now);
    for (const seen of this.#seen.values()) {
      if (now - seen.firstAt > MINUTES * MINUTE) this.#seen.delete(seen.address);
      else if (!seen.judged && now - seen.firstAt >= GRACE) this.#judge(seen, watched);
    }
  }

  #note({ name, live, decodeErrors }: Watched, now: number): void {
    const health = this.#health.get(name) ?? { liveSince: null, decodeErrors: [] };
    this.#health.set(name, health);
    health.liveSince = live ? (health.liveSince ?? now) : null;
    health.decodeErrors.push({ at: now, count: decodeErrors });
    // Two minutes: what is judged is a minute old, and both sides of it are compared.
    while ((health.decodeErrors[0]?.at ?? now) < now - 2 * GRACE) health.decodeErrors.shift();
  }

  #judge(seen: Seen, watched: readonly Watched[]): void {
    seen.judged = true;
    const streams = watched.filter(({ kind }) => kind === 'stream');
    const seenBy = streams.find(({ name }) => seen.by.get(name)?.backfilled === false);
    if (!seen.comparable || seenBy === undefined) return;
    for (const { name } of streams) {
      if (seen.by.has(name)) continue;
      this.#missedBy.set(name, (this.#missedBy.get(name) ?? 0) + 1);
      this.#missed.unshift({
        address: seen.address,
        symbol: seen.symbol,
        source: name,
        seenBy: seenBy.name,
        at: new Date(seen.firstAt).toISOString(),
        why: this.#whyMissed(name, seen.firstAt),
      });
    }
    this.#missed.length = Math.min(this.#missed.length, MAX_MISSED);
  }

  #whyMissed(source: string, at: number): string | null {
    const health = this.#health.get(source);
    if (health === undefined || health.liveSince === null || health.liveSince > at) return 'not connected at the time';
    const around = health.decodeErrors.filter((look) => Math.abs(look.at - at) <= GRACE / 2);
    const [first] = around;
    const last = around.at(-1);
    if (first && last && last.count > first.count) return 'something it sent then could not be decoded';
    return null;
  }

  coverage(): DetectionCoverage {
    const now = this.#clock.now();
    const watched = this.#watched();
    return {
      sources: watched.map(({ name }) => name),
      minutes: this.#minutes(now),
      bySource: watched.map((source) => this.#bySource(source)),
      missed: [...this.#missed],
    };
  }

  #minutes(now: number): DetectionCoverage['minutes'] {
    const last = Math.floor(now / MINUTE);
    const minutes = Array.from({ length: MINUTES }, (_, index) => ({
      at: new Date((last - MINUTES + 1 + index) * MINUTE).toISOString(),
      both: 0,
      only: {} as Record<string, number>,
      backfill: 0,
    }));
    for (const { firstAt, by } of this.#seen.values()) {
      const minute = minutes[Math.floor(firstAt / MINUTE) - last + MINUTES - 1];
      if (minute === undefined) continue;
      const live = [...by].filter(([, { backfilled }]) => !backfilled).map(([name]) => name);
      const [only] = live;
      if (only === undefined) minute.backfill += 1;
      else if (live.length > 1) minute.both += 1;
      else minute.only[only] = (minute.only[only] ?? 0) + 1;
    }
    return minutes;
  }

  #bySource({ name, slotsMissed, decodeErrors }: Watched): DetectionCoverage['bySource'][number] {
    let seen = 0;
    let backfilled = 0;
    const latencies: number[] = [];
    for (const entry of this.#seen.values()) {
      const sighting = entry.by.get(name);
      if (!sighting) continue;
      if (sighting.backfilled) {
        backfilled += 1;
        continue;
      }
      seen += 1;
      const begin = entry.createdAt ?? (entry.by.size > 1 ? entry.firstAt : null);
      if (begin !== null) latencies.push(Math.max(0, sighting.receivedAt - begin));
    }
    latencies.sort((one, other) => one - other);
    return {
      source: name,
      seen,
      missed: this.#missedBy.get(name) ?? 0,
      backfilled,
      latencyP50: percentile(latencies, 50),
      latencyP99: percentile(latencies, 99),
      slotsMissed,
      decodeErrors,
    };
  }
}

/** That there is a token. */
interface News {
  address: string;
  symbol: string | null;
  launchpad: string | null;
  receivedAt: number;
  /** Null when the source does not know when it was created. */
  createdAt: number | null;
}

/** Null for what is about tokens that are known already. */
function newsOf(observation: Observation): News | null {
  switch (observation.kind) {
    case 'created': {
      const { address, symbol, launchpad, receivedAt, at } = observation;
      // A stream without times of its own says the time of receiving.
      return { address, symbol, launchpad, receivedAt, createdAt: at < receivedAt ? at : null };
    }
    case 'listed': {
      const { address, mayBegin, receivedAt, listing } = observation;
      const { symbol = null, launchpad = null, createdAt = null } = listing;
      return mayBegin ? { address, symbol, launchpad, receivedAt, createdAt } : null;
    }
    case 'trade':
    case 'completed':
    case 'migrated':
    case 'facts':
    case 'rate':
    case 'symbols':
      return null;
  }
}
