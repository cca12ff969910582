import type { Run } from '../../common/maintenance/model.ts';
import type { Clock } from '../../common/time.ts';
import type { Market } from '../market/market.ts';
import { allTokens, detectedBetween, type Removal, simulatedTokens } from '../market/operations/removal.ts';
import type { MintLookup } from '../market/sources/solana/facts/mint-lookup.ts';
import type { Progress, Runs, Starter } from '../runs/service.ts';
import { type Cleanup, removeInvalidTokens } from './invalid-tokens.ts';

const HOUR = 3_600_000;

export interface Cleaned {
  message: string;
  count: number;
}

export interface Analyzed {
  message: string;
  analyzed: number;
  runners: number;
  mightRun: number;
}

/** `started` is false when there is nobody to ask: then nothing runs. */
interface Asked {
  message: string;
  started: boolean;
}

/** Asks the sources that are asked. Both resolve once the run has begun, and fail with `already-running`. */
export interface Aggregation {
  /** For new listings. */
  scan(by: Starter): Promise<Asked>;
  /** For new listings, and about known tokens. */
  aggregate(by: Starter): Promise<Asked>;
}

/** What administrators have done to the store of tokens; each of them a run, see runs.ts. */
export interface Maintenance {
  /** Removes the tokens of the simulated market; the simulator goes on with new ones. */
  cleanupMockTokens(by: Starter): Promise<Cleaned>;
  /** Removes tokens that are none (decisions 18 and 26). */
  cleanupInvalidTokens(by: Starter): Promise<Cleaned>;
  /** Removes tokens that we heard of within the last `hours`. */
  cleanupRecentTokens(by: Starter, hours: number): Promise<Cleaned>;
  removeAllTokens(by: Starter): Promise<Cleaned>;
  /** Looks at all tokens anew for the lists (decision 32). */
  analyzeRunnerTokens(by: Starter): Promise<Analyzed>;
  forceAggregatorScan(by: Starter): Promise<Asked>;
  runMultiSourceAggregator(by: Starter): Promise<Asked>;
  runs(): Run[];
}

export interface MaintenanceDeps {
  market: Pick<Market, 'remove' | 'analyze' | 'identities'>;
  runs: Runs;
  aggregation: Aggregation;
  /** Made anew for each run. */
  mintLookup: () => MintLookup;
  /** How many tokens there are. */
  countTokens: () => Promise<number>;
  clock: Clock;
}

export function createMaintenance(deps: MaintenanceDeps): Maintenance {
  const { market, runs, aggregation, clock } = deps;

  const remove = (removal: Removal, progress: Progress) =>
    market.remove(removal, (removed) => progress(removed, null, `Removed ${removed} tokens so far`));

  return {
    cleanupMockTokens: (by) =>
      runs.run('cleanup-mock-tokens', by, async (progress) => {
        const count = await remove(simulatedTokens, progress);
        return { message: `Successfully cleaned up ${count} mock tokens`, count };
      }),

    cleanupInvalidTokens: (by) =>
      runs.run('cleanup-all-invalid-tokens', by, async (progress, signal) => {
        const lookup = deps.mintLookup();
        const isOver = () => lookup.stop();
        // A node that is slow to answer must not hold up a stop.
        signal.addEventListener('abort', isOver);
        try {
          const total = await deps.countTokens();
          const cleanup = await removeInvalidTokens({ market, lookup, clock }, { total, progress, signal });
          const { count } = cleanup;
          return { message: `Successfully cleaned up ${counted(count, 'invalid token')}${excuse(cleanup)}`, count };
        } finally {
          signal.removeEventListener('abort', isOver);
          lookup.stop();
        }
      }),

    cleanupRecentTokens: (by, hours) =>
      runs.run('cleanup-recent-tokens', by, async (progress) => {
        const now = clock.now();
        const count = await remove(detectedBetween(now - hours * HOUR, now), progress);
        const span = hours === 1 ? 'hour' : `${hours} hours`;
        return { message: `Successfully cleaned up ${counted(count, 'token')} of the last ${span}`, count };
      }),

    removeAllTokens: (by) =>
      runs.run('remove-all-tokens', by, async (progress) => {
        const count = await remove(allTokens, progress);
        return { message: `Successfully removed all ${counted(count, 'token')}`, count };
      }),

    analyzeRunnerTokens: (by) =>
      runs.run('analyze-runner-tokens', by, async (progress, signal) => {
        const total = await deps.countTokens();
        const tell = (done: number) => progress(done, Math.max(total, done), `Analyzed ${done} tokens`);
        const { analyzed, runners, mightRun } = await market.analyze(tell, signal);
        const lists = `${counted(runners, 'runner')}, ${mightRun} might run`;
        return { message: `Analyzed ${counted(analyzed, 'token')}: ${lists}`, analyzed, runners, mightRun };
      }),

    forceAggregatorScan: (by) => aggregation.scan(by),
    runMultiSourceAggregator: (by) => aggregation.aggregate(by),
    runs: () => runs.latest(),
  };
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** What was left undone, and why. */
function excuse({ unasked, partly }: Pick<Cleanup, 'unasked' | 'partly'>): string {
  const chains = (names: readonly string[]) => `The ${names.join(' and ')} chain`;
  return [
    unasked.length > 0 && `${chains(unasked)} could not be asked, so no token was removed for being unknown to it.`,
    partly.length > 0 && `${chains(partly)} stopped answering, so not all of its tokens were looked up.`,
  ]
    .filter((sentence) => sentence !== false)
    .map((sentence, index) => (index === 0 ? `. ${sentence}` : ` ${sentence}`))
    .join('');
}
