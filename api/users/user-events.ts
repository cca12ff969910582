import type { UserData } from '../../common/live/user-data.ts';
import type { Transaction } from '../../common/transactions/model.ts';
import type { EventSink } from '../events/bus.ts';

/** Emits the domain event of a change of a user's own data, after the write is acknowledged. */
export interface TellUser {
  data(userId: string, change: UserData): void;
  transaction(userId: string, transaction: Transaction): void;
}

export function createTellUser(bus: EventSink): TellUser {
  return {
    data(userId, change) {
      switch (change.subject) {
        case 'settings':
          return bus.emit('settings-changed', { userId, settings: change.item });
        case 'wallet':
          return bus.emit('wallet-changed', { userId, wallet: change.item });
        case 'telegram':
          return bus.emit('telegram-link-changed', { userId, link: change.item });
        case 'watchlists':
          return bus.emit('watchlist-changed', { userId, change });
        case 'rules':
        case 'strategies':
          return bus.emit('plan-changed', { userId, change });
      }
    },
    transaction: (userId, transaction) => bus.emit('transaction-changed', { userId, transaction }),
  };
}
