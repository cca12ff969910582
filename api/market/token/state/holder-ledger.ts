import type { TokenRecord } from '../../../tokens/record.ts';

/** Wallets in one ledger; beyond it the smallest are dropped and holders are no longer counted. */
const MAX_WALLETS = 10_000;
/** Share of the wallets dropped from a full ledger, so that it happens rarely. */
const DROP_SHARE = 0.2;
/** Buyers remembered from the slot of the creation. */
const MAX_SAME_SLOT = 200;
/** Wallets on the holders tab. */
export const TOP_WALLETS = 20;
/** Time after the creation in which a sale of the creator's first buy counts as early, ms. */
export const EARLY_SALE_SPAN = 60_000;

export interface LedgerTrade {
  side: 'buy' | 'sell';
  wallet: string;
  /** Base units. */
  amount: number;
  /** Epoch ms. */
  at: number;
  slot: number | null;
}

export interface Creation {
  creator: string | null;
  at: number;
  /** null when the slot of the creation is unknown. */
  slot: number | null;
}

/** Creates an empty ledger for a coin whose creation was observed. */
export function createLedger(record: Pick<TokenRecord, 'creator' | 'createdAt' | 'listedAt' | 'createdSlot'>) {
  return new HolderLedger({
    creator: record.creator,
    at: record.createdAt ?? record.listedAt,
    slot: record.createdSlot,
  });
}

/**
 * Balances of a coin's holders, computed from its trades since the creation. Curve and pool never trade, so they are not
 * in it. Transfers between wallets are invisible: a wallet that sells more than it bought ends at zero.
 * A class, since tens of thousands of instances are in memory at once.
 */
export class HolderLedger {
  readonly #creation: Creation;
  readonly #balances = new Map<string, number>();
  readonly #sameSlot = new Set<string>();
  /** The largest wallets, largest first; null after a trade that may have changed them. */
  #top: { wallet: string; amount: number }[] | null = [];
  #exact: boolean = true;
  #creatorFirstBuy = 0;
  #creatorSoldEarly = 0;
  #buysWithoutSell = 0;
  #othersSold: boolean = false;

  constructor(creation: Creation) {
    this.#creation = creation;
  }

  apply(trade: LedgerTrade): void {
    const held = this.#balances.get(trade.wallet) ?? 0;
    const next = trade.side === 'buy' ? held + trade.amount : held - trade.amount;
    // An empty wallet is no holder and would only take memory.
    if (next > 0) this.#balances.set(trade.wallet, next);
    else this.#balances.delete(trade.wallet);
    this.#top = null;
    if (this.#balances.size > MAX_WALLETS) this.#dropSmallest();
    if (trade.wallet === this.#creation.creator) this.#applyCreator(trade);
    else this.#applyOther(trade);
  }

  #applyCreator(trade: LedgerTrade): void {
    if (trade.side === 'buy') {
      if (this.#creatorFirstBuy === 0) this.#creatorFirstBuy = trade.amount;
      if (!this.#othersSold) this.#buysWithoutSell += 1;
    } else if (trade.at - this.#creation.at <= EARLY_SALE_SPAN) {
      this.#creatorSoldEarly += trade.amount;
    }
  }

  #applyOther(trade: LedgerTrade): void {
    if (trade.side === 'sell') {
      this.#othersSold = true;
      this.#buysWithoutSell = 0;
      return;
    }
    if (!this.#othersSold) this.#buysWithoutSell += 1;
    const bundled = trade.slot !== null && trade.slot === this.#creation.slot;
    if (bundled && this.#sameSlot.size < MAX_SAME_SLOT) this.#sameSlot.add(trade.wallet);
  }

  #dropSmallest(): void {
    const smallest = [...this.#balances].sort((a, b) => a[1] - b[1]).slice(0, MAX_WALLETS * DROP_SHARE);
    for (const [wallet] of smallest) this.#balances.delete(wallet);
    this.#exact = false;
  }

  /** Number of wallets in memory. */
  get size(): number {
    return this.#balances.size;
  }

  /** Returns the number of holders; null once wallets were dropped. */
  holders(): number | null {
    return this.#exact ? this.#balances.size : null;
  }

  /** Returns the largest wallets, largest first, at most 20. The array is replaced, never changed. */
  top(): readonly { wallet: string; amount: number }[] {
    this.#top ??= largest(this.#balances);
    return this.#top;
  }

  creatorHolds(): number | null {
    const { creator } = this.#creation;
    return creator === null ? null : (this.#balances.get(creator) ?? 0);
  }

  /** Returns the present balance of the buyers in the slot of the creation; null when that slot is unknown. */
  sameSlotHolds(): number | null {
    if (this.#creation.slot === null) return null;
    let sum = 0;
    for (const wallet of this.#sameSlot) sum += this.#balances.get(wallet) ?? 0;
    return sum;
  }

  /** Returns percent 0–100 of its first buy that the creator sold within 60 s of the creation; null when the creator is unknown. */
  creatorSoldEarly(): number | null {
    if (this.#creation.creator === null) return null;
    if (this.#creatorFirstBuy === 0) return 0;
    return Math.min(100, (this.#creatorSoldEarly / this.#creatorFirstBuy) * 100);
  }

  /** Returns the number of buys while only the creator has sold; 0 after another wallet sold. */
  buysWithoutSell(): number {
    return this.#buysWithoutSell;
  }
}

function largest(balances: ReadonlyMap<string, number>): { wallet: string; amount: number }[] {
  const top: { wallet: string; amount: number }[] = [];
  for (const [wallet, amount] of balances) {
    const last = top.at(-1);
    if (top.length === TOP_WALLETS && last !== undefined && amount <= last.amount) continue;
    let place = top.length;
    while (place > 0 && (top[place - 1]?.amount ?? 0) < amount) place -= 1;
    top.splice(place, 0, { wallet, amount });
    if (top.length > TOP_WALLETS) top.pop();
  }
  return top;
}
