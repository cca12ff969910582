import { PublicError } from '../../../common/errors.ts';
import type { TradeTerms, TradingAccount, TradingMode } from '../../../common/trading/account.ts';
import { mostFees } from '../../../common/trading/fills.ts';
import type { OrderSide } from '../../../common/trading/machine.ts';
import type { Order, QuoteResponse, TradeWarning } from '../../../common/trading/order.ts';
import type { Position } from '../../../common/trading/position.ts';
import { reason, reasonText } from '../../../common/trading/reasons.ts';
import type { StopReport } from '../../../common/trading/stop.ts';
import { sol } from '../../../common/trading/text.ts';
import type { Actor } from '../../audit/service.ts';
import type { TradeRequest } from '../../trading/orders/place.ts';
import { presentOrder } from '../../trading/orders/present.ts';
import { placedOrder } from '../../trading/orders/routes.ts';
import type { Trading } from '../../trading/trading.ts';
import { changedModeText } from './text.ts';

/**
 * A trade as the bot asks for it. `lamports` of a purchase, `sharePercent` (1–100 of what the wallet holds) of a sale, null for a sale of
 * the initial.
 */
export interface BotTrade extends TradeTerms {
  address: string;
  side: OrderSide;
  lamports: number | null;
  sharePercent: number | null;
  /** Id of the position that a sale returns the rest of the price of; missing for any other trade. */
  initialOf?: string;
}

/** An order of the bot. The same key of a user gives the same order, for ever. */
export interface BotOrder extends BotTrade {
  key: string;
  /** The mode that the offer named. */
  mode: TradingMode;
  /** Least that the offer promised: base units of a purchase, lamports of a sale; null when it named none. */
  least: string | null;
  /** Warnings that the user has seen. */
  accept: readonly TradeWarning[];
}

interface EngineDeps {
  trading: Pick<Trading, 'accounts' | 'orderStore' | 'placing' | 'stop'>;
  /** Returns the open positions of a user in a mode with their values, newest first. */
  openPositions(userId: string, mode: TradingMode): Promise<Position[]>;
}

export type BotTrading = ReturnType<typeof createBotTrading>;

/**
 * Creates the bot's way to the trading engine: the same orders as those of the page, within the bot's own limits. User ids are
 * hexadecimal; failures are a `PublicError`.
 */
export function createBotTrading({ trading, openPositions }: EngineDeps) {
  const { accounts, orderStore, placing, stop } = trading;

  /** Checks the limits of the bot where the order is made, independent of earlier checks by its commands. */
  async function authorize(userId: string, order: BotOrder): Promise<void> {
    const account = await accounts.view(userId);
    const allowed = botMode(account);
    if ('refusal' in allowed) throw new PublicError('not-tradable', { text: allowed.refusal });
    if (allowed.mode !== order.mode) throw new PublicError('confirm-needed', { text: changedModeText(allowed.mode) });
    const refusal = overBotLimit(order, account);
    if (refusal !== null) throw new PublicError('not-tradable', { text: refusal });
  }

  async function orderOf(userId: string, key: string): Promise<Order | null> {
    const order = await orderStore.findByKey(userId, key);
    return order && presentOrder(order);
  }

  return {
    account: (userId: string): Promise<TradingAccount> => accounts.view(userId),
    /** Returns the order with this key; null without one. */
    orderOf,
    async quote(userId: string, trade: BotTrade): Promise<QuoteResponse> {
      const response = await placing.quote(userId, requestOf(trade));
      if (!response) throw new PublicError('token-not-found');
      return response;
    },
    /** Creates the order, or returns the one with this key. Resolves before the chain has a verdict. */
    async place(userId: string, order: BotOrder): Promise<Order> {
      const known = await orderOf(userId, order.key);
      if (known) return known;
      await authorize(userId, order);
      const { key, mode, accept, least } = order;
      const cause = { kind: 'bot' as const, name: null };
      const request = {
        ...requestOf(order),
        ...(least !== null && { least: BigInt(least) }),
        key,
        mode,
        accept,
        cause,
      };
      const placement = await placing.place(userId, request);
      return placedOrder(placement);
    },
    /** Returns the newest orders, newest first. */
    async orders(userId: string, limit: number): Promise<Order[]> {
      return (await orderStore.list(userId, { limit })).map(presentOrder);
    },
    /** Returns the open positions in the present mode, newest first. */
    async positions(userId: string): Promise<Position[]> {
      const { activeMode } = await accounts.read(userId);
      return activeMode === null ? [] : openPositions(userId, activeMode);
    },
    /** Stops buying: once it resolves nothing more is signed for a purchase. `sell` then sells every open position. */
    stop: (by: Actor, options: { sell: boolean; pausesExits?: boolean }): Promise<StopReport> =>
      stop.stop(by.user._id.toHexString(), { ...options, by: 'telegram' }, by),
    /** Returns the report of the last stop; null without one. */
    stopReport: (userId: string): Promise<StopReport | null> => stop.report(userId),
    /** Allows buying again. Does not ask for a password. */
    async resume(by: Actor): Promise<TradingAccount> {
      const userId = by.user._id.toHexString();
      const { activeMode } = await accounts.read(userId);
      if (activeMode === 'live') throw new PublicError('password-needed', { text: RESUME_ON_WEB });
      return stop.resume(userId, by);
    },
  };
}

function requestOf({ address, side, lamports, sharePercent, initialOf, ...terms }: BotTrade): TradeRequest {
  const { slippageBps, priorityMaxLamports, tipLamports, isProtected } = terms;
  return {
    ...{ address, side, slippageBps, priorityMaxLamports, tipLamports, isProtected },
    lamports: lamports ?? undefined,
    sharePercent: sharePercent ?? undefined,
    ...(initialOf === undefined ? {} : { initial: true as const, positionId: initialOf }),
  };
}

/** Reply while the bot may not trade with real money. */
export const LIVE_OFF =
  'Trading by bot with real money is off. Switch it on in Settings → Trading with your password, or trade on the website.';

/** Reply to /resume in a mode with real money. */
export const RESUME_ON_WEB = 'With real money, resume on the website: it needs your password.';

/** Returns the mode in which the bot may trade for this account, or why it may not. */
export function botMode({ mode, bot }: TradingAccount): { mode: TradingMode } | { refusal: string } {
  if (mode === null) return { refusal: reasonText(reason('trading-off')) };
  if (mode === 'live' && !bot.live) return { refusal: LIVE_OFF };
  return { mode };
}

/** Returns why the bot may not spend the amount with the most it can pay in fees at once; null when it may, or for a sale. */
export function overBotLimit(
  { lamports, ...terms }: Pick<BotTrade, 'lamports' | 'priorityMaxLamports' | 'tipLamports'>,
  { bot }: TradingAccount,
): string | null {
  if (lamports === null) return null;
  const most = lamports + mostFees(terms);
  if (most <= bot.maxLamports) return null;
  return `${sol(most)} (${sol(lamports)} and at most ${sol(most - lamports)} of fees) exceeds your limit of ${sol(bot.maxLamports)} for one purchase by the bot. Change it in Settings → Trading.`;
}
