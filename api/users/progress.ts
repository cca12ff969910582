import { type Model, type QueryFilter, Types } from 'mongoose';
import { PublicError } from '../../common/errors.ts';
import type { UserRecord } from './model.ts';

/** Level and magic points of users (specification, section 7.2, legacy). Each change is one conditional update. */
export function createProgress(users: Model<UserRecord>) {
  /** Resolves with the user after the change; null when the condition is not met. */
  const change = (id: string, condition: QueryFilter<UserRecord>, set: Partial<UserRecord>) =>
    users
      .findOneAndUpdate(
        { $and: [{ _id: new Types.ObjectId(id) }, condition] },
        { $set: set },
        { returnDocument: 'after' },
      )
      .lean<UserRecord>();

  async function findOrThrow(id: string): Promise<UserRecord> {
    const user = await users.findById(id).lean<UserRecord>();
    if (!user) throw new PublicError('not-found');
    return user;
  }

  return {
    /**
     * Sets the balance. Throws `not-enough-magic-points` for a negative one, `forbidden` for one that is higher than before
     * unless `mayRaise`, `not-found` for an unknown user.
     */
    async setMagicPoints(id: string, magicPoints: number, mayRaise: boolean): Promise<UserRecord> {
      if (magicPoints < 0) {
        const balance = (await findOrThrow(id)).magicPoints;
        const text = `Not enough magic points: this costs ${balance - magicPoints}, and there are ${balance}.`;
        throw new PublicError('not-enough-magic-points', { text });
      }
      const hasEnough = { magicPoints: { $gte: magicPoints } };
      const changed = await change(id, mayRaise ? {} : hasEnough, { magicPoints });
      if (changed) return changed;
      await findOrThrow(id);
      throw new PublicError('forbidden', { text: 'Only an administrator may add magic points.' });
    },
    /** Sets the level to the current one plus 1. Throws `level-not-next` for any other, also for the second of two concurrent calls. */
    async levelUp(id: string, level: number): Promise<UserRecord> {
      const changed = await change(id, { level: level - 1 }, { level });
      if (changed) return changed;
      await findOrThrow(id);
      throw new PublicError('level-not-next');
    },
  };
}
