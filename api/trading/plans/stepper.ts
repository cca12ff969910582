import { SECOND } from '../../../common/time.ts';
import { createCore } from './core/core.ts';
import type { Buy, Change, DecisionSink, TapeSink } from './core/model.ts';

/** Lags from decision to order that are shown. */
const LAGS_KEPT = 200;
/** Span of the rate, ms. */
const SPAN = 10 * SECOND;

export interface StepperDeps {
  onBuy(buy: Buy): void;
  decisions?: DecisionSink | undefined;
  tape?: TapeSink | undefined;
}

export type Stepper = ReturnType<typeof createStepper>;

/** Creates the core with the changes that wait for its next step, and the figures of what it does. */
export function createStepper({ onBuy, decisions, tape }: StepperDeps) {
  const core = createCore();
  /** Tokens that the core may have. */
  const tokens = new Set<string>();
  let waiting: Change[] = [];
  let lastAt = 0;
  /** Steps of the last time, epoch ms, with the prices and facts that they judged. */
  const steps: { at: number; figures: number }[] = [];
  const lags: number[] = [];

  /** Follows which tokens the core has, and counts the figures that it judges. */
  function count(changes: readonly Change[]): void {
    let figures = 0;
    for (const change of changes) {
      if (change.type === 'price' || change.type === 'facts') figures += 1;
      else if (change.type === 'token') tokens.add(change.token.address);
      else if (change.type === 'gone') tokens.delete(change.address);
    }
    steps.push({ at: lastAt, figures });
    while (steps[0] && steps[0].at <= lastAt - SPAN) steps.shift();
  }

  return {
    core,
    /** Adds changes to the next step. */
    add: (changes: readonly Change[]) => void waiting.push(...changes),
    /** Makes a step with what waits and some further changes, and hands on what follows. `now`: epoch ms. */
    step(now: number, added: readonly Change[]): void {
      const changes = waiting.length === 0 ? added : [...waiting, ...added];
      waiting = [];
      lastAt = Math.max(lastAt, now);
      count(changes);
      tape?.record(lastAt, changes);
      for (const effect of core.step(lastAt, changes)) {
        if (effect.type === 'buy') onBuy(effect.buy);
        else decisions?.note(effect.decided);
      }
    },
    /** Has the core forget all tokens with the next step. */
    dropTokens: () => void waiting.push(...[...tokens].map((address): Change => ({ type: 'gone', address }))),
    /** Drops what waits. */
    clear(): void {
      waiting = [];
    },
    /** Counts the time from the figures of a decision until its order was stored, ms. */
    stored(lag: number): void {
      lags.push(Math.max(0, lag));
      if (lags.length > LAGS_KEPT) lags.shift();
    },
    /** Returns the figures judged a second, and the times from decision to order, at a time (epoch ms). */
    figures(now: number) {
      const recent = steps.filter(({ at }) => at > now - SPAN);
      const evaluatedPerSecond = recent.reduce((sum, { figures }) => sum + figures, 0) / (SPAN / SECOND);
      return { evaluatedPerSecond, lagMs: percentiles(lags) };
    },
  };
}

/** Returns the median and the 99th percentile of the known values; null without any. */
export function percentiles(values: readonly (number | null)[]): { p50: number | null; p99: number | null } {
  const sorted = values.filter((value) => value !== null).toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
  return { p50: at(0.5), p99: at(0.99) };
}
