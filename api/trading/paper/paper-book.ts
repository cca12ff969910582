import { LRUCache } from 'lru-cache';
import type { BookRecord, TradingAccountRecord } from '../accounts/model.ts';
import type { OpenTrade, OrderFills } from '../orders/order-fills.ts';
import type { AttemptRecord } from '../orders/record.ts';
import type { HeldLot, PositionBook } from '../positions/fill-book.ts';

/** Play money and coins of paper trading. User ids are hexadecimal. */
export interface PaperBook {
  /** Returns the play money that no order has reserved, lamports, and whether the wallet has bought anything on paper since its last reset. */
  money(userId: string, wallet: string): Promise<{ lamports: number; hasBought: boolean }>;
  /** Returns what a wallet has of a coin, at one moment. */
  holding(userId: string, wallet: string, address: string): Promise<PaperHolding>;
}

/** What a wallet has of a coin: its tokens with every fill that is stored, and its stored attempts without a verdict. */
export interface PaperHolding {
  lot: HeldLot;
  undecided: (Pick<AttemptRecord, 'signature' | 'firstSentAt' | 'delayMs'> & Pick<OpenTrade, 'side'>)[];
}

type PaperMoney = TradingAccountRecord['paper'];

/** Wallets that are remembered to have bought. */
const BUYERS_MAX = 10_000;

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
  // Who has bought since a reset stays so.
  const buyers = new LRUCache<string, true>({ max: BUYERS_MAX });

  async function hasBought(userId: string, wallet: string, since: number): Promise<boolean> {
    const key = `${userId} ${wallet} ${since}`;
    if (buyers.get(key)) return true;
    const found = await sources().orderFills.hasBought(userId, { mode: 'paper', wallet, since });
    if (found) buyers.set(key, true);
    return found;
  }

  return {
    async money(userId, wallet) {
      const { paper, books } = await sources().accounts.read(userId);
      const lamports = Math.max(0, paper.lamports - books.paper.reservedLamports);
      return { lamports, hasBought: await hasBought(userId, wallet, paper.resetAt.getTime()) };
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
  };
}
