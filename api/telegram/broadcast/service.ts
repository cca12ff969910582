import { setMaxListeners } from 'node:events';
import { type Connection, type Model, Types } from 'mongoose';
import type { Logger } from 'pino';
import { PublicError } from '../../../common/errors.ts';
import type { BroadcastResult } from '../../../common/telegram/model.ts';
import type { Clock } from '../../../common/time.ts';
import type { Audit } from '../../audit/service.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { loggable } from '../../platform/log.ts';
import { pause } from '../../platform/resilience.ts';
import type { Progress, Runs, Starter } from '../../runs/service.ts';
import type { TelegramLinks } from '../links/service.ts';
import type { Sender, SendFailure } from '../sender.ts';
import { type BroadcastRecord, broadcastModel } from './model.ts';

/** Messages at the sender at a time; it keeps Telegram's limits by itself. */
const AT_ONCE = 40;
/** How often a message is tried that has surely not been sent, and how long it waits in between unless Telegram says, s. */
const TRIES = 3;
const RETRY_AFTER = 2;
/** When Telegram asks for a longer wait, s, the message fails: what is to be said now is not said hours later. */
const RETRY_AFTER_MAX = 600;
/** Failures that are told in words. */
const ERRORS_TOLD = 10;

/** Says something to everybody whose chat takes messages. */
export interface Broadcasts {
  /** Resolves when it is over, whoever still waits for it. Throws `bot-not-connected` and `already-running`. */
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
  // What an earlier process left unfinished goes no further: nobody could say whom it has reached. Few in number.
  await model.updateMany(
    { at: { $lte: now }, endedAt: null },
    [{ $set: { failed: { $subtract: ['$total', '$sent'] }, endedAt: now } }],
    { updatePipeline: true },
  );
  return createBroadcasts({ ...deps, model });
}

export function createBroadcasts(
  deps: Omit<BroadcastDeps, 'connection'> & { model: Model<BroadcastRecord> },
): Broadcasts {
  const { model, runs, audit, telegram, clock, log } = deps;
  const { links, sender } = telegram;

  /** Once, unless it surely has not been sent. */
  async function sendOnce(chatId: string, text: string, signal: AbortSignal): Promise<SendFailure | null> {
    for (let tries = 1; ; tries += 1) {
      if (signal.aborted) return { failed: 'unavailable' };
      const result = await sender.send(chatId, text);
      if (result === 'sent') return null;
      const mayTryAgain = result.failed === 'unavailable' && !result.maybeSent && tries < TRIES;
      const { retryAfter = RETRY_AFTER } = result;
      if (!mayTryAgain || retryAfter > RETRY_AFTER_MAX) return result;
      await pause(retryAfter * 1000, signal);
    }
  }

  /** What came of it, beside the entry of its beginning. */
  async function recordEnd(object: string, by: Starter): Promise<void> {
    if (by === 'schedule') return;
    // It is over: that it can't be recorded now must not look like a failure of it.
    await audit.record('broadcast-sent', by, null, object).catch((error: unknown) => {
      log.warn({ error: loggable(error) }, 'the end of a broadcast could not be recorded');
    });
  }

  async function work(text: string, progress: Progress, signal: AbortSignal) {
    const chats = await links.activeChats();
    const record = { _id: new Types.ObjectId(), at: new Date(clock.now()), total: chats.length, endedAt: null };
    await model.create({ ...record, sent: 0, failed: 0 });
    const result: BroadcastResult = { success: false, sentCount: 0, failedCount: 0, errors: [] };
    const note = createNote(model, record._id, result, log);
    progress(0, chats.length, `Sending to ${chats.length} chats`);
    const waiting = chats.values();
    // All of them may have to wait at the same time.
    setMaxListeners(AT_ONCE + 10, signal);
    const takeTurns = async () => {
      // The one iterator is shared, so that each chat is somebody's, once.
      for (const { chatId } of waiting) {
        const failure = await sendOnce(chatId, text, signal);
        if (failure === null) result.sentCount += 1;
        else {
          result.failedCount += 1;
          if (result.errors.length < ERRORS_TOLD) result.errors.push(`Chat ${chatId}: ${inWords(failure)}`);
        }
        progress(result.sentCount + result.failedCount, chats.length);
        note.soon();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
    await note.end(new Date(clock.now()));
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

/** Keeps the counts in the database, with one write at a time. What can't be written is written with the next. */
function createNote(model: Model<BroadcastRecord>, _id: Types.ObjectId, result: BroadcastResult, log: Logger) {
  let writing: Promise<void> | undefined;

  async function write(endedAt: Date | null): Promise<void> {
    const counts = { sent: result.sentCount, failed: result.failedCount, endedAt };
    await model.updateOne({ _id }, { $set: counts }).catch((error: unknown) => {
      log.warn({ error: loggable(error) }, 'the counts of a broadcast could not be stored');
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

function inWords({ failed, maybeSent }: SendFailure): string {
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
