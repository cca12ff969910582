import { isFinal, type OrderSide } from '../../../common/trading/machine.ts';
import { type NewOrder, type Order, tradeWarningSchema } from '../../../common/trading/order.ts';
import { errorText } from '../../http/error.ts';
import { atom, type Store } from '../../store.ts';
import { toast } from '../../ui/toast-store.ts';
import { resultText } from '../order/order-text.ts';
import { newClientId, placeOrder } from '../state/placed.ts';
import { receivedOrdersAtom } from '../state/received.ts';
import { keepArmed } from './armed.ts';

/** Tokens whose latest trade by a button is kept. */
const KEPT_MAX = 200;

/** The latest trade of a token by a button of a row. */
interface Pressed {
  /** Which button was pressed, such as `buy 50000000`. */
  button: string;
  /** Null until the server has answered. */
  orderId: string | null;
  /** Why the server refused it; null otherwise. */
  failure: string | null;
}

/** State of a token's latest trade by a button. */
export interface QuickState {
  button: string;
  side: OrderSide;
  state: 'pending' | 'done' | 'failed';
  /** The result, or why it failed; null while it is pending. */
  text: string | null;
}

const pressedAtom = atom<ReadonlyMap<string, Pressed>>(new Map());

/** States by address. */
export const quickStatesAtom = atom((get) => {
  const orders = get(receivedOrdersAtom);
  return new Map(
    [...get(pressedAtom)].map(([address, pressed]) => [
      address,
      stateOf(pressed, pressed.orderId === null ? undefined : orders.get(pressed.orderId)),
    ]),
  );
});

function stateOf({ button, failure }: Pressed, order: Order | undefined): QuickState {
  const side = button.startsWith('buy') ? 'buy' : 'sell';
  if (failure !== null) return { button, side, state: 'failed', text: failure };
  if (order === undefined || !isFinal(order.status)) return { button, side, state: 'pending', text: null };
  return { button, side, state: order.status === 'confirmed' ? 'done' : 'failed', text: resultText(order) };
}

/** A trade by one click: SOL to spend, or percent to sell. */
export type QuickTrade =
  | { side: 'buy'; address: string; lamports: number; from: NewOrder['from'] }
  | { side: 'sell'; address: string; sharePercent: number; from: NewOrder['from'] };

/** Returns the name of the button of a trade. */
export function buttonOf(trade: QuickTrade): string {
  return `${trade.side} ${trade.side === 'buy' ? trade.lamports : trade.sharePercent}`;
}

/**
 * Places one order for one click; nothing while the token's last one is pending. Risks are accepted: a question would take
 * the click's speed, and the switch that arms quick trade says so. Never rejects; a refusal shows a toast.
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
      clientId: newClientId(),
      accept: trade.side === 'buy' ? [...tradeWarningSchema.options] : [],
    });
    setPressed(store, address, { button, orderId: order.id, failure: null });
  } catch (reason) {
    const failure = errorText(reason);
    setPressed(store, address, { button, orderId: null, failure });
    toast({ title: trade.side === 'buy' ? 'Not bought' : 'Not sold', description: failure, variant: 'destructive' });
  }
}

/** Clears the result of a token's last trade, unless another one has begun. */
export function clearQuick(store: Store, address: string, button: string): void {
  const state = store.get(quickStatesAtom).get(address);
  if (state?.button !== button || state.state === 'pending') return;
  store.set(pressedAtom, (known) => new Map([...known].filter(([one]) => one !== address)));
}

function setPressed(store: Store, address: string, pressed: Pressed): void {
  store.set(pressedAtom, (known) => {
    const next = new Map(known);
    next.delete(address);
    next.set(address, pressed);
    for (const oldest of next.keys()) {
      if (next.size <= KEPT_MAX) break;
      next.delete(oldest);
    }
    return next;
  });
}
