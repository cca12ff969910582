import { type Model, type QueryFilter, Types } from 'mongoose';
import { PublicError } from '../../common/errors.ts';
import { FIRST_LEVEL, FIRST_MAGIC_POINTS } from '../../common/users/model.ts';
import { magicPointsOf, type UserRecord } from './model.ts';

/** Level and magic points of users (specification, section 7.2, legacy). Each change is one conditional update. */
export type Progress = ReturnType<typeof createProgress>;

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
        const balance = magicPointsOf(await findOrThrow(id));
        const text = `Not enough magic points: this costs ${balance - magicPoints}, and there are ${balance}.`;
        throw new PublicError('not-enough-magic-points', { text });
      }
      const hasEnough = atLeast('magicPoints', magicPoints, FIRST_MAGIC_POINTS);
      const changed = await change(id, mayRaise ? {} : hasEnough, { magicPoints });
      if (changed) return changed;
      await findOrThrow(id);
      throw new PublicError('forbidden', { text: 'Only an administrator may add magic points.' });
    },
    /** Sets the level to the current one plus 1. Throws `level-not-next` for any other, also for the second of two concurrent calls. */
    async levelUp(id: string, level: number): Promise<UserRecord> {
      const before = level - 1;
      const isBefore = before === FIRST_LEVEL ? { level: { $in: [before, null] } } : { level: before };
      const changed = await change(id, isBefore, { level });
      if (changed) return changed;
      await findOrThrow(id);
      throw new PublicError('level-not-next');
    },
  };
}

/** Matches a `field` of at least `least`; a missing one counts as `first`. */
function atLeast(field: 'magicPoints', least: number, first: number): QueryFilter<UserRecord> {
  const has = { [field]: { $gte: least } };
  return least <= first ? { $or: [has, { [field]: null }] } : has;
}
