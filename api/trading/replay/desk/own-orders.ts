import { createHash } from 'node:crypto';
import { Types } from 'mongoose';
import { reason } from '../../../../common/trading/reasons.ts';
import type { Buy, Change, CoreOrder, CorePlan } from '../../core/model.ts';
import { newProgress, type OrderRecord } from '../../orders/record.ts';
import { boundedQuote, nextAction, slippageOf } from '../../orders/worker/next-action.ts';
import { askOf } from '../../orders/worker/order-trade.ts';
import { RETRY_PAUSE } from '../../orders/worker/step.ts';
import type { ExitRequest } from '../../positions/exits/sell-exit.ts';
import type { DeskEvents } from './events.ts';
import type { DeskMarkets } from './markets.ts';
import { type DeskMoney, withSwitches } from './money.ts';
import { createOwnExits, type OwnExits } from './own-exits.ts';
import type { DeskPosition, DeskPositions } from './positions.ts';
import type { Trader } from './trader.ts';

/** Orders that a replay makes by itself, of one plan or of several: what would have happened. Times are epoch ms. */
export interface OwnOrders extends Pick<OwnExits, 'judge'> {
  buy(buy: Buy, now: number): void;
  /** Returns what the core is to learn since the last call. */
  takeChanges(): Change[];
}

export interface OwnOrdersDeps {
  userId: string;
  wallet: string;
  /** Returns a plan of the run; null for an unknown one. */
  planOf(id: string): CorePlan | null;
  markets: DeskMarkets;
  positions: DeskPositions;
  money: DeskMoney;
  trader: Trader;
  events: DeskEvents;
  /** Returns the delay from sending an attempt to its fill, ms. */
  delayOf(signature: string): number;
}

export function createOwnOrders(deps: OwnOrdersDeps): OwnOrders {
  const { planOf, markets, positions, money, trader } = deps;
  let changes: Change[] = [];
  const attempt = createAttempts(deps, onOver);
  const isPaused = () => money.account().areExitsPaused ?? false;
  const exits = createOwnExits({ trader, saleOf, attempt, isPaused });

  function report(order: OrderRecord, state: CoreOrder['state'], why: OrderRecord['failure'] = null): void {
    changes.push({ type: 'account', account: money.account() });
    if (order.side === 'sell') return;
    const hasBought = order.fill !== null;
    changes.push({ type: 'order', order: { key: order.key, state, hasBought, reason: why } });
  }

  function onOver(order: OrderRecord, at: number): void {
    report(order, 'over', order.failure);
    const position = order.side === 'sell' && order.positionId && positions.find(order.positionId);
    if (position) exits.onOver(position, order, at);
  }

  function saleOf({ record }: DeskPosition, request: ExitRequest, now: number): OrderRecord {
    const { key, cause, slippageBps, tokens } = request;
    const { token, _id: positionId, wallet } = record;
    const isWholePosition = tokens === positions.lot(wallet, token.address).tokens;
    const fields = { key, side: 'sell' as const, cause, token, positionId, slippageBps, isWholePosition };
    return ownOrder(deps, { ...fields, tokens: String(tokens) }, now);
  }

  return {
    buy({ key, planId, address, lamports, slippageBps }, now) {
      const plan = planOf(planId);
      if (!plan) return;
      const decimals = markets.coin(address)?.decimals ?? 0;
      const token = { address, name: null, symbol: markets.symbol(address), decimals };
      const cause = { kind: plan.kind, name: plan.name };
      const fields = {
        key,
        side: 'buy' as const,
        cause,
        token,
        lamports,
        slippageBps,
        exits: plan.exits,
      };
      const asked = ownOrder(deps, fields, now);
      const quote = trader.quote(askOf(asked), now);
      const order = quote.ok ? { ...asked, holdLamports: Number(quote.value.totalLamports) } : asked;
      const refusal = quote.ok ? money.hold(order, now) : quote.reason;
      if (refusal) return report(order, 'refused', refusal);
      report(order, 'stored');
      report(order, 'held');
      attempt(order, now);
    },
    judge: exits.judge,
    takeChanges() {
      // Limits and switches may have changed since.
      const taken = changes.map(
        (change): Change =>
          change.type === 'account'
            ? { type: 'account', account: withSwitches(change.account, money.account()) }
            : change,
      );
      changes = [];
      return taken;
    },
  };
}

/** Creates the function that makes the next attempt of an order, and follows it to its end. */
function createAttempts(
  { trader, money, events, delayOf }: OwnOrdersDeps,
  onOver: (order: OrderRecord, at: number) => void,
): (order: OrderRecord, now: number) => void {
  function attempt(order: OrderRecord, now: number): void {
    const quoted = trader.quote({ ...askOf(order), slippageBps: slippageOf(order) }, now);
    const bounded = quoted.ok ? boundedQuote(order, quoted.value) : null;
    const least = bounded && (bounded.leastTokens ?? bounded.leastLamports);
    if (least === null) {
      const failure = quoted.ok ? reason('slippage', { slippageBps: order.slippageBps }) : quoted.reason;
      const type = order.attempts.length === 0 ? 'cancelled' : 'given-up';
      finish(trader.changed(order, [{ type, failure }], now), now);
      return;
    }
    const signature = `paper:${order._id.toHexString()}:${order.attempts.length + 1}`;
    const delayMs = delayOf(signature);
    const signed = { signature, bytes: '', lastValidBlockHeight: 0, least, delayMs };
    const sent = trader.sent(order, signed, now);
    const { address } = order.token;
    const dueAt = now + delayMs;
    events.add({ dueAt, signature, address, run: () => decide(sent, signature, dueAt) });
  }

  function decide(sent: OrderRecord, signature: string, at: number): void {
    const order = trader.decided(sent, signature, at);
    const action = nextAction(order, at + RETRY_PAUSE);
    if (action.type === 'attempt') {
      const dueAt = at + RETRY_PAUSE;
      const { address } = order.token;
      events.add({ dueAt, signature, address, run: () => attempt(order, dueAt) });
    } else if (action.type === 'give-up') {
      finish(trader.changed(order, [{ type: 'given-up', failure: action.reason }], at), at);
    } else finish(order, at);
  }

  function finish(over: OrderRecord, at: number): void {
    const { order, applied } = trader.finish(over, at);
    money.settle(order, applied, at);
    onOver(order, at);
  }

  return attempt;
}

type OwnFields = Pick<OrderRecord, 'key' | 'side' | 'cause' | 'token' | 'slippageBps'> & Partial<OrderRecord>;

function ownOrder({ userId, wallet, money }: OwnOrdersDeps, fields: OwnFields, now: number): OrderRecord {
  const { priorityMaxLamports, tipLamports } = money.account().limits;
  return {
    _id: idOf(fields.key),
    userId: new Types.ObjectId(userId),
    wallet,
    mode: 'paper',
    cluster: null,
    positionId: null,
    lamports: null,
    tokens: null,
    isWholePosition: false,
    exits: null,
    least: null,
    priorityMaxLamports,
    tipLamports,
    holdLamports: 0,
    ...newProgress(now),
    ...fields,
  };
}

/** Returns the id of an order by its key: the same one in every run. */
function idOf(key: string): Types.ObjectId {
  return new Types.ObjectId(createHash('sha256').update(key).digest('hex').slice(0, 24));
}
