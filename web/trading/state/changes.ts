import type { Exits, TradingAccount, TradingAccountChange } from '../../../common/trading/account.ts';
import { tradingCalls } from '../../../common/trading/http.ts';
import type { Position } from '../../../common/trading/position.ts';
import { request } from '../../http/client.ts';
import { queryClientAtom, type Store } from '../../store.ts';
import { receiveAccount, receiveChanged, receiveReport, tradingKeys } from './trading.ts';

/** Saves a partial change of the account. Real money makes the server ask for the password. Rejects with `HttpError`. */
export async function changeAccount(store: Store, change: TradingAccountChange): Promise<TradingAccount> {
  const { data } = await request(tradingCalls.changeAccount, { body: change });
  receiveAccount(store, data);
  return data;
}

/** Ends the lock of the stop-loss guard. With real money the server asks for the password. */
export async function liftGuard(store: Store): Promise<void> {
  const { data } = await request(tradingCalls.liftGuard);
  receiveAccount(store, data);
}

/** Sets the play money of paper trading to its start; the paper positions close. */
export async function resetPaper(store: Store): Promise<void> {
  const { data } = await request(tradingCalls.resetPaper);
  receiveAccount(store, data);
  void store.get(queryClientAtom).invalidateQueries({ queryKey: tradingKeys.positions });
}

/**
 * Stops buying; with `sell`, then sells every open position; with `pausesExits`, no exit fires until trading is resumed. Its report
 * is in the cache.
 */
export async function stopTrading(store: Store, how: { sell: boolean; pausesExits: boolean }): Promise<void> {
  const { data } = await request(tradingCalls.stop, { body: how });
  receiveReport(store, data);
  void store.get(queryClientAtom).invalidateQueries({ queryKey: tradingKeys.account });
}

/** Allows buying again. With real money the server asks for the password. */
export async function resumeTrading(store: Store): Promise<void> {
  const { data } = await request(tradingCalls.resume);
  receiveAccount(store, data);
}

/** Sets the exits of a position, with a version only while it has that one. Resolves with the position afterwards. */
export async function changeExits(store: Store, positionId: string, exits: Exits, version?: number): Promise<Position> {
  const body = version === undefined ? exits : { ...exits, version };
  const { data } = await request(tradingCalls.changeExits, { params: { id: positionId }, body });
  receiveChanged(store, data);
  return data;
}
