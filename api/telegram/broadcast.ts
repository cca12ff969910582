import { setMaxListeners } from 'node:events';
import { type Connection, type Model, Schema, Types } from 'mongoose';
import type { Logger } from 'pino';
import { PublicError } from '../../common/errors.ts';
import type { BroadcastResult } from '../../common/telegram/model.ts';
import type { Clock } from '../../common/time.ts';
import type { Audit } from '../audit/service.ts';
import { ensureIndexes } from '../platform/database.ts';
import { pause } from '../platform/resilience.ts';
import type { Progress, Runs, Starter } from '../runs/service.ts';
import type { TelegramLinks } from './links.ts';
import type { Sender, SendFailure } from './sender.ts';

/** A broadcast with its outcome; its text is not stored. */
export interface BroadcastRecord {
  _id: Types.ObjectId;
  at: Date;
  /** Chats. Those neither sent nor failed wait while the broadcast runs. */
  total: number;
  sent: number;
  failed: number;
  /** Null while it runs. */
  endedAt: Date | null;
}

const RETENTION_SECONDS = 30 * 86_400;

const broadcastSchema = new Schema<BroadcastRecord>(
  {
    at: { type: Date, required: true },
    total: { type: Number, required: true },
    sent: { type: Number, required: true },
    failed: { type: Number, required: true },
    endedAt: { type: Date, default: null },
  },
  { versionKey: false, collection: 'broadcasts' },
);
// Retention, and the broadcasts of the last day.
broadcastSchema.index({ at: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

export function broadcastModel(connection: Connection): Model<BroadcastRecord> {
  return connection.model<BroadcastRecord>('Broadcast', broadcastSchema);
}

/** Messages at the sender at a time; the sender keeps the limits of Telegram. */
const CONCURRENCY = 40;
/** Attempts of a message that certainly was not sent, and the delay between them unless Telegram names one, s. */
const ATTEMPTS = 3;
const RETRY_AFTER = 2;
/** The message fails when Telegram requests a longer delay, s: an announcement must not arrive hours later. */
const RETRY_AFTER_MAX = 600;
/** Failures described in the result. */
const ERRORS_MAX = 10;

interface BroadcastDeps {
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

export type Broadcasts = ReturnType<typeof createBroadcasts>;

/** Opens the broadcasts: messages to every chat that accepts messages. */
export async function openBroadcasts(deps: BroadcastDeps): Promise<Broadcasts> {
  const model = broadcastModel(deps.connection);
  await ensureIndexes(model);
  const now = new Date(deps.clock.now());
  // Broadcasts that an earlier process left unfinished end here: the chats they reached are unknown, so none is sent to again.
  await model.updateMany(
    { at: { $lte: now }, endedAt: null },
    [{ $set: { failed: { $subtract: ['$total', '$sent'] }, endedAt: now } }],
    { updatePipeline: true },
  );
  return createBroadcasts({ ...deps, model });
}

function createBroadcasts(deps: Omit<BroadcastDeps, 'connection'> & { model: Model<BroadcastRecord> }) {
  const { model, runs, audit, telegram, clock, log } = deps;

  async function sendToAll(text: string, progress: Progress, signal: AbortSignal): Promise<BroadcastResult> {
    const chats = await telegram.links.activeChats();
    const result: BroadcastResult = { success: false, sentCount: 0, failedCount: 0, errors: [] };
    const _id = new Types.ObjectId();
    await model.create({ _id, at: new Date(clock.now()), total: chats.length, sent: 0, failed: 0, endedAt: null });
    const store = async (endedAt: Date | null) => {
      const fields = { sent: result.sentCount, failed: result.failedCount, endedAt };
      // A failed write is made up for by the next.
      await model.updateOne({ _id }, { $set: fields }).catch((error: unknown) => {
        log.warn({ error }, 'broadcast counts could not be stored');
      });
    };
    let storing: Promise<void> | undefined;
    progress(0, chats.length, `Sending to ${chats.length} chats`);
    const remaining = chats.values();
    // All workers may pause at the same time.
    setMaxListeners(CONCURRENCY + 10, signal);
    const worker = async () => {
      // The iterator is shared, so that each chat is taken once.
      for (const { chatId } of remaining) {
        const failure = await sendOnce(chatId, text, telegram.sender, signal);
        if (failure === null) result.sentCount += 1;
        else result.failedCount += 1;
        if (failure !== null && result.errors.length < ERRORS_MAX) {
          result.errors.push(`Chat ${chatId}: ${describe(failure)}`);
        }
        progress(result.sentCount + result.failedCount, chats.length);
        // One write at a time.
        storing ??= store(null).finally(() => (storing = undefined));
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    await storing;
    await store(new Date(clock.now()));
    return { ...result, success: result.sentCount > 0 };
  }

  return {
    /** Sends a message to every chat. Resolves at the end. Throws `bot-not-connected` and `already-running`. */
    async send(text: string, by: Starter): Promise<BroadcastResult> {
      if (!telegram.isConnected()) throw new PublicError('bot-not-connected');
      const object = `${text.length} characters`;
      const work = async (progress: Progress, signal: AbortSignal) => {
        const result = await sendToAll(text, progress, signal);
        const { sentCount, failedCount } = result;
        const outcome = `to ${sentCount} of ${sentCount + failedCount} chats, ${failedCount} failed`;
        // The start has an entry of its own. The broadcast has ended: a failed audit must not look like its failure.
        if (by !== 'schedule') {
          await audit.record('broadcast-sent', by, null, `${object}: sent ${outcome}`).catch((error: unknown) => {
            log.warn({ error }, 'end of a broadcast could not be audited');
          });
        }
        return { result, message: `Sent ${outcome}` };
      };
      return (await runs.run('broadcast', by, work, object)).result;
    },
  };
}

/** Sends a message once, or again if it certainly was not sent. Returns null once it was sent. */
async function sendOnce(
  chatId: string,
  text: string,
  sender: Pick<Sender, 'send'>,
  signal: AbortSignal,
): Promise<SendFailure | null> {
  for (let attempt = 1; ; attempt += 1) {
    if (signal.aborted) return { failed: 'unavailable' };
    const result = await sender.send(chatId, text, { priority: 'bulk' });
    if (result === 'sent') return null;
    const canRetry = result.failed === 'unavailable' && !result.maybeSent && attempt < ATTEMPTS;
    const { retryAfter = RETRY_AFTER } = result;
    if (!canRetry || retryAfter > RETRY_AFTER_MAX) return result;
    await pause(retryAfter * 1000, signal);
  }
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
