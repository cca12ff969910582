export interface Circuit {
  /** False while the node is left alone. After the pause one call is let through as a trial. */
  allows(): boolean;
  succeeded(): void;
  failed(): void;
  /** The call never reached the node, so it says nothing about it. */
  undecided(): void;
  state(): CircuitState;
  /** When an open circuit lets the next call through, in the time of `now`; null while it is not open. */
  retryAt(): number | null;
}
export type CircuitState = 'closed' | 'open' | 'trial';

/** Opens after `failures` failures in a row and stays open for `pauseMs`: a node in trouble is not made worse by us. */
export function createCircuit(options: { failures: number; pauseMs: number; now: () => number }): Circuit {
  let failures = 0;
  let openedAt: number | null = null;
  let trial = false;

  return {
    allows() {
      if (openedAt === null) return true;
      if (trial || options.now() - openedAt < options.pauseMs) return false;
      trial = true;
      return true;
    },
    succeeded() {
      failures = 0;
      openedAt = null;
      trial = false;
    },
    failed() {
      failures += 1;
      if (!trial && failures < options.failures) return;
      openedAt = options.now();
      trial = false;
    },
    undecided() {
      trial = false;
    },
    retryAt: () => (openedAt === null || trial ? null : openedAt + options.pauseMs),
    state: () => (openedAt === null ? 'closed' : trial ? 'trial' : 'open'),
  };
}
