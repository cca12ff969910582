import type { Logger } from 'pino';
import type { Clock, Random } from '../../../common/time.ts';
import type { TokenPatch } from '../../../common/tokens/model.ts';
import { diffToken } from '../../../common/tokens/patch.ts';
import { RISK_RULES_VERSION } from '../../../common/tokens/risk/score.ts';
import { pause, retry } from '../../platform/resilience.ts';
import { presentToken } from '../../tokens/present.ts';
import type { TokenRecord } from '../../tokens/record.ts';

import type { Engine } from '../engine.ts';
import { valuesAt } from '../publish/pending.ts';
import type { MarketStore, ScoreWrite } from '../publish/store.ts';
import { isDrained } from '../token/lifecycle.ts';
import { refreshScore } from '../token/score/score.ts';
import { createLiveToken, set } from '../token/state/live-token.ts';

/** Wait while all tokens that are left are in memory, ms: their own refresh scores and stores them within seconds. */
const WAIT_FOR_MEMORY = 1_000;
/** Delay after a failure of the database, ms. */
const BACKOFF = { base: 1_000, max: 60_000 };

export interface RescoringDeps {
  engine: Pick<Engine, 'has' | 'betweenTicks' | 'publishPatches'>;
  store: Pick<MarketStore, 'outdatedScores' | 'writeScores'>;
  clock: Clock;
  random: Random;
  log: Logger;
}

/**
 * Computes the scores of stored tokens again whose rules have changed since (RISK_RULES_VERSION). At a start only young and
 * listed tokens are loaded; all others would keep a score of earlier rules for as long as they are stored.
 */
export function createRescoring(deps: RescoringDeps) {
  const { random, log } = deps;
  const ended = new AbortController();
  const { signal } = ended;
  const policy = { ...BACKOFF, retries: Number.POSITIVE_INFINITY, random };
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    let total = 0;
    while (!signal.aborted) {
      const rescored = await retry(policy, () => rescorePage(deps, signal), signal);
      if (rescored === null) break;
      total += rescored;
      if (rescored === 0) await pause(WAIT_FOR_MEMORY, signal);
    }
    if (total > 0) log.info({ tokens: total }, 'stored tokens scored by the present rules');
  }

  return {
    /** Starts in the background, a page between two ticks. */
    start(): void {
      // The retries end with an error only when they are stopped.
      running = run().catch(() => undefined);
    },
    /** Resolves when nothing is running any more; the next start of the server continues. */
    async stop(): Promise<void> {
      ended.abort();
      await running;
    },
  };
}

/** Scores the next tokens that are not in memory. Resolves with their number; null when no token is left. */
async function rescorePage({ engine, store, clock, log }: RescoringDeps, signal: AbortSignal): Promise<number | null> {
  const page = await store.outdatedScores();
  if (page.length === 0) return null;
  const now = clock.now();
  const scores = page.map((record) => rescore(record, now, log));
  // Between two ticks no token is loaded, so that a score of stored facts never replaces a newer one.
  return engine.betweenTicks(async () => {
    if (signal.aborted) return 0;
    const due = scores.filter(({ address }) => !engine.has(address));
    const written = await store.writeScores(due);
    // A client keeps what it knows at a higher version, such as a score that was written meanwhile.
    engine.publishPatches(due.flatMap(({ patch }) => patch ?? []));
    return written;
  });
}

/** A write, and what it changes for clients; null without a change. */
interface Rescored extends ScoreWrite {
  patch: TokenPatch | null;
}

/** Computes a token's score as after a load into memory, where the facts of the clock and of the reserves are computed too. */
function rescore(record: TokenRecord, now: number, log: Logger): Rescored {
  const before = presentToken(record);
  const live = createLiveToken(record, true, now);
  try {
    set(live, 'drained', isDrained(live));
    refreshScore(live, now);
  } catch (error) {
    // One document that cannot be scored must not keep the others from it.
    log.error({ error, address: record._id }, 'stored token not scored');
    set(live, 'riskScore', null);
    set(live, 'riskReason', 'too-little-known');
    set(live, 'riskRulesVersion', RISK_RULES_VERSION);
  }
  // The clients replace what they know of a token only by a higher version.
  set(live, 'version', record.version + 1);
  const patch = diffToken(before, presentToken(record), null);
  return { address: record._id, set: valuesAt(record, live.dirty), patch };
}
