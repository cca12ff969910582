import type { ChainCluster } from '../../../common/client-config/model.ts';
import type { TradingMode } from '../../../common/trading/account.ts';
import type { OrderToken } from '../../../common/trading/order.ts';
import type { Position } from '../../../common/trading/position.ts';
import type { TradedCoin } from '../../market/traded/traded-coin.ts';
import type { Outcome } from '../executors/executor.ts';
import type { OpenTrade, OrderRecord } from '../orders/model.ts';
import type { Holding } from './model.ts';

/** Where fills become positions. */
export interface FillBook {
  /**
   * Adds the fill of a confirmed order to its position, and what failed attempts cost. Returns the position's id (null when an
   * order has no fill), what the sale realised (lamports, 0 for a purchase), and whether the position opened or closed by
   * this order. Repeating it changes nothing and returns the same. Null: it has to be tried again, since a sale of more than the
   * positions have waits for the verdict on a purchase, or another writer was faster.
   */
  apply(order: OrderRecord): Promise<AppliedFill | null>;
}

/** The effect of an order on its position. */
export interface AppliedFill {
  positionId: string | null;
  realisedLamports: number;
  /** Base units that a sale took from positions: fewer than it sold where they had fewer. 0 for a purchase. */
  soldTokens: bigint;
  opened: boolean;
  closed: boolean;
}

/** Where a wallet holds a token. */
export type HeldAt = Omit<Holding, 'userId'>;

/** What a wallet holds of a token, over all origins. */
export interface HeldLot {
  /** Base units. */
  tokens: bigint;
  /** Lamports that its purchases have left in the curve, less the lamports that its sales have taken. */
  quoteLamports: number;
  /** Rent of its token account, which comes back with the sale of all, lamports. */
  rentLamports: number;
}

/** An open position, as a stop sells it. */
export interface SellablePosition {
  /** Hexadecimal. */
  id: string;
  mode: TradingMode;
  cluster: ChainCluster | null;
  wallet: string;
  token: OrderToken;
  /** Base units. */
  tokens: bigint;
  /** What a sale of all of it returns now; its cost while that is unknown. */
  lamports: number;
}

/** An open position, as a sale of it reads it. */
export interface HeldPosition extends Omit<SellablePosition, 'lamports'> {
  /** Hexadecimal. */
  userId: string;
  /** The last order whose fill is in it, hexadecimal; null for none. */
  lastOrderId: string | null;
}

/** What orders, accounts and the stop need of positions. User ids are hexadecimal. */
export interface PositionBook extends FillBook {
  /**
   * Returns what a wallet holds of a token, with the fills of open orders that are in no position yet. `open` reads these orders,
   * and is called while no fill of this wallet and token is applied.
   */
  lot(holding: HeldAt & { userId: string }, open: () => Promise<readonly OpenTrade[]>): Promise<HeldLot>;
  /** Returns an open position; null for any other. */
  findOpen(id: string): Promise<HeldPosition | null>;
  /**
   * Returns how many tokens of an open position have to be sold, base units, to return its price less the proceeds of its
   * sales; or why that is impossible. `networkLamports`: most that the sale pays to the network.
   */
  initialTokens(id: string, networkLamports: number): Promise<Outcome<bigint>>;
  /** Returns the open positions of a user in all modes. */
  sellable(userId: string): Promise<SellablePosition[]>;
  /** Returns the open positions of a user in one mode with their present values, newest first. */
  listOpen(userId: string, mode: TradingMode): Promise<Position[]>;
  /** Returns the figures that are known of a held token, with which it can be sold although the market has removed it; null for any other. */
  heldCoin(address: string): TradedCoin | null;
  /** Closes the paper positions that a user had opened before the play money was reset. Repeating it changes nothing. */
  closePaper(userId: string): Promise<void>;
}
