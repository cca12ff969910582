import { GROWTH_MIN_BUY } from '../../../../common/tokens/growth.ts';
import type { TokenRecord } from '../../../tokens/record.ts';
import { developerOf } from '../../../tokens/wallets/developer.ts';
import type { Funding } from '../../sources/observation.ts';
import { EarlyBuyers } from './early-buyers.ts';
import { createStake, joinStake, type LedgerTrade, type Stake, trackTrade } from './stake.ts';

/** Wallets in one ledger; beyond it the smallest are dropped and holders are no longer counted. */
const MAX_WALLETS = 10_000;
/** Share of the wallets dropped from a full ledger, so that it happens rarely. */
const DROP_SHARE = 0.2;
/** Wallets on the holders tab. */
const TOP_WALLETS = 20;
/** Time after the creation in which a sale of the developer counts as early, ms: 85 % of snipers leave within it (Pine Analytics, 2025). */
export const EARLY_SALE_SPAN = 300_000;

export interface Creation {
  /** The known ones of named creator, signer and fee payer. */
  developer: readonly string[];
  at: number;
  /** Slot, and length of a slot (ms); null when unknown. */
  slot: number | null;
  slotMs: number | null;
  /** Known funders of early buyers. */
  funders?: readonly Funding[];
}

/** What insiders bought, hold and sold, the developer left out. */
export type InsiderStake = Readonly<Stake> & { wallets: number };
/** What the developer bought, holds and sold; `soldEarlyShare`: percent of it that it sold within five minutes of the creation. */
export type DeveloperStake = Readonly<Stake> & { soldEarlyShare: number };

/** How far developer and insiders have left a coin. */
export type InsiderExit = Record<'share' | 'paid' | 'received', number>;

/** Fields of a record that a ledger starts from. */
type LedgerRecord = Pick<
  TokenRecord,
  | 'creator'
  | 'creationUser'
  | 'creationFeePayer'
  | 'feeCreator'
  | 'createdAt'
  | 'listedAt'
  | 'createdSlot'
  | 'slotMs'
  | 'funders'
>;

/** Creates an empty ledger for a coin whose creation was observed. */
export function createLedger(record: LedgerRecord) {
  return new HolderLedger({
    developer: developerOf(record),
    at: record.createdAt ?? record.listedAt,
    slot: record.createdSlot,
    slotMs: record.slotMs ?? null,
    funders: record.funders ?? [],
  });
}

/**
 * Balances of a coin's holders, computed from its trades since the creation, and the stakes of developer and insiders. Curve and
 * pool never trade, so they are not in it. Transfers between wallets are invisible: a wallet that sells more than it bought ends at
 * zero, and the surplus counts as sold without having been bought.
 * A class, since tens of thousands of instances are in memory at once.
 */
export class HolderLedger {
  readonly #creation: Creation;
  readonly #balances = new Map<string, number>();
  /** Lamports paid by the holders that bought for too little to count as outside holders. */
  readonly #dust = new Map<string, number>();
  readonly #developerWallets: Set<string>;
  readonly #developer: Stake = createStake();
  readonly #early: EarlyBuyers;
  /** The largest wallets, largest first; null after a trade that may have changed them. */
  #top: { wallet: string; amount: number }[] | null = [];
  #exact: boolean = true;
  /** Base units and lamports of sales by wallets that had not bought them, and the time of the last one. */
  #unbought = 0;
  #unboughtLamports = 0;
  #unboughtAt = Number.NEGATIVE_INFINITY;
  #soldEarlyShare = 0;
  #buysWithoutSell = 0;
  #othersSold: boolean = false;
  #funders: readonly Funding[];

  constructor(creation: Creation) {
    this.#creation = creation;
    this.#developerWallets = new Set(creation.developer);
    this.#early = new EarlyBuyers(creation.slot, creation.slotMs);
    this.#funders = creation.funders ?? [];
  }

