import type { Logger } from 'pino';
import { withTimeout } from './resilience.ts';

/**
 * The stages of a stop, in order, with the time limit of each (ms). The supervisor leaves the server 3.8 s of the 5 s in
 * which everything ends; all stages together stay below that.
 */
const STAGES = {
  /** Producers of work and what administrators wait for, which would delay the end of the HTTP server. */
  work: 700,
  /** Connections to people and services; the market, which stores its last tick. */
  doors: 2_000,
  /** Subscribers to the market's last tokens. */
  listeners: 300,
  /** Storage that the others use until their end. */
  stores: 500,
} as const;
export type StopStage = keyof typeof STAGES;

/** A part of the server that runs from start to stop. */
export interface Part {
  name: string;
  /** The stage in which it stops. */
  stage: StopStage;
  /** Missing: it runs from the moment it is added. */
  start?(): Promise<void> | void;
  stop(): unknown;
}

export type Lifecycle = ReturnType<typeof createLifecycle>;

export function createLifecycle(log: Logger) {
  const waiting: Part[] = [];
  const running: Part[] = [];
  let stopped: Promise<void> | undefined;
  let hasStarted = false;

  return {
    add: (part: Part): void => void (part.start ? waiting : running).push(part),
    /** Starts the parts in the order in which they were added. */
    async start(): Promise<void> {
      for (const part of waiting.splice(0)) {
        // Before the start, so that a part whose start fails is stopped too.
        running.push(part);
        await part.start?.();
      }
      hasStarted = true;
    },
    /** Returns whether every part has started and no stop has begun. */
    isRunning: (): boolean => hasStarted && stopped === undefined,
    /** Stops what has started, stage after stage. The second call joins the first. */
    stop: (): Promise<void> => (stopped ??= stopInStages(running, log)),
  };
}

/** Stops the parts of a stage side by side. One that fails or exceeds its time is logged and left behind. */
async function stopInStages(parts: readonly Part[], log: Logger): Promise<void> {
  for (const [stage, ms] of Object.entries(STAGES)) {
    await Promise.all(parts.filter((part) => part.stage === stage).map((part) => stopOne(part, ms, log)));
  }
}

async function stopOne({ name, stop }: Part, ms: number, log: Logger): Promise<void> {
  const stopped = Promise.resolve()
    .then(stop)
    .catch((error: unknown) => log.warn({ name, error }, 'stop failed'));
  if (!(await withTimeout(stopped, ms))) log.warn({ name, ms }, 'stop timed out');
}
