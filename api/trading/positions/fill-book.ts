import type { OrderRecord } from '../orders/record.ts';

/** Where fills become positions. */
export interface FillBook {
  /**
   * Adds the fill of a confirmed order to its position, and what failed attempts cost. Returns the position's id (null when an
   * order has no fill), what the sale realised (lamports, 0 for a purchase), and whether the position opened or closed by
   * this order. Repeating it changes nothing and returns the same.
   */
  apply(order: OrderRecord): Promise<AppliedFill>;
}

/** The effect of an order on its position. */
export interface AppliedFill {
  positionId: string | null;
  realisedLamports: number;
  opened: boolean;
  closed: boolean;
}
