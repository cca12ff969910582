import { tradingModeNames } from '../../../common/trading/account.ts';
import type { Order, TradeWarning } from '../../../common/trading/order.ts';
import { reasonText } from '../../../common/trading/reasons.ts';
import { saleProfitText, tokensText } from '../../../common/trading/text.ts';
import { keepPercents } from '../../ui/format.ts';
import type { ToastMessage } from '../../ui/toast-store.ts';
import { costSol, gainSol, receivedLamports, spentLamports, symbolOfToken } from '../format.ts';

/** Facts that a buyer confirms, as sentences. */
export const warningTexts: Record<TradeWarning, string> = {
  'high-risk': 'The risk of this token is high.',
  'unknown-risk': 'The risk of this token is unknown.',
  'low-liquidity': 'The liquidity of this token is low.',
  'copied-symbol': 'Another token has the same symbol. Check the address.',
  'no-exit': 'This token may be impossible to sell.',
};

/** Labels of what asked for an order. */
export function causeText({ cause: { kind, name } }: Pick<Order, 'cause'>): string {
  switch (kind) {
    case 'page':
      return 'Token page';
    case 'quick':
      return 'Quick trade';
    case 'bot':
      return 'Telegram bot';
    case 'stop':
      return 'Stop and sell everything';
    case 'exit':
      return name === null ? 'Exit' : `Exit: ${name}`;
    case 'rule':
      return name === null ? 'Rule' : `Rule: ${name}`;
    case 'strategy':
      return name === null ? 'Strategy' : `Strategy: ${name}`;
  }
}

/** Returns the status of an order in a word. */
export function statusText({ status, side }: Pick<Order, 'status' | 'side'>): string {
  switch (status) {
    case 'created':
    case 'held':
      return 'Waiting';
    case 'sent':
      return 'Pending';
    case 'unknown':
      return 'Unknown';
    case 'confirmed':
      return side === 'buy' ? 'Bought' : 'Sold';
    case 'failed':
      return 'Failed';
    case 'cancelled':
      return 'Cancelled';
  }
}

/** Returns the result of an order, or the reason why there is none, in one sentence; null while it is on its way. */
export function resultText(order: Order): string | null {
  const { side, fill, failure, token, status } = order;
  if (fill !== null) {
    const tokens = `${tokensText(fill.tokens, token.decimals)} ${symbolOfToken(token)}`;
    const { accountRentLamports: rent, returnedRentLamports: returned } = fill.costs;
    if (side === 'buy') {
      const part = rent === 0 ? '' : `, of which ${gainSol(rent)} SOL of rent come back`;
      return `${tokens} for ${costSol(spentLamports(fill))} SOL with all costs${part}`;
    }
    const part = returned === 0 ? '' : `, and ${gainSol(returned)} SOL of rent back`;
    const profit = saleProfitText(order);
    const result = profit === null ? '' : `. Profit ${keepPercents(profit)}`;
    return `${tokens} for ${gainSol(Math.max(0, receivedLamports(fill)))} SOL after fees${part}${result}`;
  }
  if (failure !== null) return reasonText(failure);
  return status === 'unknown' ? 'The chain has not decided yet. The order is followed until it does.' : null;
}

/** Returns the toast about the end of an order; null while it is on its way, and while the profit of a sale is being computed. */
export function orderToast(order: Order): ToastMessage | null {
  const { side, status, token, mode } = order;
  const description = resultText(order) ?? '';
  const symbol = symbolOfToken(token);
  switch (status) {
    case 'confirmed':
      if (side === 'sell' && !order.isClosed) return null;
      return {
        title: `${side === 'buy' ? 'Bought' : 'Sold'} ${symbol}`,
        description: `${description} · ${tradingModeNames[mode]}`,
      };
    case 'failed':
    case 'cancelled':
      return { title: `${symbol} not ${side === 'buy' ? 'bought' : 'sold'}`, description, variant: 'destructive' };
    case 'unknown':
      return { title: `${symbol}: no verdict yet`, description };
    case 'created':
    case 'held':
    case 'sent':
      return null;
  }
}
