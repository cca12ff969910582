import { inject } from 'vitest';

/** How much a run of the tests proves: a landing (`npm test`), everything (`npm run test:full`), or hours (`npm run test:soak`). */
export type Effort = 'landing' | 'full' | 'soak';

declare module 'vitest' {
  export interface ProvidedContext {
    /** From `TEST_EFFORT`; `full` without it. */
    effort: Effort;
  }
}

const factors: Readonly<Record<Effort, number>> = { landing: 0.1, full: 1, soak: 10 };

/** Fewer rounds would leave out what a test does in turns. */
const LEAST = 10;

/** Returns the rounds or runs of a test for the present effort, from those of a full run; at least ten of them. */
export const rounds = (ofFullRun: number): number =>
  Math.max(Math.min(ofFullRun, LEAST), Math.ceil(ofFullRun * factors[inject('effort')]));

/** Returns the value for the present effort, where rounds in proportion would take too long or show too little. */
export const sized = <Value>(by: Readonly<Record<Effort, Value>>): Value => by[inject('effort')];
