import type { OwnAlertType } from '../../../common/templates/model.ts';
import { nameVariables, type TokenVariable, type TradeVariable } from '../../../common/templates/variables.ts';
import { HOUR } from '../../../common/time.ts';
import { solText } from '../../../common/tokens/units.ts';
import { tradingModeNames } from '../../../common/trading/account.ts';
import { walletChange } from '../../../common/trading/fills.ts';
import type { Fill, Order, OrderCause, OrderToken } from '../../../common/trading/order.ts';
import type { Position } from '../../../common/trading/position.ts';
import { reasonText } from '../../../common/trading/reasons.ts';
import type { StopReport } from '../../../common/trading/stop.ts';
import { saleProfitText, stoppedOrdersText, tokensText } from '../../../common/trading/text.ts';
import type { OpenPositionsChoice } from '../../../common/wallet/model.ts';
import { idAt } from '../../platform/object-ids.ts';

/** An alert about a trade or the account of a user, before its text is made. */
export interface TradeAlert {
  userId: string;
  type: OwnAlertType;
  /** Id of the order, of the stop (for all users: the same for each), of the time that an exit is stuck, of the hour, or of the audit's entry. */
  ref: string;
  /** Null for a stop and for the account. */
  token: OrderToken | null;
  variables: Readonly<Partial<Record<TokenVariable | TradeVariable, string>>>;
  /** The bot has replied with the same already, so that it gets no second message. Default: false. */
  isAnswered?: boolean;
}

/** What an administrator did with the open positions of a wallet that they replaced. `positions`: their number and value, as text. */
interface GivenUp {
  choice: OpenPositionsChoice;
  positions: string;
}

const UNKNOWN = '–';

/** Returns the alert about an order that is over, or without a verdict in time; null while it is on its way. */
export function alertOfOrder(userId: string, order: Order): TradeAlert | null {
  const type = typeOf(order);
  if (type === null || awaitsProfit(order)) return null;
  const { id, token, fill, failure } = order;
  const variables = {
    ...nameVariables(token),
    'trade.side': order.side,
    'trade.tokens': amountOf(order),
    'trade.sol': solOf(order),
    'trade.total': fill === null ? UNKNOWN : totalOf(order.side, fill),
    'trade.profit': saleProfitText(order) ?? UNKNOWN,
    'trade.price': fill === null ? UNKNOWN : priceText(fill.price),
    'trade.by': byText(order.cause),
    'trade.network': tradingModeNames[order.mode],
    'trade.reason': failure === null ? UNKNOWN : reasonText(failure),
  };
  return { userId, type, ref: id, token, variables };
}

/** Returns whether an order is a sale whose profit is still to be computed: its alert waits for that. */
export function awaitsProfit({ status, side, isClosed }: Pick<Order, 'status' | 'side' | 'isClosed'>): boolean {
  return status === 'confirmed' && side === 'sell' && !isClosed;
}

function typeOf({ status, side }: Order): OwnAlertType | null {
  switch (status) {
    case 'confirmed':
      return side === 'buy' ? 'trade_bought' : 'trade_sold';
    case 'failed':
    case 'cancelled':
      return 'trade_failed';
    case 'unknown':
      return 'trade_unknown';
    case 'created':
    case 'held':
    case 'sent':
      return null;
  }
}

function amountOf({ fill, tokens, token }: Order): string {
  const amount = fill?.tokens ?? tokens;
  return amount === null ? UNKNOWN : tokensText(amount, token.decimals);
}

function solOf({ fill, lamports }: Order): string {
  const amount = fill?.lamports ?? lamports;
  return amount === null ? UNKNOWN : solText(BigInt(amount));
}

/** Returns the SOL that left the wallet by a purchase, or reached it by a sale, with all costs. */
function totalOf(side: Order['side'], fill: Fill): string {
  const change = walletChange(side, fill);
  return solText(BigInt(side === 'buy' ? -change : change));
}

const prices = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4, maximumFractionDigits: 20 });

function priceText(price: number): string {
  return prices.format(price);
}

function byText({ kind, name }: OrderCause): string {
  switch (kind) {
    case 'page':
    case 'quick':
      return 'you';
    case 'bot':
      return 'you, by the bot';
    case 'stop':
      return 'the stop';
    case 'exit':
      return name ?? 'an exit of the position';
    case 'rule':
    case 'strategy':
      return name === null ? `a ${kind}` : `${kind} ${name}`;
  }
}

const stoppedBy: Record<StopReport['by'], string> = {
  user: 'You stopped it on the website.',
  telegram: 'You stopped it in Telegram.',
  admin: 'An administrator stopped it.',
};

/** Returns the alert about a stop, with its first counts. */
export function alertOfStop(userId: string, report: StopReport): TradeAlert {
  const { id, by, sells } = report;
  const sentences = [
    stoppedBy[by],
    'Nothing is bought until you resume it.',
    ...stoppedOrdersText(report),
    sells ? 'Open positions are being sold.' : 'Open positions stay.',
  ];
  const variables = { 'trade.reason': sentences.join(' ') };
  return { userId, type: 'trading_stopped', ref: id, token: null, variables, isAnswered: by === 'telegram' };
}

/** Returns the alert about a stop for all users. `stopId`: hexadecimal. */
export function alertOfAllStop(userId: string, stopId: string): TradeAlert {
  const sentences = [
    'An administrator stopped it for everybody.',
    'Nothing is bought until they resume it.',
    'Open positions stay, and can be sold.',
  ];
  return {
    userId,
    type: 'trading_stopped',
    ref: stopId,
    token: null,
    variables: { 'trade.reason': sentences.join(' ') },
  };
}

/**
 * Returns the alert about a position whose sale does not get through; null for any other position. `stuckId`: of the time that
 * it is stuck, null while it is not.
 */
export function alertOfPosition(userId: string, position: Position, stuckId: string | null): TradeAlert | null {
  const { token, tokens, mode } = position;
  if (stuckId === null) return null;
  const variables = {
    ...nameVariables(token),
    'trade.side': 'sell',
    'trade.tokens': tokensText(tokens, token.decimals),
    'trade.network': tradingModeNames[mode],
  };
  return { userId, type: 'exit_stuck', ref: stuckId, token, variables };
}

/** Returns the alert about a password that a stranger knows: one an hour, however often it is sent. `at`: epoch ms. */
export function alertOfPassword(userId: string, at: number): TradeAlert {
  const ref = idAt(Math.floor(at / HOUR) * HOUR).toHexString();
  return { userId, type: 'password_exposed', ref, token: null, variables: {} };
}

/** Returns the alert about the open positions of a replaced wallet. `entryId`: of the audit's entry, hexadecimal. */
export function alertOfGivenUp(userId: string, entryId: string, { choice, positions }: GivenUp): TradeAlert {
  const reasons = {
    close: `Trading is stopped until you resume it, and the positions of the present wallet are to be sold first: ${positions}.`,
    abandon: `The positions of the present wallet stay there and are followed no more: ${positions}.`,
  };
  const variables = { 'trade.reason': reasons[choice] };
  return { userId, type: 'wallet_replaced', ref: entryId, token: null, variables };
}
