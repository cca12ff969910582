import type { BuyPreset, SellPreset, TradeTerms, TradingMode } from '../../../common/trading/account.ts';
import { isFinal, type OrderSide } from '../../../common/trading/machine.ts';
import { type NewOrder, type Order, tradeWarningSchema } from '../../../common/trading/order.ts';
import { atom, type Store } from '../../store.ts';
import { toast } from '../../ui/toast-store.ts';
import { exactSol } from '../format.ts';
import { resultText } from '../order/order-text.ts';
import { isLost } from '../state/client-ids.ts';
import { placeErrorText, placeOrder } from '../state/placed.ts';
import { clearPressed, type Pressed, pressedAtom, setPressed } from '../state/pressed.ts';
import { receivedOrdersAtom } from '../state/trading.ts';
import type { Keyed } from '../state/versions.ts';
import { keepArmed } from './armed.ts';

/** State of a token's latest trade by a button. */
export interface QuickState {
  button: string;
  side: OrderSide;
  /** `lost`: no response came, so that it may have been bought or not. */
  state: 'pending' | 'done' | 'failed' | 'lost';
  /** The result, or why there is none; null while it is pending. */
  text: string | null;
}

/** States by address. */
export const quickStatesAtom = atom((get) => {
  const orders = get(receivedOrdersAtom);
  return new Map(
    [...get(pressedAtom)].flatMap(([address, pressed]) => {
      const state = stateOf(pressed, orders);
      return state === null ? [] : [[address, state] as const];
    }),
  );
});

/** Returns the state of a trade; null when its order is no longer kept, so that nothing would end the state. */
function stateOf({ button, orderId, failure }: Pressed, orders: Keyed<Order>): QuickState | null {
  const side = button.startsWith('buy') ? 'buy' : 'sell';
  if (failure !== null) return { button, side, state: failure.isLost ? 'lost' : 'failed', text: failure.text };
  if (orderId === null) return { button, side, state: 'pending', text: null };
  const order = orders.get(orderId);
  if (order === undefined) return null;
  if (!isFinal(order.status)) return { button, side, state: 'pending', text: null };
  return { button, side, state: order.status === 'confirmed' ? 'done' : 'failed', text: resultText(order) };
}

/**
 * A trade by one click and its preset, in the mode that its button shows. `positionId`: of one position instead of all that is
 * held. `initial`: as much as returns the position's price.
 */
export type QuickTrade = { mode: TradingMode; address: string; from: NewOrder['from'] } & (
  | ({ side: 'buy' } & BuyPreset)
  | ({ side: 'sell'; positionId?: string } & SellPreset)
  | ({ side: 'sell'; positionId: string; initial: true } & TradeTerms)
);

/** Returns the name of the button of a trade. */
export function buttonOf(trade: QuickTrade): string {
  const { slippageBps, priorityMaxLamports, tipLamports, isProtected } = trade;
  const size = trade.side === 'buy' ? [trade.lamports] : [shareOf(trade), trade.positionId];
  return [trade.side, ...size, slippageBps, priorityMaxLamports, tipLamports, isProtected].join(' ');
}

/** Returns what a sale sells, as on its button: '50 %', or 'Initial'. */
export function shareOf(trade: Extract<QuickTrade, { side: 'sell' }>): string {
  return 'initial' in trade ? 'Initial' : `${trade.sharePercent} %`;
}

/** Returns a trade in words: 'Buy for 0.1 SOL', 'Sell 50 %', 'Sell the initial'. */
export function quickLabel(trade: QuickTrade): string {
  if (trade.side === 'buy') return `Buy for ${exactSol(trade.lamports)} SOL`;
  return 'initial' in trade ? 'Sell the initial' : `Sell ${shareOf(trade)}`;
}

/**
 * Places one order for one click; nothing while the token's last one is pending. Risks are accepted: a question would take
 * the click's speed, and the switch that arms quick trade names it. Never rejects; a refusal shows a toast.
 */
export async function pressQuick(store: Store, trade: QuickTrade): Promise<void> {
  const { address } = trade;
  if (store.get(quickStatesAtom).get(address)?.state === 'pending') return;
  const button = buttonOf(trade);
  keepArmed(store);
  setPressed(store, address, { button, orderId: null, failure: null });
  try {
    const order = await placeOrder(store, {
      ...trade,
      accept: trade.side === 'buy' ? [...tradeWarningSchema.options] : [],
    });
    setPressed(store, address, { button, orderId: order.id, failure: null });
  } catch (reason) {
    const failure = { text: placeErrorText(reason), isLost: isLost(reason) };
    setPressed(store, address, { button, orderId: null, failure });
    toast({ title: failureTitle(trade, failure), description: failure.text, variant: 'destructive' });
  }
}

/** Clears the result of a token's last trade, unless another one has begun. */
export function clearQuick(store: Store, address: string, button: string): void {
  const state = store.get(quickStatesAtom).get(address);
  if (state?.button !== button || state.state === 'pending') return;
  clearPressed(store, address);
}

function failureTitle({ side }: QuickTrade, failure: { isLost: boolean }): string {
  if (failure.isLost) return 'Order without an answer';
  return side === 'buy' ? 'Not bought' : 'Not sold';
}
