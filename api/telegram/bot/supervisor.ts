import type { Logger } from 'pino';
import type { Clock, Random } from '../../../common/time.ts';
import { backoff, pause, withTimeout } from '../../platform/resilience.ts';
import { type Problem, problemOf } from './errors.ts';

/** Pauses before the next try, ms. */
export interface SupervisorTiming {
  /** After the first failure, and the longest. */
  base: number;
  max: number;
  /** While another program polls with the same token. */
  conflict: number;
}

export const supervisorTiming: SupervisorTiming = { base: 1_000, max: 60_000, conflict: 30_000 };

/** A stop waits this long, ms, for what is being handled. */
const STOP_PATIENCE = 900;

export type SupervisorState =
  | { state: 'stopped' }
  /** `problem`: why it had to start again; null at the first start. */
  | { state: 'starting'; problem: Problem | null }
  | { state: 'connected' }
  /** `retryAt`: epoch ms. */
  | { state: 'waiting'; problem: Problem; retryAt: number }
  | { state: 'failed'; problem: Problem };

export interface Supervisor {
  start(): void;
  /** Within a second. */
  stop(): Promise<void>;
  state(): SupervisorState;
}

export interface SupervisorDeps {
  /** One life of the bot, until it fails or `signal` aborts. `connected` is to be called when Telegram has taken it in. */
  run(signal: AbortSignal, connected: () => void): Promise<void>;
  onChange(): void;
  timing: SupervisorTiming;
  clock: Clock;
  random: Random;
  log: Logger;
}

/** Starts the bot again whenever it has failed, save where that can't help. */
export function createSupervisor({ run, onChange, timing, clock, random, log }: SupervisorDeps): Supervisor {
  const stopping = new AbortController();
  let current: SupervisorState = { state: 'stopped' };
  let life: Promise<void> | null = null;
  let failures = 0;

  function become(state: SupervisorState): void {
    current = state;
    onChange();
  }

  function waitOf(problem: Problem): number {
    switch (problem.kind) {
      case 'conflict':
        return timing.conflict;
      case 'passing':
      case 'final': {
        const own = backoff(Math.max(0, failures - 1), { base: timing.base, max: timing.max, random });
        return Math.max(own, 'retryAfter' in problem ? (problem.retryAfter ?? 0) * 1000 : 0);
      }
    }
  }

  async function live(): Promise<void> {
    let problem: Problem | null = null;
    while (!stopping.signal.aborted) {
      become({ state: 'starting', problem });
      problem = await once();
      if (stopping.signal.aborted) break;
      failures += 1;
      // The text alone: an error of fetch may hold the address, and with it the token.
      log.warn({ problem: problem.text }, 'the Telegram bot has stopped');
      if (problem.kind === 'final') return become({ state: 'failed', problem });
      const wait = waitOf(problem);
      become({ state: 'waiting', problem, retryAt: clock.now() + wait });
      await pause(wait, stopping.signal);
    }
    become({ state: 'stopped' });
  }

  async function once(): Promise<Problem> {
    try {
      await run(stopping.signal, () => {
        failures = 0;
        become({ state: 'connected' });
      });
      return { kind: 'passing', text: 'The bot has ended.' };
    } catch (error) {
      return problemOf(error);
    }
  }

  return {
    start() {
      life ??= live();
    },
    async stop() {
      stopping.abort();
      if (life !== null) await withTimeout(life, STOP_PATIENCE);
    },
    state: () => current,
  };
}
