import type { Change, Decided, LeftOut } from './model.ts';

/** Receives what the core of plans receives, for the tape. */
export interface TapeSink {
  /**
   * Records one step of the core: its time (epoch ms) and its changes, which must not be modified afterwards. Called right before
   * the step, also for one without changes. Never throws and does not wait.
   */
  record(now: number, changes: readonly Change[]): void;
}

/** Receives every answer of the core, in their order, or its count. Does not wait for anything. */
export interface DecisionSink {
  note(decided: Decided): void;
  leaveOut(leftOut: LeftOut): void;
}
