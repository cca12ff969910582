import type { UserData } from '../../common/live/user-data.ts';
import type { Transaction } from '../../common/transactions/model.ts';
import type { Publisher } from '../../realtime/publisher.ts';

/** Tells all open tabs of a user, in whatever process they hang, what changed of the user's own data. */
export interface TellUser {
  data(userId: string, change: UserData): void;
  transaction(userId: string, transaction: Transaction): void;
}

/** To be called after the write is acknowledged, with what the presenter built. */
export function createTellUser(publisher: Pick<Publisher, 'send'>): TellUser {
  return {
    data: (userId, change) => publisher.send('user-data', { userId }, change),
    transaction: (userId, transaction) => publisher.send('transaction', { userId }, transaction),
  };
}
