import { createCore } from './core/core.ts';
import type { Buy, Change, Core, DecisionSink, TapeSink } from './core/model.ts';
import type { EngineMeter } from './meter.ts';

/** The core with the changes that wait for its next step. */
export interface Stepper {
  readonly core: Core;
  /** Adds changes to the next step. */
  add(changes: readonly Change[]): void;
  /** Makes a step with what waits and some further changes, and hands on what follows. `now`: epoch ms. */
  step(now: number, changes: readonly Change[]): void;
  /** Has the core forget all tokens with the next step. */
  dropTokens(): void;
  /** Drops what waits. */
  clear(): void;
}

export interface StepperDeps {
  onBuy(buy: Buy): void;
  meter: EngineMeter;
  decisions?: DecisionSink | undefined;
  tape?: TapeSink | undefined;
}

export function createStepper({ onBuy, meter, decisions, tape }: StepperDeps): Stepper {
  const core = createCore();
  /** Tokens that the core may have. */
  const tokens = new Set<string>();
  let waiting: Change[] = [];
  let lastAt = 0;

  /** Follows which tokens the core has. Returns the number of figures to judge. */
  function count(changes: readonly Change[]): number {
    let figures = 0;
    for (const change of changes) {
      if (change.type === 'price' || change.type === 'facts') figures += 1;
      else if (change.type === 'token') tokens.add(change.token.address);
      else if (change.type === 'gone') tokens.delete(change.address);
    }
    return figures;
  }

  return {
    core,
    add: (changes) => void waiting.push(...changes),
    step(now, added) {
      const changes = waiting.length === 0 ? added : [...waiting, ...added];
      waiting = [];
      lastAt = Math.max(lastAt, now);
      meter.judged(count(changes), lastAt);
      tape?.record(lastAt, changes);
      for (const effect of core.step(lastAt, changes)) {
        if (effect.type === 'buy') onBuy(effect.buy);
        else decisions?.note(effect.decided);
      }
    },
    dropTokens: () => void waiting.push(...[...tokens].map((address): Change => ({ type: 'gone', address }))),
    clear() {
      waiting = [];
    },
  };
}
