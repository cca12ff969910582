import type { Exits } from '../../../../common/trading/account.ts';
import { exitAt, type FiredExit } from '../../../../common/trading/exits.ts';
import type { Buy, Change, CoreAccount, CorePlan, CorePrice } from '../../core/model.ts';
import type { OrderRecord } from '../../orders/record.ts';
import type { PositionFillRecord } from '../../positions/record.ts';
import type { TapeOrder, TapePosition } from '../../tape/format.ts';
import { createDeskEvents } from './events.ts';
import { createDeskMarkets, type DeskMarkets } from './markets.ts';
import { createDeskMoney } from './money.ts';
import { createOwnOrders, type OwnOrders } from './own-orders.ts';
import {
  createDeskPositions,
  type DeskPosition,
  type DeskPositions,
  exitStateOf,
  exitsOf,
  notePrice,
} from './positions.ts';
import { createRecordedOrders } from './recorded-orders.ts';
import { createTrader, type Trader } from './trader.ts';

/** Interval in which present prices are judged besides each new one, as live: those in force before a purchase, ms. */
const ROUND_MS = 2_000;

/** What a replay trades for: plans with money of its own, or the plans as recorded with their orders. */
export type DeskPlans =
  | { type: 'own'; planOf(id: string): CorePlan | null; account: CoreAccount; delayOf(signature: string): number }
  /** `from`: begin of the hour, epoch ms. */
  | { type: 'recorded'; orders: readonly TapeOrder[]; from: number };

/** What a user had at the begin: the effects of earlier orders on positions that were open then, and the wallets that had bought anything. */
export interface DeskOpening {
  fills: readonly PositionFillRecord[];
  boughtBy: readonly string[];
  /** When the play money was reset within the hour, epoch ms: its coins are gone from then on. Null: it was not. */
  resetAt: number | null;
}

export interface DeskOptions {
  userId: string;
  wallet: string;
  plans: DeskPlans;
  /** Exits of positions whose order names none. */
  defaultExits: Exits;
  opening: DeskOpening;
}

/** An exit that a price has fired. */
export interface JudgedExit extends FiredExit {
  positionId: string;
  /** Epoch ms. */
  at: number;
}

/**
 * Carries out on paper what the core decides, in memory and in the time of the tape, by the functions of paper trading. Times are
 * epoch ms.
 */
export interface Desk {
  /** Takes the market's part of changes, and does everything that happened until `now`. Returns what the core is to learn of it. */
  tick(now: number, changes: readonly Change[]): Change[];
  buy(buy: Buy, now: number): void;
  /** Takes what the exits of open positions have seen before. */
  restore(states: readonly TapePosition[]): void;
  orders(): OrderRecord[];
  /** Exits in the order in which they fired. */
  exits(): readonly JudgedExit[];
  /** The present account of a run with money of its own, after limits and switches as recorded, if given; null otherwise. */
  account(recorded?: CoreAccount): CoreAccount | null;
  positions: DeskPositions;
  markets: DeskMarkets;
  trader: Trader;
}

export function createDesk({ plans, opening, ...options }: DeskOptions): Desk {
  const markets = createDeskMarkets();
  const positions = createDeskPositions(options.defaultExits);
  for (const fill of opening.fills) positions.applyFill(fill);
  const trader = createTrader({ markets, positions, boughtBy: opening.boughtBy });
  const events = createDeskEvents();
  const parts = { markets, positions, trader, events };
  const money = plans.type === 'own' ? createDeskMoney(plans.account) : null;
  const own = plans.type === 'own' && money ? createOwnOrders({ ...options, ...parts, ...plans, money }) : null;
  const recorded =
    plans.type === 'recorded' ? createRecordedOrders({ ...parts, recorded: plans.orders, from: plans.from }) : null;
  recorded?.begin();
  if (opening.resetAt !== null) {
    const at = opening.resetAt;
    const run = () => {
      positions.drop(at);
      trader.forget();
    };
    events.add({ dueAt: at, signature: '', address: '', run });
  }
  const { judged, judge } = createJudge(own);
  let roundAt = 0;
  const priceOf = ({ record }: DeskPosition) => markets.coin(record.token.address)?.price ?? null;

  function takePrice(price: CorePrice): void {
    markets.setPrice(price);
    for (const position of positions.openOf(price.address)) judge(position, price.price, price.at);
  }

  /** Does everything until `now` in the order of time, each trade at the price in force then. */
  function runUntil(now: number, steps: Map<string, CorePrice[]>): void {
    const advance = (address: string, until: number): void => {
      const ahead = steps.get(address);
      while (ahead?.[0] && ahead[0].at <= until) {
        const [price] = ahead.splice(0, 1);
        if (price) takePrice(price);
      }
    };
    for (let event = events.takeBefore(now); event; event = events.takeBefore(now)) {
      advance(event.address, event.dueAt);
      event.run();
    }
    for (const address of steps.keys()) advance(address, Number.POSITIVE_INFINITY);
    const isRound = now - roundAt >= ROUND_MS;
    if (isRound) roundAt = now;
    for (const position of positions.open().filter(isJudgedAnyTime))
      judge(position, isRound ? priceOf(position) : null, now);
  }

  return {
    tick(now, changes) {
      const steps = new Map<string, CorePrice[]>();
      for (const change of changes) {
        if (change.type !== 'price' || !isWatched(change.price.address)) markets.apply(change);
        else {
          const ahead = steps.get(change.price.address) ?? [];
          ahead.push(change.price);
          steps.set(change.price.address, ahead);
        }
      }
      runUntil(now, steps);
      return own?.takeChanges() ?? [];
    },
    buy(buy, now) {
      own?.buy(buy, now);
      recorded?.buy(buy);
    },
    restore: positions.restore,
    orders: trader.orders,
    exits: () => judged,
    account: (recorded) => (recorded ? money?.adopt(recorded) : money?.account()) ?? null,
    ...{ positions, markets, trader },
  };

  /** Only the prices of these have to be taken one after the other. */
  function isWatched(address: string): boolean {
    return events.has(address) || positions.openOf(address).length > 0;
  }
}

/** Returns whether a position is judged without a new price: one whose exit is stuck waits for it, as live. */
function isJudgedAnyTime({ record }: DeskPosition): boolean {
  return record.status !== 'stuck';
}

/** Judges the exits of positions. `own`: sells by them; null where recorded sales have their own times. */
function createJudge(own: Pick<OwnOrders, 'judge'> | null) {
  const judged: JudgedExit[] = [];

  function judge(position: DeskPosition, price: number | null, at: number): void {
    if (at <= position.record.openedAt.getTime()) return;
    const fired = own ? own.judge(position, price, at) : recordedExit(position, price, at);
    notePrice(position, price);
    if (fired) judged.push({ ...fired, positionId: position.record._id.toHexString(), at });
  }

  return { judged, judge };
}

/** Returns the exit that fires, unless a recorded sale of the position is out; null without one. */
function recordedExit(position: DeskPosition, price: number | null, at: number): FiredExit | null {
  if (position.isSelling || !position.record.open) return null;
  const fired = exitAt(exitsOf(position), exitStateOf(position), price, at);
  if (fired === null) return null;
  position.stepsDone.push(...fired.steps);
  position.isSelling = true;
  return fired;
}
