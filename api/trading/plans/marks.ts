import { type Connection, type Model, Types } from 'mongoose';
import { ruleModel } from '../../rules/model.ts';
import { strategyModel } from '../../strategies/model.ts';
import { userModel } from '../../users/model.ts';
import type { UserDocument } from '../../users/user-documents.ts';
import { walletModels } from '../../wallet/model.ts';
import { watchlistsModel } from '../../watchlists/model.ts';
import { tradingAccountModel } from '../accounts/model.ts';

/** A mark of each user: another one means that something which their plans depend on has changed. */
export type UserMarks = ReadonlyMap<string, string>;

/**
 * Creates the function that reads the marks of users with active plans, and of `userIds`: times of their active plans, versions of
 * account, wallet and lists, and whether they are deactivated. It finds changes that no event has reported.
 */
export function createMarks(connection: Connection): (userIds: readonly string[]) => Promise<UserMarks> {
  const plans = [ruleModel(connection), strategyModel(connection)];
  const versioned = [tradingAccountModel(connection), walletModels(connection).wallets, watchlistsModel(connection)];
  const users = userModel(connection);

  return async (userIds) => {
    const active = (await Promise.all(plans.map(activeOf))).flat();
    const marks = new Map<string, string>(userIds.map((userId) => [userId, '']));
    const add = (userId: string, text: string) => void marks.set(userId, `${marks.get(userId) ?? ''} ${text}`);
    for (const { _id, userId, updatedAt } of active)
      add(userId.toHexString(), `${_id.toHexString()} ${updatedAt.getTime()}`);
    const _id = { $in: [...marks.keys()].map((id) => new Types.ObjectId(id)) };
    const [inactive, ...found] = await Promise.all([
      // Index: isActive where not active.
      users.find({ isActive: false, _id }, { _id: 1 }).lean<Versioned[]>(),
      // By `_id`. In a fixed order, since texts are compared.
      ...versioned.map((model) => versionsOf(model.collection, _id)),
    ]);
    for (const user of inactive) add(user._id.toHexString(), 'inactive');
    for (const [kind, records] of found.entries()) {
      for (const record of records) add(record._id.toHexString(), `${kind}:${record.version ?? 0}`);
    }
    return marks;
  };
}

interface Versioned {
  _id: Types.ObjectId;
  version?: number;
}

function versionsOf(collection: Model<unknown>['collection'], _id: object): Promise<Versioned[]> {
  return collection.find<Versioned>({ _id }, { projection: { version: 1 } }).toArray();
}

/** Returns the active plans, in a fixed order. Index: isActive where active. */
function activeOf(model: Model<UserDocument>): Promise<Pick<UserDocument, '_id' | 'userId' | 'updatedAt'>[]> {
  return model.find({ isActive: true }, { userId: 1, updatedAt: 1 }).sort({ _id: 1 }).lean<UserDocument[]>().exec();
}
