import type { BookRecord, TradingAccountRecord } from '../accounts/model.ts';
import type { OrderFills } from '../orders/order-fills.ts';
import type { AttemptRecord } from '../orders/record.ts';
import type { HeldLot, PositionBook } from '../positions/fill-book.ts';

/** Play money and coins of paper trading. User ids are hexadecimal. */
export interface PaperBook {
  /** Returns the play money that no order has reserved, lamports. */
  lamports(userId: string): Promise<number>;
  /** Returns what a wallet holds of a coin, with every fill that is stored. */
  lot(userId: string, wallet: string, address: string): Promise<HeldLot>;
  /** Returns the stored attempts of a wallet for a coin that have no verdict. */
  undecided(
    userId: string,
    wallet: string,
    address: string,
  ): Promise<Pick<AttemptRecord, 'signature' | 'firstSentAt' | 'delayMs'>[]>;
  /** Returns whether the user has bought anything on paper since the last reset. */
  hasBought(userId: string, wallet: string): Promise<boolean>;
}

type PaperMoney = TradingAccountRecord['paper'];

/** What the book reads. */
export interface PaperSources {
  accounts: {
    read(userId: string): Promise<{ paper: PaperMoney; books: { paper: Pick<BookRecord, 'reservedLamports'> } }>;
  };
  positions: Pick<PositionBook, 'lot'>;
  orderFills: OrderFills;
}

/** `sources`: called at each use, since orders and positions open after the executors. */
export function createPaperBook(sources: () => PaperSources): PaperBook {
  return {
    async lamports(userId) {
      const { paper, books } = await sources().accounts.read(userId);
      return Math.max(0, paper.lamports - books.paper.reservedLamports);
    },
    lot(userId, wallet, address) {
      const { positions, orderFills } = sources();
      const holding = { mode: 'paper', cluster: null, wallet, address } as const;
      return positions.lot({ userId, ...holding }, () => orderFills.openOf(userId, holding));
    },
    async undecided(userId, wallet, address) {
      const open = await sources().orderFills.openOf(userId, { mode: 'paper', wallet, address });
      return open.flatMap(({ attempts }) => attempts.filter(({ outcome }) => outcome === null));
    },
    async hasBought(userId, wallet) {
      const { accounts, orderFills } = sources();
      const { paper } = await accounts.read(userId);
      return orderFills.hasBought(userId, { mode: 'paper', wallet, since: paper.resetAt.getTime() });
    },
  };
}
