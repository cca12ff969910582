import type { Logger } from 'pino';
import { loggable } from './loggable.ts';
import { withTimeout } from './resilience.ts';

/**
 * The stages of a stop, in order, and how long each may take (ms). What starts the process gives the server 3.8 s of the
 * 5 s in which everything ends: all stages together stay below.
 */
const STAGES = {
  /** What begins works and what administrators wait for: it would hold up the server's end. */
  work: 700,
  /** What people and services talk to; the market, which stores its last tick. */
  doors: 2_000,
  /** Those who hear of the market's last tokens. */
  listeners: 300,
  /** What all the others need. */
  stores: 500,
} as const;
export type StopStage = keyof typeof STAGES;

/** One thing to stop. */
export interface Stop {
  name: string;
  stage: StopStage;
  run(): Promise<unknown>;
}

/**
 * Runs the stops: those of one stage side by side, and stage after stage. One that fails or takes longer than its stage
 * is logged and left behind: the next ones must still run.
 */
export async function stopInOrder(stops: readonly Stop[], log: Logger): Promise<void> {
  for (const [stage, ms] of Object.entries(STAGES)) {
    await Promise.all(stops.filter((stop) => stop.stage === stage).map((stop) => end(stop, ms, log)));
  }
}

async function end({ name, run }: Stop, ms: number, log: Logger): Promise<void> {
  const stopped = Promise.resolve()
    .then(run)
    .catch((error: unknown) => log.warn({ name, error: loggable(error) }, 'did not stop cleanly'));
  if (!(await withTimeout(stopped, ms))) log.warn({ name, ms }, 'did not stop in time');
}
