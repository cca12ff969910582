/** Wallets one book may hold; a coin with more has its smallest forgotten and is no longer counted. */
const MAX_WALLETS = 10_000;
/** Share of them that goes when the book is full, so that it happens seldom. */
const FORGET_SHARE = 0.2;
/** Buyers in the slot of the creation that are remembered. */
const MAX_SAME_SLOT = 200;
/** Wallets the holders tab shows. */
export const TOP_WALLETS = 20;
/** A sale of the creator's first buy counts as early for this long after the creation, ms. */
export const EARLY_SALE_SPAN = 60_000;

export interface BookTrade {
  side: 'buy' | 'sell';
  wallet: string;
  /** Base units. */
  amount: number;
  /** Epoch ms. */
  at: number;
  slot: number | null;
}

/** How a book began. */
export interface Creation {
  creator: string | null;
  at: number;
  /** null when the slot of the creation is not known. */
  slot: number | null;
}

/**
 * Who holds a coin, from its trades since the creation. Curve and pool never trade, so they are not in it. Transfers between
 * wallets are not seen: a wallet that sells more than it bought ends at zero.
 */
export class WalletBook {
  readonly #creation: Creation;
  readonly #balances = new Map<string, number>();
  readonly #sameSlot = new Set<string>();
  /** The largest wallets, largest first; null when a trade may have changed them. */
  #top: { wallet: string; amount: number }[] | null = [];
  #exact: boolean = true;
  #creatorFirstBuy = 0;
  #creatorSoldEarly = 0;
  #buysWithoutSell = 0;
  #othersSold: boolean = false;

  constructor(creation: Creation) {
    this.#creation = creation;
  }

  apply(trade: BookTrade): void {
    const held = this.#balances.get(trade.wallet) ?? 0;
    const next = trade.side === 'buy' ? held + trade.amount : held - trade.amount;
    // Dust-free: an empty wallet is no holder, and would only take room.
    if (next > 0) this.#balances.set(trade.wallet, next);
    else this.#balances.delete(trade.wallet);
    this.#top = null;
    if (this.#balances.size > MAX_WALLETS) this.#forgetSmallest();
    if (trade.wallet === this.#creation.creator) this.#applyCreator(trade);
    else this.#applyOther(trade);
  }

  #applyCreator(trade: BookTrade): void {
    if (trade.side === 'buy') {
      if (this.#creatorFirstBuy === 0) this.#creatorFirstBuy = trade.amount;
      if (!this.#othersSold) this.#buysWithoutSell += 1;
    } else if (trade.at - this.#creation.at <= EARLY_SALE_SPAN) {
      this.#creatorSoldEarly += trade.amount;
    }
  }

  #applyOther(trade: BookTrade): void {
    if (trade.side === 'sell') {
      this.#othersSold = true;
      this.#buysWithoutSell = 0;
      return;
    }
    if (!this.#othersSold) this.#buysWithoutSell += 1;
    const bundled = trade.slot !== null && trade.slot === this.#creation.slot;
    if (bundled && this.#sameSlot.size < MAX_SAME_SLOT) this.#sameSlot.add(trade.wallet);
  }

  #forgetSmallest(): void {
    const smallest = [...this.#balances].sort((a, b) => a[1] - b[1]).slice(0, MAX_WALLETS * FORGET_SHARE);
    for (const [wallet] of smallest) this.#balances.delete(wallet);
    this.#exact = false;
  }

  /** Wallets in memory: what the book costs. */
  get size(): number {
    return this.#balances.size;
  }

  /** How many wallets hold the coin; null once some had to be forgotten. */
  holders(): number | null {
    return this.#exact ? this.#balances.size : null;
  }

  /** The largest wallets, largest first, at most 20. The array is the book's own: it is replaced, never changed. */
  top(): readonly { wallet: string; amount: number }[] {
    this.#top ??= largest(this.#balances);
    return this.#top;
  }

  creatorHolds(): number | null {
    const { creator } = this.#creation;
    return creator === null ? null : (this.#balances.get(creator) ?? 0);
  }

  /** What the buyers in the slot of the creation hold now; null when that slot is not known. */
  sameSlotHolds(): number | null {
    if (this.#creation.slot === null) return null;
    let sum = 0;
    for (const wallet of this.#sameSlot) sum += this.#balances.get(wallet) ?? 0;
    return sum;
  }

  /** Percent 0–100 of its first buy that the creator sold within 60 s of the creation; null when the creator is not known. */
  creatorSoldEarly(): number | null {
    if (this.#creation.creator === null) return null;
    if (this.#creatorFirstBuy === 0) return 0;
    return Math.min(100, (this.#creatorSoldEarly / this.#creatorFirstBuy) * 100);
  }

  /** Buys while nobody but the creator has sold; 0 once somebody did. */
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
