import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { DetectionStats } from '../../common/diagnostics/model.ts';
import { PublicError } from '../../common/errors.ts';
import { rooms } from '../../common/live.ts';
import type { FeedEntry, FeedLog } from '../../realtime/log.ts';
import type { Publisher } from '../../realtime/publisher.ts';
import type { Clock } from '../market/sources/source.ts';
import { tokenModels } from '../tokens/model.ts';
import { loadTally } from './load.ts';
import type { Sightings } from './sightings.ts';
import { rowOf, type Tally } from './tally.ts';

const SECOND = 1_000;
/** Ages change without an event: whoever listens is told this often in any case, in seconds. */
const TOLD_AT_LEAST = 10;
/** Between two tries to read the tokens while MongoDB is away, seconds. */
const LOAD_RETRY = 5;

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
  clock: Clock;
  log: Logger;
}

export function createDiagnostics(deps: DiagnosticsDeps): Diagnostics {
  const { feedLog, publisher, sightings, clock, log } = deps;
  const { tokens } = tokenModels(deps.connection);
  let tally: Tally | null = null;
  let loading: Promise<void> | null = null;
  /** What is said while the tokens are read, to be taken in afterwards. */
  let meanwhile: FeedEntry[] = [];
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
    meanwhile = [];
    const read = await loadTally(tokens);
    const complete = meanwhile.splice(0).every((entry) => take(read, entry));
    tally = complete ? read : null;
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
        if ('all' in payload) return false;
        return payload.addresses.map((address) => into.remove(address)).every((known) => known);
    }
  }

  function hear(entries: readonly FeedEntry[]): void {
    changed = true;
    for (const entry of entries) {
      if (loading !== null) meanwhile.push(entry);
      else if (tally !== null && !take(tally, entry)) tally = null;
    }
  }

  function tick(): void {
    seconds += 1;
    sightings.tick();
    if (tally === null) {
      if (loading === null && seconds % LOAD_RETRY === 1)
        void load().catch((error) => log.debug({ error }, 'not read'));
      return;
    }
    if (!publisher.listens(rooms.diagnostics)) return;
    if (!changed && seconds % TOLD_AT_LEAST !== 0) return;
    changed = false;
    publisher.send(rooms.diagnostics, 'detection-stats', statsOf(tally));
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
