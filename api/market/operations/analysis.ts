import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Clock } from '../../../common/time.ts';
import { isMightRun, isRunner } from '../../../common/tokens/lists.ts';
import type { TokenRecord } from '../../tokens/record.ts';
import type { Engine } from '../engine.ts';
import type { ListFields, MarketStore } from '../publish/store.ts';

/** Result of an analysis. */
export interface Analysis {
  analyzed: number;
  /** Tokens in each list afterwards. */
  runners: number;
  mightRun: number;
  /** Tokens that entered or left a list. */
  moved: number;
}

/**
 * Checks the lists of every token (decision 34). The market updates lists continuously; this also corrects what a crash or a
 * changed rule left behind. `signal` ends it early.
 */
export type Analyze = (onProgress: (analyzed: number) => void, signal: AbortSignal) => Promise<Analysis>;

/** Tokens recomputed at a stretch, so that a whole page does not block the process. */
const STEP = 50;

export interface AnalysisDeps {
  engine: Engine;
  store: MarketStore;
  clock: Clock;
}

export function createAnalyze(deps: AnalysisDeps): Analyze {
  const { store } = deps;
  return async (onProgress, signal) => {
    const total: Analysis = { analyzed: 0, runners: 0, mightRun: 0, moved: 0 };
    for (let page = await store.listFields(''); page.length > 0 && !signal.aborted; ) {
      const { runners, mightRun, moved } = await analyzePage(page, deps);
      total.analyzed += page.length;
      total.runners += runners;
      total.mightRun += mightRun;
      total.moved += moved;
      onProgress(total.analyzed);
      page = await store.listFields(page.at(-1)?._id ?? '');
    }
    return total;
  };
}

async function analyzePage(
  page: readonly ListFields[],
  { engine, store, clock }: AnalysisDeps,
): Promise<Omit<Analysis, 'analyzed'>> {
  const now = clock.now();
  const inMemory = page.filter(({ _id }) => engine.has(_id));
  const others = page.filter(({ _id }) => !engine.has(_id));
  const misplaced = others.filter((record) => isMisplaced(record, now)).map(({ _id }) => _id);
  const stored = misplaced.length === 0 ? [] : await store.tokens(misplaced);
  const wanted = [...inMemory.map(({ _id }) => _id), ...misplaced];
  const before = new Map(page.map((record) => [record._id, record]));
  const recomputed =
    wanted.length === 0 ? [] : await engine.betweenTicks(() => recomputeInSteps(engine, wanted, stored));
  const unchanged = others.filter(({ _id }) => !misplaced.includes(_id));
  const all: Pick<TokenRecord, '_id' | 'runner' | 'mightRun'>[] = [...recomputed, ...unchanged];
  return {
    runners: all.filter(({ runner }) => runner).length,
    mightRun: all.filter(({ mightRun }) => mightRun).length,
    moved: recomputed.filter(({ _id, runner, mightRun }) => {
      const known = before.get(_id);
      return known !== undefined && (known.runner !== runner || known.mightRun !== mightRun);
    }).length,
  };
}

async function recomputeInSteps(
  engine: Engine,
  wanted: readonly string[],
  stored: readonly TokenRecord[],
): Promise<TokenRecord[]> {
  const recomputed: TokenRecord[] = [];
  const records = new Map(stored.map((record) => [record._id, record]));
  for (let from = 0; from < wanted.length; from += STEP) {
    const step = wanted.slice(from, from + STEP);
    const loaded = step.flatMap((address) => records.get(address) ?? []);
    recomputed.push(...engine.recompute(step, loaded));
    await yieldToOthers();
  }
  return recomputed;
}

/** Returns whether a stored token is in a list that its fields contradict, or missing from one. */
function isMisplaced(record: ListFields, now: number): boolean {
  return record.runner !== isRunner(record, now) || record.mightRun !== isMightRun(record, now);
}
