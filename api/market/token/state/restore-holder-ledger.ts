import type { TokenRecord, TradeRecord } from '../../../tokens/record.ts';
import { WalletBook } from './holder-ledger.ts';
import type { LiveToken } from './live-token.ts';
import { set } from './live-token.ts';

/** An empty book for a coin whose creation was seen. */
export function newBook(record: TokenRecord): WalletBook {
  return new WalletBook({
    creator: record.creator,
    at: record.createdAt ?? record.listedAt,
    slot: record.createdSlot,
  });
}

/**
 * Writes the book again from the coin's trades, after a restart or after the coin was let go of. When some of them are
 * no longer there, the wallets cannot be known: then the coin counts as one whose creation was not seen.
 */
export function rebuildBook(live: LiveToken, trades: readonly TradeRecord[]): void {
  const { record } = live;
  live.bookDue = false;
  const counted = record.buys + record.sells;
  if (trades.length < counted) {
    set(live, 'complete', false);
    set(live, 'holderCount', null);
    return;
  }
  const book = newBook(record);
  const ordered = [...trades].sort(
    (a, b) => a.at.getTime() - b.at.getTime() || (a.slot ?? 0) - (b.slot ?? 0) || inTransaction(a) - inTransaction(b),
  );
  for (const { side, wallet, amount, at, slot } of ordered) {
    book.apply({ side, wallet, amount, at: at.getTime(), slot });
  }
  live.book = book;
  if (trades.length === counted) return;
  // The process ended between storing trades and storing the token: the trades are right.
  const buys = trades.filter((trade) => trade.side === 'buy').length;
  set(live, 'buys', buys);
  set(live, 'sells', trades.length - buys);
}

/** Place of a trade within its transaction: the end of its id. */
function inTransaction(trade: TradeRecord): number {
  return Number(trade._id.slice(trade._id.lastIndexOf(':') + 1));
}
