import type { Logger } from 'pino';
import { loggable } from './loggable.ts';
import { within } from './within.ts';

/** One thing to stop, and how long that may take (ms). */
export interface Stop {
  name: string;
  ms: number;
  run(): Promise<unknown>;
}

/** Runs the stops in order. One that fails or takes too long is logged and left behind: the next ones must still run. */
export async function stopInOrder(stops: readonly Stop[], log: Logger): Promise<void> {
  for (const { name, ms, run } of stops) {
    const stopped = run().catch((error) => log.warn({ name, error: loggable(error) }, 'did not stop cleanly'));
    if (!(await within(stopped, ms))) log.warn({ name, ms }, 'did not stop in time');
  }
}
