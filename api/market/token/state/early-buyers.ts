import { slotsIn } from '../../../chain/slots.ts';
import type { Funding } from '../../sources/observation.ts';
import { createStake, joinStake, type LedgerTrade, leaveStake, type Stake, trackTrade } from './stake.ts';

/** First buyers whose stakes are followed, and the bound with the buyers right after the creation. */
const MAX_EARLY = 60;
const MAX_INSIDERS = 200;
/** Time after the creation in which every buyer is an insider, ms: a stranger's order does not arrive within it. */
export const INSIDER_MS = 800;
/**
 * Time after the creation in which equal first buys are compared, ms, and the number of equal ones that makes them a bundle. Equal to the unit:
 * in this time only programs buy, and a tolerance would join strangers with similar sizes.
 */
const EQUAL_MS = 4_000;
const EQUAL_WALLETS = 3;
/** Early buyers with one common funder that make them a bundle; two may be customers of the same service. */
const COMMON_FUNDER_WALLETS = 3;

/** An early buyer: its stake, and the first buy that is compared with others. */
interface EarlyBuyer extends Stake {
  /** Base units and lamports of the first buy; 0 lamports when unknown. */
  firstAmount: number;
  firstLamports: number;
  /** True when the first buy came within the compared time. */
  isCompared: boolean;
  isInsider: boolean;
}

/**
 * The first buyers of a coin other than its developer, and which of them are insiders: wallets that bought within 0.8 s of
 * the creation, at least three with equal first buys within 4 s, and wallets funded by the developer or, at least three,
 * by one common wallet. An insider remains one.
 * A class, since tens of thousands of instances are in memory at once.
 */
export class EarlyBuyers {
  readonly #slot: number | null;
  readonly #insiderSlots: number;
  readonly #equalSlots: number;
  readonly #buyers = new Map<string, EarlyBuyer>();
  readonly #insiders: Stake = createStake();
  #insiderCount = 0;

  /**
   * `slot`: that of the creation; null when unknown. `slotMs`: length of a slot, ms; null when unknown. Times are counted in slots:
   * block times are whole seconds, and receive times show the network's delay.
   */
  constructor(slot: number | null, slotMs: number | null) {
    this.#slot = slot;
    this.#insiderSlots = slotsIn(INSIDER_MS, slotMs);
    this.#equalSlots = slotsIn(EQUAL_MS, slotMs);
  }

  /** Adds a trade of a wallet other than the developer's. `held` and `holds` are its balances before and after. */
  apply(trade: LedgerTrade, held: number, holds: number): void {
    const buyer = this.#buyers.get(trade.wallet);
    if (buyer !== undefined) {
      trackTrade(buyer, trade, holds - held);
      if (buyer.isInsider) trackTrade(this.#insiders, trade, holds - held);
    } else if (trade.side === 'buy') {
      this.#addBuyer(trade, holds);
    }
  }

  #addBuyer(trade: LedgerTrade, holds: number): void {
    const slots = trade.slot === null || this.#slot === null ? null : trade.slot - this.#slot;
    const isLaunchBuyer = slots !== null && slots >= 0 && slots <= this.#insiderSlots;
    if (this.#buyers.size >= (isLaunchBuyer ? MAX_INSIDERS : MAX_EARLY)) return;
    const buyer: EarlyBuyer = {
      ...createStake(),
      firstAmount: trade.amount,
      firstLamports: trade.lamports ?? 0,
      isCompared: slots !== null && slots >= 0 && slots <= this.#equalSlots,
      isInsider: false,
    };
    trackTrade(buyer, trade, holds);
    this.#buyers.set(trade.wallet, buyer);
    if (isLaunchBuyer) this.#mark(buyer);
    if (buyer.isCompared) this.#compare(buyer);
  }

  /** Marks the buyers whose first buy equals this one, in lamports or in base units. */
  #compare(buyer: EarlyBuyer): void {
    const compared = [...this.#buyers.values()].filter((other) => other.isCompared);
    const { firstAmount, firstLamports } = buyer;
    const groups = [
      compared.filter((other) => other.firstAmount === firstAmount),
      firstLamports === 0 ? [] : compared.filter((other) => other.firstLamports === firstLamports),
    ];
    for (const group of groups) if (group.length >= EQUAL_WALLETS) for (const other of group) this.#mark(other);
  }

  #mark(buyer: EarlyBuyer): void {
    if (buyer.isInsider || this.#insiderCount >= MAX_INSIDERS) return;
    buyer.isInsider = true;
    this.#insiderCount += 1;
    joinStake(this.#insiders, buyer);
  }

  /** Marks the buyers that were funded by the developer, or with others by one common wallet. */
  addFunders(funders: readonly Funding[], isDeveloper: (wallet: string) => boolean): void {
    const byFunder = new Map<string, EarlyBuyer[]>();
    for (const { wallet, funder } of funders) {
      const buyer = this.#buyers.get(wallet);
      if (buyer === undefined) continue;
      byFunder.set(funder, [...(byFunder.get(funder) ?? []), buyer]);
    }
    for (const [funder, funded] of byFunder) {
      if (isDeveloper(funder) || funded.length >= COMMON_FUNDER_WALLETS) for (const buyer of funded) this.#mark(buyer);
    }
  }

  /** Removes and returns the stake of a wallet that turns out to be the developer's, whose trades are no longer the insiders'. */
  take(wallet: string): Stake | null {
    const buyer = this.#buyers.get(wallet) ?? null;
    this.#buyers.delete(wallet);
    if (buyer?.isInsider) {
      this.#insiderCount -= 1;
      leaveStake(this.#insiders, buyer);
    }
    return buyer;
  }

  /** Returns whether a wallet is an insider. */
  isInsider(wallet: string): boolean {
    return this.#buyers.get(wallet)?.isInsider ?? false;
  }

  /** Returns the insiders, in the order of their first buys. */
  insiderWallets(): string[] {
    return [...this.#buyers].filter(([, { isInsider }]) => isInsider).map(([wallet]) => wallet);
  }

  /** Returns what insiders bought, hold and sold; null when the slot of the creation is unknown and none was found otherwise. */
  insiders(): (Readonly<Stake> & { wallets: number }) | null {
    const stake = this.stake();
    return stake === null ? null : { ...stake, wallets: this.#insiderCount };
  }

  /** Returns the same without the number of wallets, and without a copy: it changes with the next trade. */
  stake(): Readonly<Stake> | null {
    return this.#slot === null && this.#insiderCount === 0 ? null : this.#insiders;
  }

  /** Returns the number of insiders for which `holds` is true. */
  countInsiders(holds: (wallet: string) => boolean): number {
    let count = 0;
    for (const [wallet, buyer] of this.#buyers) if (buyer.isInsider && holds(wallet)) count += 1;
    return count;
  }

  /** Returns the number of early buyers that are no insiders, at most 60. */
  outsiders(): number {
    return this.#buyers.size - this.#insiderCount;
  }

  /** Returns the first buyers, in the order of their first buys, at most `limit`. */
  first(limit: number): string[] {
    return [...this.#buyers.keys()].slice(0, limit);
  }
}
