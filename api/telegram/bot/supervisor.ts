import { NetworkError, ParseError, TelegramApiError, TimeoutError } from 'node-telegram-bot-api';
import type { Logger } from 'pino';
import type { Clock, Random } from '../../../common/time.ts';
import { backoff, pause, withTimeout } from '../../platform/resilience.ts';
import { isDatabaseAway } from './dispatch.ts';

/** Delays before the next attempt, ms. */
export interface SupervisorTiming {
  /** After the first failure, and the longest. */
  base: number;
  max: number;
  /** While another program polls with the same token. */
  conflict: number;
}

export const supervisorTiming: SupervisorTiming = { base: 1_000, max: 60_000, conflict: 30_000 };

/** Time that a stop waits for updates being taken in, ms. */
const STOP_TIMEOUT = 900;

export type SupervisorState =
  | { state: 'stopped' }
  /** `error`: the reason of the restart; null at the first start. */
  | { state: 'starting'; error: BotError | null }
  | { state: 'connected' }
  /** `retryAt`: epoch ms. */
  | { state: 'waiting'; error: BotError; retryAt: number }
  | { state: 'failed'; error: BotError };

export interface Supervisor {
  start(): void;
  /** Resolves within a second. */
  stop(): Promise<void>;
  state(): SupervisorState;
}

export interface SupervisorDeps {
  /** Runs the bot until it fails or `signal` aborts. Calls `connected` when Telegram has accepted it. */
  run(signal: AbortSignal, connected: () => void): Promise<void>;
  onChange(): void;
  timing: SupervisorTiming;
  clock: Clock;
  random: Random;
  log: Logger;
}

/** Restarts the bot after every failure, unless a restart can't help. */
export function createSupervisor({ run, onChange, timing, clock, random, log }: SupervisorDeps): Supervisor {
  const stopping = new AbortController();
  let current: SupervisorState = { state: 'stopped' };
  let running: Promise<void> | null = null;
  let failures = 0;

  function setState(state: SupervisorState): void {
    current = state;
    onChange();
  }

  function delayOf(error: BotError): number {
    switch (error.kind) {
      case 'conflict':
        return timing.conflict;
      case 'transient':
      case 'final': {
        const own = backoff(Math.max(0, failures - 1), { base: timing.base, max: timing.max, random });
        return Math.max(own, 'retryAfter' in error ? (error.retryAfter ?? 0) * 1000 : 0);
      }
    }
  }

  async function superviseRuns(): Promise<void> {
    let error: BotError | null = null;
    while (!stopping.signal.aborted) {
      setState({ state: 'starting', error });
      error = await runOnce();
      if (stopping.signal.aborted) break;
      failures += 1;
      // Only the text: an error of fetch may contain the address and with it the token.
      log.warn({ reason: error.text }, 'Telegram bot stopped');
      if (error.kind === 'final') return setState({ state: 'failed', error });
      const delay = delayOf(error);
      setState({ state: 'waiting', error, retryAt: clock.now() + delay });
      await pause(delay, stopping.signal);
    }
    setState({ state: 'stopped' });
  }

  async function runOnce(): Promise<BotError> {
    try {
      await run(stopping.signal, () => {
        failures = 0;
        setState({ state: 'connected' });
      });
      return { kind: 'transient', text: 'The bot has ended.' };
    } catch (error) {
      return botErrorOf(error);
    }
  }

  return {
    start() {
      running ??= superviseRuns();
    },
    async stop() {
      stopping.abort();
      if (running !== null) await withTimeout(running, STOP_TIMEOUT);
    },
    state: () => current,
  };
}

/**
 * An error of the bot. `final`: retrying can't help; `conflict`: another program polls; `transient`: may be over soon,
 * after `retryAfter` s if Telegram named a time. The text is for people and contains nothing of the original error: the
 * addresses of the Bot API contain the token.
 */
type BotError = { kind: 'final' | 'conflict'; text: string } | { kind: 'transient'; text: string; retryAfter?: number };

export function botErrorOf(error: unknown): BotError {
  if (error instanceof TelegramApiError) return apiErrorOf(error);
  if (error instanceof TimeoutError) return { kind: 'transient', text: 'Telegram did not answer in time.' };
  if (error instanceof ParseError) return { kind: 'transient', text: 'The server that answers is not Telegram.' };
  if (error instanceof NetworkError) return { kind: 'transient', text: 'Telegram cannot be reached.' };
  if (isDatabaseAway(error)) return { kind: 'transient', text: 'The database is not reachable.' };
  return { kind: 'transient', text: 'The bot failed on our side.' };
}

function apiErrorOf({ errorCode, retryAfter }: TelegramApiError): BotError {
  switch (errorCode) {
    case 401:
    case 404:
      return {
        kind: 'final',
        text: `Telegram does not know this bot token (${errorCode}). Check TELEGRAM_BOT_TOKEN and restart.`,
      };
    case 409:
      return { kind: 'conflict', text: 'Another program polls with the same bot token: run only one bot instance.' };
    case 429:
      return { kind: 'transient', text: 'Telegram asks to wait.', retryAfter: retryAfter ?? 1 };
    default:
      return { kind: 'transient', text: `Telegram answered with an error (${errorCode}).` };
  }
}
