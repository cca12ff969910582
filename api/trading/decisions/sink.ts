import type { Decided, LeftOut } from '../core/model.ts';

/** Receives every answer of the core, in their order, or its count. Does not wait for anything. */
export interface DecisionSink {
  note(decided: Decided): void;
  leaveOut(leftOut: LeftOut): void;
}
