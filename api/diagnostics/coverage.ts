import type { DetectionCoverage } from '../../common/diagnostics/model.ts';
import { type Clock, HOUR } from '../../common/time.ts';
import { isNew } from '../../common/tokens/lists.ts';
import { symbolIsMissing } from '../../common/tokens/names.ts';
import { sanitizeListing } from '../market/ingest/sanitize-listing.ts';
import type { Observation } from '../market/sources/observation.ts';
import { minutesOf, sourceFigures } from './coverage-figures.ts';
import { createHourlyLosses } from './hourly-losses.ts';
import { createMissedDetections, GRACE } from './missed-detections.ts';
import type { MonitoredSource, SightedToken } from './sightings.ts';

/** Limit of tokens in memory: at mainnet's 23 a minute an hour has 1,400. */
const MAX_TOKENS = 20_000;
/** Tokens checked in one tick: after a flood the rest waits for the next tick, so that the event loop stays free. */
const MAX_CHECKED = 2_000;
/** The launchpad whose tokens every stream reports in full. */
const COMPARABLE = 'pump.fun';

/** Records which source reported which new token and what it lost, over the last hour. */
export type Coverage = ReturnType<typeof createCoverage>;

/** `sources` returns the current state of the sources. */
export function createCoverage(clock: Clock, sources: () => readonly MonitoredSource[]) {
  const startedAt = clock.now();
  const tokens = new Map<string, SightedToken>();
  // One iterator for all evictions: a new one would have to skip the places that earlier evictions left empty.
  const oldestFirst = tokens.keys();
  const missed = createMissedDetections();
  const losses = createHourlyLosses();

  function add(source: string, detection: Detection, backfilled: boolean): void {
    const { address, receivedAt, createdAt } = detection;
    const known = tokens.get(address);
    // Old tokens in a service's list or in a replayed history are not detections.
    if (!known && createdAt !== null && receivedAt - createdAt > HOUR) return;
    const token = known ?? newToken(detection);
    record(token, detection, { source, backfilled });
    if (token.missedBy.includes(source)) missed.retract(source, token);
    if (known) return;
    tokens.set(address, token);
    if (tokens.size <= MAX_TOKENS) return;
    const { value: oldest } = oldestFirst.next();
    if (oldest !== undefined) tokens.delete(oldest);
  }

  return {
    /** Records the detections among a source's observations. `backfilled`: read after a gap. */
    observed(source: string, observations: readonly Observation[], backfilled: boolean): void {
      for (const observation of observations) {
        const detection = detectionOf(observation);
        if (detection !== null) add(source, detection, backfilled);
      }
    },
    /** Checks tokens that are due and drops those older than an hour; to be called once a second. */
    tick(): void {
      const now = clock.now();
      const current = sources();
      missed.snapshot(current, now);
      losses.snapshot(current, now);
      let checked = 0;
      for (const token of tokens.values()) {
        if (now - token.firstAt > HOUR) tokens.delete(token.address);
        else if (token.checkAt !== null && now >= token.checkAt && checked < MAX_CHECKED) {
          checked += 1;
          missed.check(token, current, now);
        }
      }
    },
    /** Computes the figures in one pass over all tokens: it runs every second while a client watches. */
    figures(): DetectionCoverage {
      const now = clock.now();
      const current = sources();
      return {
        sources: current.map(({ name }) => name),
        minutes: minutesOf(tokens.values(), now),
        bySource: sourceFigures(tokens.values(), current, startedAt).map((figures) => {
          const lost = losses.read(figures.source, now);
          const { tradesMissed, decodeErrors, refused } = lost;
          return {
            ...{ ...figures, ...lost },
            ...{ tradesMissed: tradesMissed ?? 0, decodeErrors: decodeErrors ?? 0, refused: refused ?? 0 },
          };
        }),
        missed: missed.list(now),
      };
    },
  };
}

function newToken({ address, receivedAt }: Detection): SightedToken {
  return {
    address,
    symbol: null,
    isComparable: false,
    createdAt: null,
    firstAt: receivedAt,
    bySource: new Map(),
    checkAt: receivedAt + GRACE,
    missedBy: [],
  };
}

function record(
  token: SightedToken,
  { symbol, launchpad, receivedAt, createdAt }: Detection,
  { source, backfilled }: { source: string; backfilled: boolean },
): void {
  token.symbol ??= symbol;
  token.isComparable ||= launchpad === COMPARABLE;
  token.firstAt = Math.min(token.firstAt, receivedAt);
  if (createdAt !== null) token.createdAt = Math.min(token.createdAt ?? createdAt, createdAt);
  const before = token.bySource.get(source);
  // A live report replaces a backfilled one.
  if (before && (!before.backfilled || backfilled)) return;
  token.bySource.set(source, { receivedAt, backfilled });
  token.checkAt ??= receivedAt + GRACE;
}

/** Longest stored symbol: its length is up to the creator of the token, and thousands of symbols are stored. */
const SYMBOL_LENGTH = 32;

/** A source's report of a new token. Times are epoch ms. */
interface Detection {
  address: string;
  symbol: string | null;
  launchpad: string | null;
  receivedAt: number;
  /** Creation on chain; null when the source does not report it. */
  createdAt: number | null;
}

/** Returns the detection in an observation; null for an observation about a known or an old token. */
function detectionOf(observation: Observation): Detection | null {
  switch (observation.kind) {
    case 'created': {
      const { address, launchpad, receivedAt, at } = observation;
      const symbol = storedSymbol(observation.symbol);
      // A stream without chain times uses the receive time.
      return { address, symbol, launchpad, receivedAt, createdAt: at < receivedAt ? at : null };
    }
    case 'listed': {
      const { address, mayBegin, receivedAt } = observation;
      if (!mayBegin) return null;
      const { symbol = null, launchpad = null, createdAt = null } = sanitizeListing(observation.listing, receivedAt);
      // Lists of services contain old coins as well, which are not detections.
      if (createdAt !== null && !isNew(createdAt, receivedAt)) return null;
      return {
        address,
        symbol: storedSymbol(symbol),
        launchpad,
        receivedAt,
        createdAt: createdAt !== null && createdAt < receivedAt ? createdAt : null,
      };
    }
    case 'trade':
    case 'completed':
    case 'migrated':
    case 'reserves':
    case 'creator-changed':
    case 'liquidity-withdrawn':
    case 'facts':
    case 'rate':
    case 'symbols':
      return null;
  }
}

function storedSymbol(symbol: string | null): string | null {
  return symbol === null || symbolIsMissing(symbol) ? null : symbol.trim().slice(0, SYMBOL_LENGTH);
}
