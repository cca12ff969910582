import type { Decided } from '../core/model.ts';

/** Receives every answer of the core, in their order. Does not wait for anything. */
export interface DecisionSink {
  note(decided: Decided): void;
}
