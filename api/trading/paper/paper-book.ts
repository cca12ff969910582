import type { BookRecord, TradingAccountRecord } from '../accounts/model.ts';
import type { OrderFills } from '../orders/order-fills.ts';
import type { PositionBook } from '../positions/fill-book.ts';

/** What a user holds of a coin on paper. */
export interface PaperLot {
  /** Base units. */
  tokens: bigint;
  /** Lamports that its purchases would have left in the curve, less those that its sales would have taken. */
  quoteLamports: number;
}

/** Play money and coins of paper trading. User ids are hexadecimal. */
export interface PaperBook {
  /** Returns the play money that no order has reserved, lamports. */
  lamports(userId: string): Promise<number>;
  lot(userId: string, wallet: string, address: string): Promise<PaperLot>;
  /** Returns whether the user has bought anything on paper since the last reset. */
  hasBought(userId: string, wallet: string): Promise<boolean>;
}

type PaperMoney = TradingAccountRecord['paper'];

/** What the book reads. */
export interface PaperSources {
  accounts: {
    read(userId: string): Promise<{ paper: PaperMoney; books: { paper: Pick<BookRecord, 'reservedLamports'> } }>;
  };
  positions: Pick<PositionBook, 'sellable'>;
  orderFills: OrderFills;
}

/** `sources`: called at each use, since orders and positions open after the executors. */
export function createPaperBook(sources: () => PaperSources): PaperBook {
  return {
    async lamports(userId) {
      const { paper, books } = await sources().accounts.read(userId);
      return Math.max(0, paper.lamports - books.paper.reservedLamports);
    },
    async lot(userId, wallet, address) {
      const { positions, orderFills } = sources();
      const all = await positions.sellable(userId);
      const own = all.filter(
        ({ mode, token, ...at }) => mode === 'paper' && at.wallet === wallet && token.address === address,
      );
      if (own.length === 0) return { tokens: 0n, quoteLamports: 0 };
      const fills = await orderFills.fillsOf(own.map(({ id }) => id));
      return {
        tokens: own.reduce((sum, { tokens }) => sum + tokens, 0n),
        quoteLamports: fills.reduce((sum, { side, fill }) => {
          const { lamports, costs } = fill;
          const { launchpadFeeLamports: fee } = costs;
          return sum + (side === 'buy' ? lamports - fee : -(lamports + fee));
        }, 0),
      };
    },
    async hasBought(userId, wallet) {
      const { accounts, orderFills } = sources();
      const { paper } = await accounts.read(userId);
      return orderFills.hasBought(userId, { mode: 'paper', wallet, since: paper.resetAt.getTime() });
    },
  };
}
