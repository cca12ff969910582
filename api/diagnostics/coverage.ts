import type { DetectionCoverage } from '../../common/diagnostics/model.ts';
import { type Clock, HOUR } from '../../common/time.ts';
import type { Observation } from '../market/sources/observation.ts';
import { minutesOf, sourceFigures } from './coverage-figures.ts';
import { type Detection, detectionOf } from './detection.ts';
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
export interface Coverage {
  /** Records the detections among a source's observations. `backfilled`: read after a gap. */
  observed(source: string, observations: readonly Observation[], backfilled: boolean): void;
  /** Checks tokens that are due and drops those older than an hour; to be called once a second. */
  tick(): void;
  /** Computes the figures in one pass over all tokens: it runs every second while a client watches. */
  figures(): DetectionCoverage;
}

/** `sources` returns the current state of the sources. */
export function createCoverage(clock: Clock, sources: () => readonly MonitoredSource[]): Coverage {
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
    observed(source, observations, backfilled) {
      for (const observation of observations) {
        const detection = detectionOf(observation);
        if (detection !== null) add(source, detection, backfilled);
      }
    },
    tick() {
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
    figures() {
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