  apply(trade: LedgerTrade): void {
    const held = this.#balances.get(trade.wallet) ?? 0;
    const next = Math.max(0, trade.side === 'buy' ? held + trade.amount : held - trade.amount);
    // An empty wallet is no holder and would only take memory.
    if (next > 0) this.#balances.set(trade.wallet, next);
    else this.#balances.delete(trade.wallet);
    this.#followDust(trade, held, next);
    this.#top = null;
    if (trade.side === 'sell' && trade.amount > held && this.#exact) this.#addUnbought(trade, held);
    if (this.#developerWallets.has(trade.wallet)) this.#applyDeveloper(trade, next - held);
    else this.#applyOther(trade, held, next);
    if (this.#balances.size > MAX_WALLETS) this.#dropSmallest();
  }

  /** Notes whether a holder has bought for less than an outside holder must have. An unknown worth counts, as in growth. */
  #followDust({ side, wallet, lamports }: LedgerTrade, held: number, holds: number): void {
    if (holds === 0) {
      this.#dust.delete(wallet);
      return;
    }
    const paid = held === 0 ? 0 : this.#dust.get(wallet);
    if (side === 'sell' || paid === undefined) return;
    const total = paid + (lamports ?? GROWTH_MIN_BUY);
    if (total >= GROWTH_MIN_BUY) this.#dust.delete(wallet);
    else this.#dust.set(wallet, total);
  }

  #addUnbought({ wallet, amount, lamports, at }: LedgerTrade, held: number): void {
    // What developer or insiders sell counts as theirs.
    if (this.isInsider(wallet)) return;
    const before = this.#handedOver();
    this.#unbought += amount - held;
    this.#unboughtLamports += (lamports ?? 0) * ((amount - held) / amount);
    if (this.#handedOver() > before) this.#unboughtAt = Math.max(this.#unboughtAt, at);
  }

  #applyDeveloper(trade: LedgerTrade, change: number): void {
    trackTrade(this.#developer, trade, change);
    if (trade.side === 'buy') {
      if (!this.#othersSold) this.#buysWithoutSell += 1;
    } else if (trade.at - this.#creation.at <= EARLY_SALE_SPAN) {
      this.#soldEarlyShare = this.#developer.soldShare;
    }
  }

  #applyOther(trade: LedgerTrade, held: number, holds: number): void {
    this.#early.apply(trade, held, holds);
    if (trade.side === 'buy') {
      // Funders may have been read before the first buy was observed.
      if (this.#funders.length > 0 && held === 0) this.addFunders(this.#funders);
      if (!this.#othersSold) this.#buysWithoutSell += 1;
    } else if (!this.#early.isInsider(trade.wallet)) {
      this.#othersSold = true;
      this.#buysWithoutSell = 0;
    }
  }

  #dropSmallest(): void {
    const smallest = [...this.#balances].sort((a, b) => a[1] - b[1]).slice(0, MAX_WALLETS * DROP_SHARE);
    for (const [wallet] of smallest) {
      this.#balances.delete(wallet);
      this.#dust.delete(wallet);
    }
    this.#exact = false;
  }

  /** Adds a developer wallet found after launch, including its recorded trades so far. */
  addDeveloper(wallet: string): void {
    if (this.#developerWallets.has(wallet)) return;
    this.#developerWallets.add(wallet);
    const held = this.#balances.get(wallet) ?? 0;
    joinStake(this.#developer, this.#early.take(wallet) ?? { ...createStake(), bought: held, held });
    this.addFunders(this.#funders);
  }

  /** Marks early buyers as insiders that the developer or one common wallet has funded. */
  addFunders(funders: readonly Funding[]): void {
    this.#funders = funders;
    this.#early.addFunders(funders, (wallet) => this.#developerWallets.has(wallet));
  }

  /** Number of wallets in memory. */
  get size(): number {
    return this.#balances.size;
  }

  /** Returns the number of holders; null once wallets were dropped. */
  holders(): number | null {
    return this.#exact ? this.#balances.size : null;
  }

  /**
   * Returns the number of holders other than developer and insiders that bought for at least 0.05 SOL; once wallets were dropped, at
   * least so many.
   */
  outsideHolders(): number {
    const counts = (wallet: string) => this.#balances.has(wallet) && !this.#dust.has(wallet);
    let developers = 0;
    for (const wallet of this.#developerWallets) if (counts(wallet)) developers += 1;
    return this.#balances.size - this.#dust.size - developers - this.#early.countInsiders(counts);
  }

  /** Returns the number of wallets that bought, developer and insiders left out, counted up to 60. */
  outsideBuyers(): number {
    return this.#early.outsiders();
  }

  /** Returns the first buyers other than the developer, in order, at most `limit`. */
  firstBuyers(limit: number): string[] {
    return this.#early.first(limit);
  }

  /** Returns the insiders, the developer left out, in the order of their first buys, at most 200. */
  insiderWallets(): string[] {
    return this.#early.insiderWallets();
  }

  /** Returns the largest wallets, largest first, at most 20. The array is replaced, never changed. */
  top(): readonly { wallet: string; amount: number }[] {
    this.#top ??= largest(this.#balances);
    return this.#top;
  }

  /** Returns whether a wallet belongs to the developer or to an insider. */
  isInsider(wallet: string): boolean {
    return this.#developerWallets.has(wallet) || this.#early.isInsider(wallet);
  }

  /** Returns the developer's stake; null when the developer is unknown. */
  developer(): DeveloperStake | null {
    return this.#developerWallets.size === 0 ? null : { ...this.#developer, soldEarlyShare: this.#soldEarlyShare };
  }

  /** Returns the stake of the insiders; null when they are unknown. */
  insiders(): InsiderStake | null {
    return this.#early.insiders();
  }

  /** Returns the base units that wallets sold without having bought them: they were transferred to them. */
  unboughtSales(): number {
    return this.#handedOver();
  }

  /**
   * Returns how many of the base units sold without a purchase can have come from developer or insiders: at most what they still seem to
   * hold. The rest are coins bought elsewhere, or moved between the wallets of strangers.
   */
  #handedOver(): number {
    return Math.min(this.#unbought, this.#developer.held + (this.#early.stake()?.held ?? 0));
  }

  /**
   * Returns the share 0–1 of what developer and insiders bought that they sold, and the lamports they paid and received. With
   * `complete` trades, sales by wallets that had not bought count as theirs.
   */
  insiderExit(complete: boolean): InsiderExit {
    const insiders = this.#early.stake();
    const bought = this.#developer.bought + (insiders?.bought ?? 0);
    const handedOver = complete ? this.#handedOver() : 0;
    const handedOverLamports = handedOver === 0 ? 0 : this.#unboughtLamports * (handedOver / this.#unbought);
    const sold = this.#developer.sold + (insiders?.sold ?? 0) + handedOver;
    return {
      share: bought === 0 ? Number(sold > 0) : Math.min(1, sold / bought),
      paid: this.#developer.boughtLamports + (insiders?.boughtLamports ?? 0),
      received: this.#developer.soldLamports + (insiders?.soldLamports ?? 0) + handedOverLamports,
    };
  }

  /** Returns the time of the last sale by developer, insiders or wallets that had not bought, epoch ms; -Infinity without one. */
  lastInsiderSaleAt(): number {
    const insiders = this.#early.stake()?.lastSaleAt ?? Number.NEGATIVE_INFINITY;
    return Math.max(this.#developer.lastSaleAt, insiders, this.#unboughtAt);
  }

  /** Returns the number of buys while only developer and insiders have sold; 0 after another wallet sold. */
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
