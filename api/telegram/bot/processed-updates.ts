import type { Model } from 'mongoose';
import type { Logger } from 'pino';
import { loggable } from '../../platform/log.ts';
import type { HandledRecord } from '../links/model.ts';

/** More than Telegram sends again: the updates of a few polls that were never acknowledged. */
const KEPT = 500;

/** Which updates were handled, over restarts. */
export interface Handled {
  has(updateId: number): boolean;
  /** Resolves when it is stored, or can't be: then this process alone remembers it. */
  add(updateId: number): Promise<void>;
}

/** What the bot with this id has handled so far. */
export async function loadHandled(model: Model<HandledRecord>, botId: number, log: Logger): Promise<Handled> {
  const _id = String(botId);
  const stored = await model.findById(_id).lean<HandledRecord>();
  // A set keeps the order in which its items came.
  const known = new Set(stored?.updateIds ?? []);
  return {
    has: (updateId) => known.has(updateId),
    async add(updateId) {
      known.add(updateId);
      for (const oldest of known) {
        if (known.size <= KEPT) break;
        known.delete(oldest);
      }
      const push = { $push: { updateIds: { $each: [updateId], $slice: -KEPT } } };
      try {
        await model.updateOne({ _id }, push, { upsert: true });
      } catch (error) {
        log.warn({ error: loggable(error) }, 'could not store that a Telegram update was handled');
      }
    },
  };
}
