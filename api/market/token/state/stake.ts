/** A trade as the ledger counts it. */
export interface LedgerTrade {
  side: 'buy' | 'sell';
  wallet: string;
  /** Base units. */
  amount: number;
  /** Paid or received, without fees; null when the quote has no SOL price. */
  lamports: number | null;
  /** Epoch ms. */
  at: number;
  slot: number | null;
}

/** What a wallet or a group of wallets bought, holds and sold, in base units. */
export type Stake = ReturnType<typeof createStake>;

export function createStake() {
  return {
    /** All that was ever bought and sold. */
    bought: 0,
    sold: 0,
    held: 0,
    /** Highest percent 0–100 of the purchases that was sold, ever. */
    soldShare: 0,
    /** Lamports paid and received; trades without a SOL value are left out. */
    boughtLamports: 0,
    soldLamports: 0,
    /** Time of the last sale, epoch ms; -Infinity without one. */
    lastSaleAt: Number.NEGATIVE_INFINITY,
  };
}

/** Adds a trade to a stake. `change` is that of the balance. */
export function trackTrade(stake: Stake, { side, amount, lamports, at }: LedgerTrade, change: number): void {
  stake.held += change;
  if (side === 'buy') {
    stake.bought += amount;
    stake.boughtLamports += lamports ?? 0;
    return;
  }
  stake.sold += amount;
  stake.soldLamports += lamports ?? 0;
  stake.lastSaleAt = Math.max(stake.lastSaleAt, at);
  raiseSoldShare(stake);
}

/** Adds another stake to a group's. */
export function joinStake(group: Stake, other: Readonly<Stake>): void {
  group.bought += other.bought;
  group.sold += other.sold;
  group.held += other.held;
  group.boughtLamports += other.boughtLamports;
  group.soldLamports += other.soldLamports;
  group.lastSaleAt = Math.max(group.lastSaleAt, other.lastSaleAt);
  raiseSoldShare(group);
}

/** Takes a stake out of a group's. The highest sold share and the last sale of the group stay: they are bad news. */
export function leaveStake(group: Stake, other: Readonly<Stake>): void {
  group.bought -= other.bought;
  group.sold -= other.sold;
  group.held -= other.held;
  group.boughtLamports -= other.boughtLamports;
  group.soldLamports -= other.soldLamports;
}

function raiseSoldShare(stake: Stake): void {
  if (stake.sold === 0) return;
  const share = stake.bought === 0 ? 100 : Math.min(100, (stake.sold / stake.bought) * 100);
  stake.soldShare = Math.max(stake.soldShare, share);
}
