import { useMemo } from 'react';
import type { OrderSide } from '../../common/trading/machine.ts';
import type { Order } from '../../common/trading/order.ts';
import { resultText } from './order/order-text.ts';
import { useOrdersOf, useTradingAccount } from './state/trading.ts';

/** A trade of the user, as a chart marks it. */
export interface OwnFill {
  id: string;
  side: OrderSide;
  /** Epoch ms. */
  time: number;
  /** SOL for one whole token on average, without fees. */
  price: number;
  /** `Bought: 3,402,118 OTTR for 0.10214 SOL with all costs, of which 0.00203 SOL of rent come back`. */
  text: string;
}

const NONE: readonly OwnFill[] = [];

/** Returns the user's latest trades of a token in the present mode, oldest first; none while unknown. */
export function useOwnFills(address: string): readonly OwnFill[] {
  const mode = useTradingAccount()?.mode;
  const { data } = useOrdersOf(address);
  return useMemo(() => {
    const fills = (data ?? []).filter((order) => order.mode === mode).flatMap(fillOf);
    return fills.length === 0 ? NONE : fills.toReversed();
  }, [data, mode]);
}

function fillOf(order: Order): OwnFill[] {
  const { id, side, fill } = order;
  if (fill === null) return [];
  const text = `${side === 'buy' ? 'Bought' : 'Sold'}: ${resultText(order) ?? ''}`;
  return [{ id, side, time: Date.parse(fill.at), price: fill.price, text }];
}
