import { networkCosts } from './fills.ts';
import type { FillCosts } from './order.ts';

/** Amounts of a position at average cost. Tokens in base units; rents are apart, since they come back. */
export interface Lot {
  /** Held now. */
  tokens: bigint;
  boughtTokens: bigint;
  soldTokens: bigint;
  /** Left the wallet by other ways. */
  movedTokens: bigint;
  /** Paid for the tokens still held. */
  costLamports: number;
  /** Everything that left the wallet, failed attempts included. */
  paidLamports: number;
  /** Everything that came back by sales. */
  proceedsLamports: number;
  realisedLamports: number;
  /** Cost of the moved tokens, which is neither gained nor lost. */
  movedCostLamports: number;
  /** Unknown fees of launchpads are not in it; they are in the cost or the proceeds. */
  feesLamports: number;
  rentLamports: number;
  /** Average price paid, SOL for one whole token, without fees. */
  entryPrice: number;
  /** What its purchases have left in the curve less what its sales took, fees apart: on paper it is not really there. */
  quoteLamports: number;
}

export const emptyLot: Lot = {
  tokens: 0n,
  boughtTokens: 0n,
  soldTokens: 0n,
  movedTokens: 0n,
  costLamports: 0,
  paidLamports: 0,
  proceedsLamports: 0,
  realisedLamports: 0,
  movedCostLamports: 0,
  feesLamports: 0,
  rentLamports: 0,
  entryPrice: 0,
  quoteLamports: 0,
};

/** What a purchase or sale moved, or the part of it that concerns one lot. */
export interface LotTrade {
  tokens: bigint;
  /** A purchase: paid to the launchpad with its fee. A sale: received from it without the fee. */
  lamports: number;
  costs: FillCosts;
  /** SOL for one whole token, without fees. */
  price: number;
  /** Paid to the network by failed attempts of the same order. */
  lostFeesLamports: number;
}

/**
 * Every change keeps `costLamports + movedCostLamports - realisedLamports = paidLamports - proceedsLamports`, to the lamport.
 */

/** Returns the lot after a purchase. */
export function afterPurchase(lot: Lot, trade: LotTrade): Lot {
  const { tokens, lamports, costs, price } = trade;
  const paid = lamports + paidToNetwork(trade) + costs.volumeRentLamports;
  const held = Number(lot.tokens);
  const all = held + Number(tokens);
  return {
    ...lot,
    ...withFees(lot, trade),
    tokens: lot.tokens + tokens,
    boughtTokens: lot.boughtTokens + tokens,
    costLamports: lot.costLamports + paid,
    paidLamports: lot.paidLamports + paid,
    quoteLamports: lot.quoteLamports + lamports - (costs.launchpadFeeLamports ?? 0),
    entryPrice: all === 0 ? lot.entryPrice : (lot.entryPrice * held + price * Number(tokens)) / all,
  };
}

/** Returns the lot after a sale. Tokens beyond those of the lot are not counted; their lamports are. */
export function afterSale(lot: Lot, trade: LotTrade): Lot {
  const { lamports, costs } = trade;
  const sold = least(trade.tokens, lot.tokens);
  const cost = costOf(lot, sold);
  // A sale may cost more than it brings.
  const net = lamports - paidToNetwork(trade) - costs.volumeRentLamports;
  return {
    ...lot,
    ...withFees(lot, trade),
    tokens: lot.tokens - sold,
    soldTokens: lot.soldTokens + sold,
    costLamports: lot.costLamports - cost,
    paidLamports: lot.paidLamports + Math.max(0, -net),
    proceedsLamports: lot.proceedsLamports + Math.max(0, net),
    realisedLamports: lot.realisedLamports + net - cost,
    quoteLamports: lot.quoteLamports - lamports - (costs.launchpadFeeLamports ?? 0),
  };
}

/**
 * Returns the lot after an order that traded nothing of it. What failed attempts have paid is a cost of the tokens for a purchase,
 * a realised loss for a sale; a rent is that of another lot, which this one gets back now.
 */
export function afterCharge(lot: Lot, side: 'buy' | 'sell', trade: Pick<LotTrade, 'costs' | 'lostFeesLamports'>): Lot {
  const { lostFeesLamports: lost } = trade;
  const charged = { ...lot, ...withFees(lot, trade), paidLamports: lot.paidLamports + lost };
  return side === 'buy' && lot.tokens > 0n
    ? { ...charged, costLamports: lot.costLamports + lost }
    : { ...charged, realisedLamports: lot.realisedLamports - lost };
}

/** Returns the lot after tokens left the wallet by another way than a sale; at most those of the lot. */
export function afterMove(lot: Lot, tokens: bigint): Lot {
  const moved = least(tokens, lot.tokens);
  const cost = costOf(lot, moved);
  return {
    ...lot,
    tokens: lot.tokens - moved,
    movedTokens: lot.movedTokens + moved,
    costLamports: lot.costLamports - cost,
    movedCostLamports: lot.movedCostLamports + cost,
  };
}

/**
 * Returns the part of a trade for the tokens from `start` to `end` of all of them. Parts next to one another add up to the
 * whole, to the unit. Rents stay out.
 */
export function partOfTrade(trade: LotTrade, start: bigint, end: bigint): LotTrade {
  const all = trade.tokens;
  const upTo = (amount: number, tokens: bigint) => (all === 0n ? 0 : Number((BigInt(amount) * tokens) / all));
  const part = (amount: number) => upTo(amount, end) - upTo(amount, start);
  const { costs } = trade;
  return {
    tokens: end - start,
    lamports: part(trade.lamports),
    price: trade.price,
    lostFeesLamports: part(trade.lostFeesLamports),
    costs: {
      launchpadFeeLamports: costs.launchpadFeeLamports === null ? null : part(costs.launchpadFeeLamports),
      networkFeeLamports: part(costs.networkFeeLamports),
      priorityFeeLamports: part(costs.priorityFeeLamports),
      tipLamports: part(costs.tipLamports),
      accountRentLamports: 0,
      volumeRentLamports: 0,
      returnedRentLamports: 0,
    },
  };
}

/** Returns all known fees of a trade, failed attempts included, lamports. */
export function feesOf(trade: Pick<LotTrade, 'costs' | 'lostFeesLamports'>): number {
  return (trade.costs.launchpadFeeLamports ?? 0) + paidToNetwork(trade);
}

function paidToNetwork({ costs, lostFeesLamports }: Pick<LotTrade, 'costs' | 'lostFeesLamports'>): number {
  return networkCosts(costs) + lostFeesLamports;
}

function withFees(
  lot: Lot,
  trade: Pick<LotTrade, 'costs' | 'lostFeesLamports'>,
): Pick<Lot, 'feesLamports' | 'rentLamports'> {
  const { accountRentLamports, returnedRentLamports } = trade.costs;
  return {
    feesLamports: lot.feesLamports + feesOf(trade),
    // Rent that another lot has paid may come back here.
    rentLamports: Math.max(0, lot.rentLamports + accountRentLamports - returnedRentLamports),
  };
}

/** Returns the share of the cost of some tokens of a lot, lamports, rounded down; all of it for all tokens. */
function costOf(lot: Lot, tokens: bigint): number {
  return lot.tokens === 0n ? 0 : Number((BigInt(lot.costLamports) * tokens) / lot.tokens);
}

/** Returns the lower of two numbers. */
export const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
