import { PublicError } from '../../../common/errors.ts';
import type { TradingMode } from '../../../common/trading/account.ts';
import type { Position } from '../../../common/trading/position.ts';
import { presentOrder } from '../../trading/orders/present.ts';
import { placedOrder } from '../../trading/orders/routes.ts';
import type { Trading } from '../../trading/trading.ts';
import { botMode, overBotLimit, RESUME_ON_WEB } from './allowed.ts';
import type { BotOrder, BotTrade, BotTrading } from './bot-trading.ts';
import { changedModeText } from './text.ts';

export interface EngineDeps {
  trading: Pick<Trading, 'accounts' | 'orderStore' | 'placing' | 'stop'>;
  /** Returns the open positions of a user in a mode with their values, newest first. */
  openPositions(userId: string, mode: TradingMode): Promise<Position[]>;
}

/** Creates the bot's way to the trading engine: the same orders as those of the page, within the bot's own limits. */
export function createBotTrading({ trading, openPositions }: EngineDeps): BotTrading {
  const { accounts, orderStore, placing, stop } = trading;

  /** Checks the limits of the bot where the order is made, whatever its commands have checked before. */
  async function authorize(userId: string, { side, lamports, mode }: BotOrder): Promise<void> {
    const account = await accounts.view(userId);
    const allowed = botMode(account);
    if ('refusal' in allowed) throw new PublicError('not-tradable', { text: allowed.refusal });
    if (allowed.mode !== mode) throw new PublicError('confirm-needed', { text: changedModeText(allowed.mode) });
    const refusal = side === 'buy' ? overBotLimit(lamports ?? 0, account) : null;
    if (refusal !== null) throw new PublicError('not-tradable', { text: refusal });
  }

  async function orderOf(userId: string, key: string) {
    const order = await orderStore.findByKey(userId, key);
    return order && presentOrder(order);
  }

  return {
    account: accounts.view,
    orderOf,
    async quote(userId, trade) {
      const response = await placing.quote(userId, requestOf(trade));
      if (!response) throw new PublicError('token-not-found');
      return response;
    },
    async place(userId, order) {
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
    async orders(userId, limit) {
      return (await orderStore.list(userId, { limit })).map(presentOrder);
    },
    async positions(userId) {
      const { activeMode } = await accounts.read(userId);
      return activeMode === null ? [] : openPositions(userId, activeMode);
    },
    stop: (by, options) => stop.stop(by.user._id.toHexString(), { ...options, by: 'telegram' }, by),
    stopReport: stop.report,
    async resume(by) {
      const userId = by.user._id.toHexString();
      const { activeMode } = await accounts.read(userId);
      if (activeMode === 'live') throw new PublicError('password-needed', { text: RESUME_ON_WEB });
      return stop.resume(userId, by);
    },
  };
}

function requestOf({ address, side, lamports, sharePercent, slippageBps }: BotTrade) {
  return {
    address,
    side,
    lamports: lamports ?? undefined,
    sharePercent: sharePercent ?? undefined,
    slippageBps,
  };
}
