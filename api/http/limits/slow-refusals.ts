import { pause } from '../../platform/resilience.ts';

/** A refusal is sent after this time, ms. */
const DELAY = 1_000;
/** Refusals that wait for it, at most; further ones are sent at once. */
const MAX_DELAYED = 1_000;

/** Throws `refusal` after a delay. */
export type Refuse = (refusal: unknown) => Promise<never>;

/**
 * Creates refusals for callers that send too much. They are late on purpose: refused at once, callers that repeat
 * at once would take with refusals the processor that the limit keeps free.
 */
export function createSlowRefusals(wait: (ms: number) => Promise<void> = pause): Refuse {
  let delayed = 0;
  return async (refusal) => {
    if (delayed < MAX_DELAYED) {
      delayed += 1;
      await wait(DELAY);
      delayed -= 1;
    }
    throw refusal;
  };
}
