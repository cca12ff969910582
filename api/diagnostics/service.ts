import { setImmediate as turn } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { DetectionStats } from '../../common/diagnostics/model.ts';
import { PublicError } from '../../common/errors.ts';
import type { FeedCursor } from '../../common/live/protocol.ts';
import type { Clock } from '../../common/time.ts';
import type { FeedEntry, FeedLog } from '../../realtime/feed-log/feed-log.ts';
import type { Publisher } from '../../realtime/publisher.ts';
import { tokenModels } from '../tokens/model.ts';
import { loadTally } from './load.ts';
import type { Sightings } from './sightings.ts';
import { rowOf, type Tally } from './tally.ts';

const SECOND = 1_000;
/** Ages change without an event: whoever listens is told this often in any case, in seconds. */
const TOLD_AT_LEAST = 10;
/** Between two tries to read the tokens while MongoDB is away, seconds. */
const LOAD_RETRY = 5;
/** Tokens that MongoDB drops at the end of their retention leave without a word: all are read anew this often, seconds. */
const READ_ANEW = 3_600;
/** Entries of the feed taken in before others get their turn. */
const CHUNK = 500;

/** How complete and how quick detection is. */
export interface Diagnostics {
  /** Reads the tokens, and follows the feed from then on. */
  start(): void;
  stop(): void;
  /** Throws `unavailable` while the tokens could not be read yet. */
  stats(): Promise<DetectionStats>;
  /** One second. */
  tick(): void;
}

export interface DiagnosticsDeps {
  connection: Connection;
  feedLog: FeedLog;
  publisher: Pick<Publisher, 'send' | 'listens'>;
  sightings: Pick<Sightings, 'tick' | 'coverage'>;
  /** The place of the feed up to which MongoDB has everything. */
  stored: () => FeedCursor;
  clock: Clock;
  log: Logger;
}

export function createDiagnostics(deps: DiagnosticsDeps): Diagnostics {
  const { feedLog, publisher, sightings, clock, log } = deps;
  const { tokens } = tokenModels(deps.connection);
  let tally: Tally | null = null;
  let loading: Promise<void> | null = null;
  let untail = () => {};
  let timer: NodeJS.Timeout | undefined;
  let changed = true;
  let seconds = 0;

  function load(): Promise<void> {
    loading ??= read().finally(() => {
      loading = null;
    });
    return loading;
  }

  async function read(): Promise<void> {
    const from = deps.stored();
    const read = await loadTally(tokens);
    let at = from;
    // What was said since; what MongoDB had of it already is known by its version.
    while (at.seq !== feedLog.head().seq) {
      const missed = await feedLog.since(at, CHUNK);
      if ('resync' in missed || !missed.entries.every((entry) => take(read, entry))) return;
      at = { ...at, seq: missed.entries.at(-1)?.seq ?? at.seq };
      await turn();
    }
    // At once, for from here on the tail has to find it.
    tally = read;
    changed = true;
  }

  /** False when it says something that can't be taken in: then everything must be read again. */
  function take(into: Tally, { event, payload }: FeedEntry): boolean {
    switch (event) {
      case 'new-token':
        into.add(rowOf(payload.token));
        return true;
      case 'token-updates':
        // A token too old to be in memory goes on counting as it did.
        for (const patch of payload.patches) into.patch(patch, payload.solUsd);
        return true;
      case 'runner':
        into.list(payload.token.address, 'runner', payload.active);
        return true;
      case 'might-run':
        into.list(payload.token.address, 'mightRun', payload.active);
        return true;
      case 'tokens-removed':
        if ('all' in payload) {
          into.clear();
          return true;
        }
        return payload.addresses.map((address) => into.remove(address)).every((known) => known);
    }
  }

  function hear(entries: readonly FeedEntry[]): void {
    changed = true;
    for (const entry of entries) {
      if (tally !== null && !take(tally, entry)) tally = null;
    }
  }

  function tick(): void {
    seconds += 1;
    sightings.tick();
    if (seconds % READ_ANEW === 0) readAnew();
    if (tally === null) {
      if (loading === null && seconds % LOAD_RETRY === 1) readAnew();
      return;
    }
    if (!publisher.listens('diagnostics')) return;
    if (!changed && seconds % TOLD_AT_LEAST !== 0) return;
    changed = false;
    publisher.send('detection-stats', 'diagnostics', statsOf(tally));
  }

  function readAnew(): void {
    // Tried again after a few seconds when there is nothing, after an hour when there is what was read before.
    void load().catch((error) => log.debug({ error }, 'not read'));
  }

  function statsOf(of: Tally): DetectionStats {
    const now = clock.now();
    return { at: new Date(now).toISOString(), ...of.counts(now), coverage: sightings.coverage() };
  }

  return {
    tick,
    start() {
      untail = feedLog.tail({ entries: hear, message: () => undefined });
      timer = setInterval(tick, SECOND);
      timer.unref();
      tick();
    },
    stop() {
      clearInterval(timer);
      untail();
    },
    async stats() {
      if (tally === null) await load();
      if (tally === null) throw new PublicError('unavailable');
      return statsOf(tally);
    },
  };
}
