import type { BookRecord, TradingAccountRecord } from '../accounts/model.ts';
import type { OpenTrade, OrderFills } from '../orders/order-fills.ts';
import type { AttemptRecord } from '../orders/record.ts';
import type { HeldLot, PositionBook } from '../positions/fill-book.ts';

/** Play money and coins of paper trading. User ids are hexadecimal. */
export interface PaperBook {
  /** Returns the play money that no order has reserved, lamports. */
  lamports(userId: string): Promise<number>;
  /** Returns what a wallet has of a coin, at one moment. */
  holding(userId: string, wallet: string, address: string): Promise<PaperHolding>;
  /** Returns whether the user has bought anything on paper since the last reset. */
  hasBought(userId: string, wallet: string): Promise<boolean>;
}

/** What a wallet has of a coin: its tokens with every fill that is stored, and its stored attempts without a verdict. */
export interface PaperHolding {
  lot: HeldLot;
  undecided: (Pick<AttemptRecord, 'signature' | 'firstSentAt' | 'delayMs'> & Pick<OpenTrade, 'side'>)[];
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
    async holding(userId, wallet, address) {
      const { positions, orderFills } = sources();
      const holding = { mode: 'paper', cluster: null, wallet, address } as const;
      let open: OpenTrade[] = [];
      const lot = await positions.lot({ userId, ...holding }, async () => {
        open = await orderFills.openOf(userId, holding);
        return open;
      });
      const undecided = open.flatMap(({ side, attempts }) =>
        attempts.filter(({ outcome }) => outcome === null).map((attempt) => ({ ...attempt, side })),
      );
      return { lot, undecided };
    },
    async hasBought(userId, wallet) {
      const { accounts, orderFills } = sources();
      const { paper } = await accounts.read(userId);
      return orderFills.hasBought(userId, { mode: 'paper', wallet, since: paper.resetAt.getTime() });
    },
  };
}
