import type { Model } from 'mongoose';
import type { Logger } from 'pino';
import type { ProcessedUpdatesRecord } from '../links/model.ts';

/** Update ids stored: more than Telegram repeats, which are the updates of a few unacknowledged polls. */
const MAX_STORED = 500;

/** The updates already processed, across restarts. */
export interface ProcessedUpdates {
  has(updateId: number): boolean;
  /** Resolves when the id is stored, or when that failed: then only this process remembers it. */
  add(updateId: number): Promise<void>;
}

/** Loads the updates processed by the bot with this id. */
export async function loadProcessedUpdates(
  model: Model<ProcessedUpdatesRecord>,
  botId: number,
  log: Logger,
): Promise<ProcessedUpdates> {
  const _id = String(botId);
  const stored = await model.findById(_id).lean<ProcessedUpdatesRecord>();
  // A set keeps the order of insertion.
  const ids = new Set(stored?.updateIds ?? []);
  return {
    has: (updateId) => ids.has(updateId),
    async add(updateId) {
      ids.add(updateId);
      for (const oldest of ids) {
        if (ids.size <= MAX_STORED) break;
        ids.delete(oldest);
      }
      const push = { $push: { updateIds: { $each: [updateId], $slice: -MAX_STORED } } };
      try {
        await model.updateOne({ _id }, push, { upsert: true });
      } catch (error) {
        log.warn({ error }, 'processed Telegram update could not be stored');
      }
    },
  };
}
