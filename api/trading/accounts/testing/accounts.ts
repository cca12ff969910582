import { type Connection, Types } from 'mongoose';
import type { Reason } from '../../../../common/trading/reasons.ts';
import type { HoldRequest } from '../money-hold.ts';
import { type AccountActor, type AccountDeps, openTradingAccounts, type TradingAccounts } from '../service.ts';

/** Opens the accounts of a database as one process does, on a local chain. They are neither recorded nor emitted. */
export function testAccounts(
  connection: Connection,
  deps: Pick<AccountDeps, 'clock'> & Partial<AccountDeps>,
): TradingAccounts {
  return openTradingAccounts({
    connection,
    server: 'local',
    countUnknown: async () => 0,
    audit: { record: async () => {} },
    bus: { emit: () => {} },
    ...deps,
  });
}

/** A user whose password is asked for: each time is counted. */
export function actor(): { asked: { times: number }; by: AccountActor } {
  const asked = { times: 0 };
  const user = { _id: new Types.ObjectId(), username: 'anna' };
  const confirmReplacement = async () => {
    asked.times += 1;
  };
  return { asked, by: { user, address: '127.0.0.1', confirmReplacement } };
}

/** Holds money in as many rounds as the changes of other processes take. Returns why it is refused; null when it is held. */
export async function holdInRounds(
  accounts: TradingAccounts,
  userId: string,
  request: HoldRequest,
): Promise<Reason | null> {
  const outcome = await accounts.hold(userId, request);
  return outcome === 'lost' ? holdInRounds(accounts, userId, request) : outcome;
}
