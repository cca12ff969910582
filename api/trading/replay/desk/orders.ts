import { createHash } from 'node:crypto';
import { Types } from 'mongoose';
import type { Clock } from '../../../../common/time.ts';
import { afterHold, afterSettle } from '../../../../common/trading/limits/book.ts';
import { holdRefusal } from '../../../../common/trading/limits/refusal.ts';
import { type Reason, reason } from '../../../../common/trading/reasons.ts';
import { newProgress, type OrderRecord } from '../../orders/model.ts';
import { askOf, boundedQuote, holdOf, settlementOf, slippageOf } from '../../orders/terms.ts';
import { nextAction } from '../../orders/worker/next-action.ts';
import { RETRY_PAUSE } from '../../orders/worker/steps.ts';
import type { Buy, Change, CoreAccount, CoreOrder, CorePlan } from '../../plans/core/model.ts';
import type { ExitRequest } from '../../positions/exits/sell-exit.ts';
import type { AppliedFill } from '../../positions/fill-book.ts';
import type { DeskEvents } from './events.ts';
import { createDeskExits } from './exits.ts';
import type { DeskMarkets } from './markets.ts';
import type { DeskPosition, DeskPositions } from './positions.ts';
import type { Trader } from './trader.ts';

/** What a replay trades for: one plan with an account of its own. */
export interface DeskOptions {
  plan: CorePlan;
  account: CoreAccount;
  /** Returns the delay from sending an attempt to its fill, ms. */
  delayOf(signature: string): number;
}

interface DeskOrdersDeps extends DeskOptions {
  markets: DeskMarkets;
  positions: DeskPositions;
  money: DeskMoney;
  trader: Trader;
  events: DeskEvents;
  clock: Clock;
}

/** Creates the orders of a run: those of its plan, and the sales by exits of what it has bought. Times are epoch ms. */
export function createDeskOrders(deps: DeskOrdersDeps) {
  const { plan, markets, positions, money, trader, clock } = deps;
  let changes: Change[] = [];
  const attempt = createAttempts(deps, onOver);
  const exits = createDeskExits({ trader, saleOf, attempt, clock });

  function report(order: OrderRecord, state: CoreOrder['state'], why: OrderRecord['failure'] = null): void {
    changes.push({ type: 'account', account: money.account() });
    if (order.side === 'sell') return;
    const hasBought = order.fill !== null;
    changes.push({ type: 'order', order: { key: order.key, state, hasBought, reason: why } });
  }

  function onOver(order: OrderRecord): void {
    report(order, 'over', order.failure);
    const position = order.side === 'sell' && order.positionId && positions.find(order.positionId);
    if (position) exits.onOver(position, order);
  }

  function saleOf({ record }: DeskPosition, request: ExitRequest): OrderRecord {
    const { key, cause, slippageBps, tokens } = request;
    const { token, _id: positionId, wallet } = record;
    const isWholePosition = tokens === positions.lot(wallet, token.address).tokens;
    const fields = { key, side: 'sell' as const, cause, token, positionId, slippageBps, isWholePosition };
    return newOrder(deps, { ...fields, tokens: String(tokens) });
  }

  return {
    buy({ key, address, lamports, slippageBps }: Buy): void {
      const now = clock.now();
      const decimals = markets.coin(address)?.decimals ?? 0;
      const token = { address, name: null, symbol: markets.symbol(address), decimals };
      const cause = { kind: plan.kind, name: plan.name };
      const fields = { key, side: 'buy' as const, cause, token, lamports, slippageBps, exits: plan.exits };
      const asked = newOrder(deps, fields);
      const quote = trader.quote(askOf(asked), now);
      const order = quote.ok ? { ...asked, holdLamports: Number(quote.value.totalLamports) } : asked;
      const refusal = quote.ok ? money.hold(order, now) : quote.reason;
      if (refusal) {
        report(order, 'refused', refusal);
        return;
      }
      report(order, 'stored');
      report(order, 'held');
      attempt(order);
    },
    judge: exits.judge,
    /** Returns what the core has to learn since the last call. */
    takeChanges(): Change[] {
      const taken = changes;
      changes = [];
      return taken;
    },
  };
}

/** Creates the function that makes the next attempt of an order, and follows it to its end. */
function createAttempts(
  { trader, money, events, delayOf, clock }: DeskOrdersDeps,
  onOver: (order: OrderRecord) => void,
): (order: OrderRecord) => void {
  function attempt(order: OrderRecord): void {
    const now = clock.now();
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
    const retryAt = clock.now() + RETRY_PAUSE;
    const action = nextAction(order, retryAt);
    if (action.type === 'attempt') {
      const { address } = order.token;
      events.add({ dueAt: retryAt, signature, address, run: () => attempt(order) });
    } else if (action.type === 'give-up') {
      finish(trader.changed(order, [{ type: 'given-up', failure: action.reason }], at), at);
    } else finish(order, at);
  }

  function finish(over: OrderRecord, at: number): void {
    const { order, applied } = trader.finish(over, at);
    money.settle(order, applied, at);
    onOver(order);
  }

  return attempt;
}

type NewFields = Pick<OrderRecord, 'key' | 'side' | 'cause' | 'token' | 'slippageBps'> & Partial<OrderRecord>;

function newOrder({ account, money, clock }: DeskOrdersDeps, fields: NewFields): OrderRecord {
  const { priorityMaxLamports, tipLamports } = money.account().limits;
  return {
    _id: idOf(fields.key),
    userId: new Types.ObjectId(account.userId),
    wallet: account.wallet?.address ?? '',
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
    ...newProgress(clock.now()),
    ...fields,
  };
}

/** Returns the id of an order by its key: the same one in every run. */
function idOf(key: string): Types.ObjectId {
  return new Types.ObjectId(createHash('sha256').update(key).digest('hex').slice(0, 24));
}

/** Play money and limits of a replay, by the rules of the stored account. Times are epoch ms. */
export function createDeskMoney(start: CoreAccount) {
  let account = start;
  return {
    account: () => account,
    /** Returns why the money of a purchase is not reserved; null when it is. */
    hold(order: OrderRecord, now: number): Reason | null {
      const hold = holdOf(order);
      const refusal = holdRefusal(account, hold, now);
      if (refusal === null) account = { ...account, book: afterHold(account.book, hold, now) };
      return refusal;
    },
    /** Releases the money of an order that is over. */
    settle(order: OrderRecord, applied: AppliedFill, now: number): void {
      const settlement = settlementOf(order, applied);
      const hold = order.side === 'buy' ? holdOf(order) : null;
      const { moneyLamports } = account;
      account = {
        ...account,
        book: afterSettle(account.book, hold, settlement, now),
        moneyLamports: moneyLamports === null ? null : moneyLamports + settlement.walletLamports,
      };
    },
  };
}

export type DeskMoney = ReturnType<typeof createDeskMoney>;
