import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Clock } from '../../../common/time.ts';
import { isMightRun, isRunner } from '../../../common/tokens/lists.ts';
import type { TokenRecord } from '../../tokens/record.ts';
import type { Engine } from '../engine.ts';
import type { ListFields, MarketStore } from '../publish/store.ts';

/** What an analysis found. */
export interface Analysis {
  analyzed: number;
  /** How many of them are in each list now. */
  runners: number;
  mightRun: number;
  /** Tokens that entered or left a list. */
  moved: number;
}

/**
 * Looks at every token anew for the lists (decision 34). The market does so by itself for all that time can move; this also
 * finds what a crash or a changed rule left in the wrong list. `signal` ends it early.
 */
export type Analyze = (onProgress: (analyzed: number) => void, signal: AbortSignal) => Promise<Analysis>;

/** Tokens looked at before everything else in the process has its turn. */
const STEP = 50;

export interface AnalysisDeps {
  engine: Engine;
  store: MarketStore;
  clock: Clock;
}

export function createAnalyze({ engine, store, clock }: AnalysisDeps): Analyze {
  /** In short steps: a whole page at a stretch would hold up everything else in the process. */
  async function reconsider(wanted: readonly string[], stored: readonly TokenRecord[]): Promise<TokenRecord[]> {
    const made: TokenRecord[] = [];
    const records = new Map(stored.map((record) => [record._id, record]));
    for (let from = 0; from < wanted.length; from += STEP) {
      const step = wanted.slice(from, from + STEP);
      made.push(
        ...engine.reconsider(
          step,
          step.flatMap((address) => records.get(address) ?? []),
        ),
      );
      await othersTurn();
    }
    return made;
  }

  async function lookAt(page: readonly ListFields[]): Promise<Omit<Analysis, 'analyzed'>> {
    const now = clock.now();
    const [inMemory, others] = [
      page.filter(({ _id }) => engine.holds(_id)),
      page.filter(({ _id }) => !engine.holds(_id)),
    ];
    const wrong = others.filter((record) => isMisplaced(record, now)).map(({ _id }) => _id);
    const stored = wrong.length === 0 ? [] : await store.tokens(wrong);
    const wanted = [...inMemory.map(({ _id }) => _id), ...wrong];
    const before = new Map(page.map((record) => [record._id, record]));
    const made = wanted.length === 0 ? [] : await engine.between(() => reconsider(wanted, stored));
    const rightAsTheyAre = others.filter(({ _id }) => !wrong.includes(_id));
    const all: Pick<TokenRecord, '_id' | 'runner' | 'mightRun'>[] = [...made, ...rightAsTheyAre];
    return {
      runners: all.filter(({ runner }) => runner).length,
      mightRun: all.filter(({ mightRun }) => mightRun).length,
      moved: made.filter(({ _id, runner, mightRun }) => {
        const known = before.get(_id);
        return known !== undefined && (known.runner !== runner || known.mightRun !== mightRun);
      }).length,
    };
  }

  return async (onProgress, signal) => {
    const found: Analysis = { analyzed: 0, runners: 0, mightRun: 0, moved: 0 };
    for (let page = await store.listFields(''); page.length > 0 && !signal.aborted; ) {
      const { runners, mightRun, moved } = await lookAt(page);
      found.analyzed += page.length;
      found.runners += runners;
      found.mightRun += mightRun;
      found.moved += moved;
      onProgress(found.analyzed);
      page = await store.listFields(page.at(-1)?._id ?? '');
    }
    return found;
  };
}

/** Whether a token that nobody trades any more is in a list it does not belong to, or the other way round. */
function isMisplaced(record: ListFields, now: number): boolean {
  return record.runner !== isRunner(record, now) || record.mightRun !== isMightRun(record, now);
}
