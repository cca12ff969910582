import { setMaxListeners } from 'node:events';
import { type Connection, type Model, Types } from 'mongoose';
import type { Logger } from 'pino';
import { PublicError } from '../../../common/errors.ts';
import type { BroadcastResult } from '../../../common/telegram/model.ts';
import type { Clock } from '../../../common/time.ts';
import type { Audit } from '../../audit/service.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { pause } from '../../platform/resilience.ts';
import type { Progress, Runs, Starter } from '../../runs/service.ts';
import type { TelegramLinks } from '../links/service.ts';
import type { SendFailure } from '../send-failure.ts';
import type { Sender } from '../sender.ts';
import { type BroadcastRecord, broadcastModel } from './model.ts';

/** Messages at the sender at a time; the sender keeps the limits of Telegram. */
const CONCURRENCY = 40;
/** Attempts of a message that certainly was not sent, and the delay between them unless Telegram names one, s. */
const ATTEMPTS = 3;
const RETRY_AFTER = 2;
/** The message fails when Telegram requests a longer delay, s: an announcement must not arrive hours later. */
const RETRY_AFTER_MAX = 600;
/** Failures described in the result. */
const ERRORS_MAX = 10;

/** Sends a message to every chat that accepts messages. */
export interface Broadcasts {
  /** Resolves at the end of the broadcast. Throws `bot-not-connected` and `already-running`. */
  send(message: string, by: Starter): Promise<BroadcastResult>;
}

export interface BroadcastDeps {
  connection: Connection;
  runs: Pick<Runs, 'run'>;
  audit: Pick<Audit, 'record'>;
  telegram: {
    links: Pick<TelegramLinks, 'activeChats'>;
    sender: Pick<Sender, 'send'>;
    isConnected(): boolean;
  };
  clock: Clock;
  log: Logger;
}

export async function openBroadcasts(deps: BroadcastDeps): Promise<Broadcasts> {
  const model = broadcastModel(deps.connection);
  await ensureIndexes(model);
  const now = new Date(deps.clock.now());
  // Broadcasts that an earlier process left unfinished end here: the chats they reached are unknown.
  await model.updateMany(
    { at: { $lte: now }, endedAt: null },
    [{ $set: { failed: { $subtract: ['$total', '$sent'] }, endedAt: now } }],
    { updatePipeline: true },
  );
  return createBroadcasts({ ...deps, model });
}

function createBroadcasts(deps: Omit<BroadcastDeps, 'connection'> & { model: Model<BroadcastRecord> }): Broadcasts {
  const { model, runs, audit, telegram, clock, log } = deps;
  const { links, sender } = telegram;

  /** Sends a message once, or again if it certainly was not sent. */
  async function sendOnce(chatId: string, text: string, signal: AbortSignal): Promise<SendFailure | null> {
    for (let attempt = 1; ; attempt += 1) {
      if (signal.aborted) return { failed: 'unavailable' };
      const result = await sender.send(chatId, text);
      if (result === 'sent') return null;
      const canRetry = result.failed === 'unavailable' && !result.maybeSent && attempt < ATTEMPTS;
      const { retryAfter = RETRY_AFTER } = result;
      if (!canRetry || retryAfter > RETRY_AFTER_MAX) return result;
      await pause(retryAfter * 1000, signal);
    }
  }

  /** Audits the outcome; the start has an entry of its own. */
  async function recordEnd(object: string, by: Starter): Promise<void> {
    if (by === 'schedule') return;
    // The broadcast has ended: a failed audit must not look like its failure.
    await audit.record('broadcast-sent', by, null, object).catch((error: unknown) => {
      log.warn({ error }, 'end of a broadcast could not be audited');
    });
  }

  async function work(text: string, progress: Progress, signal: AbortSignal) {
    const chats = await links.activeChats();
    const record = { _id: new Types.ObjectId(), at: new Date(clock.now()), total: chats.length, endedAt: null };
    await model.create({ ...record, sent: 0, failed: 0 });
    const result: BroadcastResult = { success: false, sentCount: 0, failedCount: 0, errors: [] };
    const counts = createCountWriter(model, record._id, result, log);
    progress(0, chats.length, `Sending to ${chats.length} chats`);
    const remaining = chats.values();
    // All workers may pause at the same time.
    setMaxListeners(CONCURRENCY + 10, signal);
    const worker = async () => {
      // The iterator is shared, so that each chat is taken once.
      for (const { chatId } of remaining) {
        const failure = await sendOnce(chatId, text, signal);
        if (failure === null) result.sentCount += 1;
        else {
          result.failedCount += 1;
          if (result.errors.length < ERRORS_MAX) result.errors.push(`Chat ${chatId}: ${describe(failure)}`);
        }
        progress(result.sentCount + result.failedCount, chats.length);
        counts.soon();
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    await counts.end(new Date(clock.now()));
    result.success = result.sentCount > 0;
    return { ...result, outcome: `sent to ${result.sentCount} of ${chats.length} chats, ${result.failedCount} failed` };
  }

  return {
    async send(text, by) {
      if (!telegram.isConnected()) throw new PublicError('bot-not-connected');
      const object = `${text.length} characters`;
      const workAndRecord = async (progress: Progress, signal: AbortSignal) => {
        const { outcome, ...result } = await work(text, progress, signal);
        await recordEnd(`${object}: ${outcome}`, by);
        return { result, message: `S${outcome.slice(1)}` };
      };
      return (await runs.run('broadcast', by, workAndRecord, object)).result;
    },
  };
}

/** Stores the counts, one write at a time. A failed write is made up for by the next. */
function createCountWriter(model: Model<BroadcastRecord>, _id: Types.ObjectId, result: BroadcastResult, log: Logger) {
  let writing: Promise<void> | undefined;

  async function write(endedAt: Date | null): Promise<void> {
    const fields = { sent: result.sentCount, failed: result.failedCount, endedAt };
    await model.updateOne({ _id }, { $set: fields }).catch((error: unknown) => {
      log.warn({ error }, 'broadcast counts could not be stored');
    });
  }

  return {
    soon(): void {
      writing ??= write(null).finally(() => (writing = undefined));
    },
    async end(at: Date): Promise<void> {
      await writing;
      await write(at);
    },
  };
}

function describe({ failed, maybeSent }: SendFailure): string {
  if (maybeSent) return 'Telegram did not answer; it may have arrived.';
  switch (failed) {
    case 'blocked':
      return 'the bot was blocked.';
    case 'gone':
      return 'there is no such chat any more.';
    case 'refused':
      return 'Telegram refused the text.';
    case 'unavailable':
      return 'Telegram is not reachable.';
  }
}
