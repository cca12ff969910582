import type { Change } from '../core/model.ts';

/** Receives what the core of plans receives, for the tape. */
export interface TapeSink {
  /**
   * Records one step of the core: its time (epoch ms) and its changes, which must not be modified afterwards. Called right before
   * the step, also for one without changes. Never throws and does not wait.
   */
  record(now: number, changes: readonly Change[]): void;
}
