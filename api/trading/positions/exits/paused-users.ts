import type { EventSource } from '../../../events/bus.ts';
import type { TradingAccounts } from '../../accounts/service.ts';
import type { PositionRecord } from '../record.ts';

/** The users who have paused their exits with a stop, in memory: every price asks for them. */
export interface PausedUsers {
  has(position: Pick<PositionRecord, 'userId'>): boolean;
  stop(): void;
}

/** Reads the paused users, and follows their accounts from then on. */
export async function openPausedUsers(
  accounts: Pick<TradingAccounts, 'pausedUserIds'>,
  bus: EventSource,
): Promise<PausedUsers> {
  const paused = new Set<string>();
  const stop = bus.on('trading-account-changed', ({ userId, account }) => {
    if (account.stopped?.pausesExits) paused.add(userId);
    else paused.delete(userId);
  });
  for await (const userId of accounts.pausedUserIds()) paused.add(userId);
  return { has: ({ userId }) => paused.size > 0 && paused.has(userId.toHexString()), stop };
}
