import { type Api, NetworkError, ParseError, TelegramApiError, TimeoutError } from 'node-telegram-bot-api';
import type { Logger } from 'pino';
import { type BotCommand, type BotInfo, botInfoSchema } from '../../../common/telegram/model.ts';
import type { Clock, Random } from '../../../common/time.ts';
import { backoff, pause, withTimeout } from '../../platform/resilience.ts';
import { isDatabaseAway } from './dispatch.ts';
import { requestedUpdates } from './update.ts';

/** Time that one getUpdates waits for updates, s. */
const POLL_SECONDS = 30;
/** Updates of one getUpdates: the most that Telegram gives. */
const BATCH = 100;
/** Time that a stop waits for updates being taken in, ms. */
const STOP_TIMEOUT = 900;

/** Delays before the next attempt, ms. */
export interface BotTiming {
  /** After the first failure, and the longest. */
  base: number;
  max: number;
  /** While another program polls with the same token. */
  conflict: number;
}

const defaultTiming: BotTiming = { base: 1_000, max: 60_000, conflict: 30_000 };

export type BotState =
  | { state: 'stopped' }
  /** `error`: the reason of the restart; null at the first start. */
  | { state: 'starting'; error: BotError | null }
  | { state: 'connected' }
  /** `retryAt`: epoch ms. */
  | { state: 'waiting'; error: BotError; retryAt: number }
  | { state: 'failed'; error: BotError };

/** What every update of the Bot API has. Telegram forgets an update when a higher id is acknowledged. */
interface Update {
  update_id: number;
}

export interface BotDeps {
  api: Pick<Api, 'getMe' | 'deleteWebhook' | 'setMyCommands'> & {
    getUpdates(...call: Parameters<Api['getUpdates']>): Promise<readonly Update[]>;
  };
  commands: readonly BotCommand[];
  /** Takes an update in. Resolves when it may be acknowledged; rejects when it must come again, which is `isRepeated` then. */
  take(update: Update, info: BotInfo, isRepeated: boolean): Promise<void>;
  onInfo(info: BotInfo): void;
  /** Called after every response of Telegram. */
  onContact(): void;
  onChange(): void;
  timing?: BotTiming | undefined;
  clock: Clock;
  random: Random;
  log: Logger;
}

/** Creates the bot, which connects, polls, and connects again after every failure unless that can't help. */
export function createBot(deps: BotDeps) {
  const { onChange, timing = defaultTiming, clock, random, log } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const batches = createBatches(deps);
  let current: BotState = { state: 'stopped' };
  let running: Promise<void> | null = null;
  let failures = 0;

  function setState(state: BotState): void {
    current = state;
    onChange();
  }

  function delayOf(error: BotError): number {
    if (error.kind === 'conflict') return timing.conflict;
    const own = backoff(failures - 1, { base: timing.base, max: timing.max, random });
    return Math.max(own, 'retryAfter' in error ? (error.retryAfter ?? 0) * 1000 : 0);
  }

  async function run(): Promise<void> {
    let error: BotError | null = null;
    while (!signal.aborted) {
      setState({ state: 'starting', error });
      error = await poll().catch(botErrorOf);
      if (signal.aborted) break;
      failures += 1;
      // Only the text: an error of fetch may contain the address and with it the token.
      log.warn({ reason: error.text }, 'Telegram bot stopped');
      if (error.kind === 'final') return setState({ state: 'failed', error });
      const delay = delayOf(error);
      setState({ state: 'waiting', error, retryAt: clock.now() + delay });
      await pause(delay, signal);
    }
    setState({ state: 'stopped' });
  }

  /** Connects and polls until something fails or the bot stops. */
  async function poll(): Promise<never> {
    const info = await connect(deps, signal);
    for (let isFirst = true; ; isFirst = false) {
      // The first call does not wait: it shows at once whether polling is possible.
      const updates = await batches.next(isFirst ? 0 : POLL_SECONDS, signal);
      if (isFirst) {
        failures = 0;
        setState({ state: 'connected' });
      }
      await batches.takeIn(updates, info);
      signal.throwIfAborted();
    }
  }

  return {
    start(): void {
      running ??= run();
    },
    /** Resolves within a second. */
    async stop(): Promise<void> {
      stopping.abort();
      if (running !== null) await withTimeout(running, STOP_TIMEOUT);
    },
    state: () => current,
  };
}

/** Identifies the bot, prepares it for polling and sets its menu. */
async function connect({ api, commands, onInfo, onContact }: BotDeps, signal: AbortSignal): Promise<BotInfo> {
  const info = botInfoSchema.strip().parse(await api.getMe(signal));
  onInfo(info);
  onContact();
  // Telegram refuses polling while a webhook is set.
  await api.deleteWebhook({}, signal);
  const menu = commands.map(({ command, description }) => ({ command, description }));
  await api.setMyCommands({ commands: menu }, signal);
  return info;
}

/**
 * The batches of updates. Telegram forgets a batch when the next one is requested with a higher offset, which happens only
 * after each of its updates may be acknowledged. The library's `longPoll` gives updates one by one: a slow press of one chat
 * would delay the stop of another one behind it.
 */
function createBatches({ api, take, onContact }: BotDeps) {
  /** Acknowledges everything before it; undefined until the first batch of this process. */
  let offset: number | undefined;
  /** Updates of the present batch that were taken in, or that must come again. */
  const seen = new Map<number, 'done' | 'failed'>();

  async function takeOne(update: Update, info: BotInfo): Promise<void> {
    const { update_id: id } = update;
    if (seen.get(id) === 'done') return;
    // An update that can't be acknowledged would be repeated at once and forever.
    if (!Number.isSafeInteger(id)) throw new Error('update without an id');
    const isRepeated = seen.get(id) === 'failed';
    seen.set(id, 'failed');
    await take(update, info, isRepeated);
    seen.set(id, 'done');
  }

  return {
    async next(timeout: number, signal: AbortSignal) {
      const request = { timeout, limit: BATCH, allowed_updates: requestedUpdates };
      const updates = await api.getUpdates(offset === undefined ? request : { ...request, offset }, signal);
      onContact();
      return updates;
    },
    /** Takes all updates of a batch in at the same time. Rejects when the batch must come again. */
    async takeIn(updates: readonly Update[], info: BotInfo): Promise<void> {
      const results = await Promise.allSettled(updates.map((update) => takeOne(update, info)));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
      const last = updates.at(-1);
      if (!last) return;
      offset = last.update_id + 1;
      seen.clear();
    },
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
