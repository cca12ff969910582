import type { z } from 'zod';
import { counted } from '../../common/counted.ts';
import type { maintenanceCalls } from '../../common/maintenance/http.ts';
import type { Run } from '../../common/maintenance/model.ts';
import { type Clock, HOUR } from '../../common/time.ts';
import type { Market } from '../market/market.ts';
import { allTokens, detectedBetween, type Removal, simulatedTokens } from '../market/operations/removal.ts';
import type { Aggregator, RunStart } from '../market/polling/aggregator.ts';
import type { MintLookup } from '../market/sources/solana/facts/mint-lookup.ts';
import type { Progress, Runs, Starter } from '../runs/service.ts';
import { type Cleanup, removeInvalidTokens } from './invalid-tokens.ts';

type Cleaned = z.infer<typeof maintenanceCalls.removeAllTokens.output>;
type Analyzed = z.infer<typeof maintenanceCalls.analyzeRunnerTokens.output>;

/** Maintenance of the stored tokens by administrators. Each action is a run. */
export type Maintenance = ReturnType<typeof createMaintenance>;

export function createMaintenance(deps: {
  market: Pick<Market, 'remove' | 'analyze' | 'identities'>;
  runs: Runs;
  aggregation: Pick<Aggregator, 'scan' | 'aggregate'>;
  /** Creates the lookup of a run. */
  mintLookup: () => MintLookup;
  /** Returns the number of tokens. */
  countTokens: () => Promise<number>;
  clock: Clock;
}) {
  const { market, runs, aggregation, clock } = deps;

  const remove = (removal: Removal, progress: Progress) =>
    market.remove(removal, (removed) => progress(removed, null, `Removed ${removed} tokens so far`));

  return {
    /** Removes the tokens of the simulated market; the simulator continues with new ones. */
    cleanupMockTokens: (by: Starter): Promise<Cleaned> =>
      runs.run('cleanup-mock-tokens', by, async (progress) => {
        const count = await remove(simulatedTokens, progress);
        return { message: `Successfully cleaned up ${count} mock tokens`, count };
      }),

    /** Removes invalid tokens (decisions 18 and 26). */
    cleanupInvalidTokens: (by: Starter): Promise<Cleaned> =>
      runs.run('cleanup-all-invalid-tokens', by, async (progress, signal) => {
        const lookup = deps.mintLookup();
        const onAbort = () => lookup.stop();
        // A slow node must not delay a stop.
        signal.addEventListener('abort', onAbort);
        try {
          const total = await deps.countTokens();
          const cleanup = await removeInvalidTokens({ market, lookup, clock }, { total, progress, signal });
          const { count } = cleanup;
          return {
            message: `Successfully cleaned up ${counted(count, 'invalid token')}${skippedChains(cleanup)}`,
            count,
          };
        } finally {
          signal.removeEventListener('abort', onAbort);
          lookup.stop();
        }
      }),

    /** Removes tokens detected within the last `hours`. */
    cleanupRecentTokens: (by: Starter, hours: number): Promise<Cleaned> =>
      runs.run('cleanup-recent-tokens', by, async (progress) => {
        const now = clock.now();
        const count = await remove(detectedBetween(now - hours * HOUR, now), progress);
        const span = hours === 1 ? 'hour' : `${hours} hours`;
        return { message: `Successfully cleaned up ${counted(count, 'token')} of the last ${span}`, count };
      }),

    removeAllTokens: (by: Starter): Promise<Cleaned> =>
      runs.run('remove-all-tokens', by, async (progress) => {
        const count = await remove(allTokens, progress);
        return { message: `Successfully removed all ${counted(count, 'token')}`, count };
      }),

    /** Re-evaluates all tokens for the lists (decision 32). */
    analyzeRunnerTokens: (by: Starter): Promise<Analyzed> =>
      runs.run('analyze-runner-tokens', by, async (progress, signal) => {
        const total = await deps.countTokens();
        const report = (done: number) => progress(done, Math.max(total, done), `Analyzed ${done} tokens`);
        const { analyzed, runners, mightRun } = await market.analyze(report, signal);
        const lists = `${counted(runners, 'runner')}, ${mightRun} might run`;
        return { message: `Analyzed ${counted(analyzed, 'token')}: ${lists}`, analyzed, runners, mightRun };
      }),

    forceAggregatorScan: (by: Starter): Promise<RunStart> => aggregation.scan(by),
    runMultiSourceAggregator: (by: Starter): Promise<RunStart> => aggregation.aggregate(by),
    runs: (): Run[] => runs.latest(),
  };
}

/** Describes which chains could not be queried, and how many tokens were skipped; empty without one. */
function skippedChains({ unreachable, partial, skipped }: Omit<Cleanup, 'count'>): string {
  const chains = (names: readonly string[]) => `The ${names.join(' and ')} chain`;
  return [
    unreachable.length > 0 &&
      `${chains(unreachable)} did not respond, so no token was removed for being unknown to it.`,
    skipped > 0 &&
      `${counted(skipped, 'token')} ${skipped === 1 ? 'was' : 'were'} not looked up, since SOLANA_RPC_URL names no node of their chain.`,
    partial.length > 0 && `${chains(partial)} stopped responding, so not all of its tokens were looked up.`,
  ]
    .filter((sentence) => sentence !== false)
    .map((sentence, index) => (index === 0 ? `. ${sentence}` : ` ${sentence}`))
    .join('');
}
