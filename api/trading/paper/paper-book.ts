import { isAutomatic } from '../../../common/trading/order.ts';
import { createGrowingCache } from '../../platform/growing-cache.ts';
import { createJoinedReads } from '../../platform/joined-reads.ts';
import type { PlayAccount } from '../executors/executor.ts';
import type { AttemptRecord, OpenTrade } from '../orders/model.ts';
import type { OrderStore } from '../orders/store.ts';
import type { HeldLot, PositionBook } from '../positions/fill-book.ts';

/** Play money and coins of paper trading. User ids are hexadecimal. */
export interface PaperBook {
  /**
   * Returns the play money that no order has reserved, lamports, and whether the wallet has bought anything on paper since its last
   * reset. `account`: as it was just read; missing: it is read.
   */
  money(userId: string, wallet: string, account?: PlayAccount): Promise<{ lamports: number; hasBought: boolean }>;
  /** Returns what a wallet has of a coin, at one moment. */
  holding(userId: string, wallet: string, address: string): Promise<PaperHolding>;
  /** Returns the purchases of a wallet, of all coins, that are not closed. */
  openPurchases(userId: string, wallet: string): Promise<PaperAttempt[]>;
}

/** A stored attempt. */
export interface PaperAttempt
  extends Pick<AttemptRecord, 'signature' | 'firstSentAt' | 'delayMs'>,
    Pick<OpenTrade, 'side'> {
  /** Whether no plan has made it: such purchases of a coin go to one position. */
  isByHand?: boolean;
}

/** What a wallet has of a coin: its tokens with every fill that is stored, and its stored attempts. */
export interface PaperHolding {
  lot: HeldLot;
  /** Those without a verdict. */
  undecided: PaperAttempt[];
  /** The last attempts of orders whose effect is in no position yet, or that may be attempted again. */
  unapplied: PaperAttempt[];
}

/** Wallets that are remembered to have bought. */
const BUYERS_MAX = 10_000;

/** What the book reads. */
export interface PaperSources {
  accounts: {
    read(userId: string): Promise<PlayAccount>;
  };
  positions: Pick<PositionBook, 'lot'>;
  orderStore: Pick<OrderStore, 'openOf' | 'hasBought'>;
}

/** `sources`: called at each use, since orders and positions open after the executors. */
export function createPaperBook(sources: () => PaperSources): PaperBook {
  // Who has bought since a reset stays so.
  const buyers = createGrowingCache<true>(BUYERS_MAX);
  const joined = createJoinedReads<boolean>();

  async function hasBought(userId: string, wallet: string, since: number): Promise<boolean> {
    const key = `${userId} ${wallet} ${since}`;
    if (buyers.get(key)) return true;
    const found = await joined(key, () => sources().orderStore.hasBought(userId, { mode: 'paper', wallet, since }));
    if (found) buyers.set(key, true);
    return found;
  }

  return {
    async money(userId, wallet, account) {
      const { paper, books } = account ?? (await sources().accounts.read(userId));
      const lamports = Math.max(0, paper.lamports - books.paper.reservedLamports);
      return { lamports, hasBought: await hasBought(userId, wallet, paper.resetAt.getTime()) };
    },
    async holding(userId, wallet, address) {
      const { positions, orderStore } = sources();
      const holding = { mode: 'paper', cluster: null, wallet, address } as const;
      let open: OpenTrade[] = [];
      const lot = await positions.lot({ userId, ...holding }, async () => {
        open = await orderStore.openOf(userId, holding);
        return open;
      });
      const isUndecided = ({ attempts }: OpenTrade) => attempts.some(({ outcome }) => outcome === null);
      return {
        lot,
        undecided: open.flatMap(attemptsOf).filter(({ outcome }) => outcome === null),
        unapplied: open.filter((order) => !isUndecided(order)).flatMap((order) => attemptsOf(order).slice(-1)),
      };
    },
    async openPurchases(userId, wallet) {
      const open = await sources().orderStore.openOf(userId, { mode: 'paper', wallet, address: null });
      return open.filter(({ side }) => side === 'buy').flatMap((order) => attemptsOf(order).slice(-1));
    },
  };
}

function attemptsOf({ side, cause, attempts }: OpenTrade): (AttemptRecord & PaperAttempt)[] {
  return attempts.map((attempt) => ({ ...attempt, side, isByHand: !isAutomatic(cause) }));
}
