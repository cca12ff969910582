import type { TradingMode } from '../../../../common/trading/account.ts';
import type { AttemptVerdict, Executor, SentAttempt } from '../../executors/executor.ts';

/** Most attempts of one look, as a node takes 256 signatures at once. */
const BATCH = 256;

/** Looks for verdicts, many orders at once. */
export interface Looker {
  /** Returns verdicts by signature; undecided attempts are absent. Rejects while the node is away. */
  look(executor: Executor, attempts: readonly SentAttempt[]): Promise<Map<string, AttemptVerdict>>;
}

interface Waiting {
  attempts: readonly SentAttempt[];
  resolve(verdicts: Map<string, AttemptVerdict>): void;
  reject(error: unknown): void;
}

/** Creates a looker with one look at a time for each mode; requests that arrive meanwhile go into the next one. */
export function createLooker(): Looker {
  const waiting = new Map<TradingMode, Waiting[]>();
  const running = new Set<TradingMode>();

  async function run(executor: Executor): Promise<void> {
    const { mode } = executor;
    for (;;) {
      const all = waiting.get(mode) ?? [];
      const batch = takenBatch(all);
      if (batch.length === 0) break;
      try {
        const verdicts = await executor.look(batch.flatMap(({ attempts }) => attempts));
        for (const { resolve } of batch) resolve(verdicts);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running.delete(mode);
  }

  return {
    look(executor, attempts) {
      const { mode } = executor;
      return new Promise((resolve, reject) => {
        const all = waiting.get(mode) ?? [];
        waiting.set(mode, all);
        all.push({ attempts, resolve, reject });
        if (running.has(mode)) return;
        running.add(mode);
        // After this turn, so that orders that are asked about at once share a look.
        queueMicrotask(() => void run(executor));
      });
    },
  };
}

/** Takes the first entries with at most `BATCH` attempts, at least one entry, out of the list. */
function takenBatch(all: Waiting[]): Waiting[] {
  let count = 0;
  let size = 0;
  for (const { attempts } of all) {
    if (size > 0 && count + attempts.length > BATCH) break;
    count += attempts.length;
    size += 1;
  }
  return all.splice(0, size);
}
