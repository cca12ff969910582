import type { Change, CorePrice } from '../../plans/core/model.ts';
import { createDeskEvents } from './events.ts';
import { createDeskMarkets } from './markets.ts';
import { createDeskMoney, createDeskOrders, type DeskOptions } from './orders.ts';
import { createDeskPositions, type DeskPosition, notePrice } from './positions.ts';
import { createTrader } from './trader.ts';

/** Interval in which present prices are judged besides each new one, as live: those in force before a purchase, ms. */
const ROUND_MS = 2_000;

/**
 * Carries out on paper what the core decides, in memory and in the time of the tape, by the functions of paper trading. Times are
 * epoch ms.
 */
export function createDesk(options: DeskOptions) {
  const markets = createDeskMarkets();
  const positions = createDeskPositions();
  const events = createDeskEvents();
  const trader = createTrader({ markets, positions });
  const money = createDeskMoney(options.account);
  /** Time of the present tick. Orders are made at it, since live trading learns of the prices within a tick at its end. */
  let now = 0;
  const orders = createDeskOrders({ ...options, markets, positions, events, trader, money, clock: { now: () => now } });
  let roundAt = 0;
  const priceOf = ({ record }: DeskPosition) => markets.coin(record.token.address)?.price ?? null;

  function judge(position: DeskPosition, price: number | null, at: number): void {
    if (at <= position.record.openedAt.getTime()) return;
    orders.judge(position, price, at);
    notePrice(position, price);
  }

  function takePrice(price: CorePrice): void {
    markets.setPrice(price);
    for (const position of positions.openOf(price.address)) judge(position, price.price, price.at);
  }

  /** Does everything until the present tick in the order of time, each trade at the price in force then. */
  function catchUp(steps: Map<string, CorePrice[]>): void {
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

  /** Only the prices of these have to be taken one after the other. */
  function isWatched(address: string): boolean {
    return events.has(address) || positions.openOf(address).length > 0;
  }

  return {
    /** Takes the market's changes, and does everything that happened until the tick `at`. Returns what the core has to learn of it. */
    tick(at: number, changes: readonly Change[]): Change[] {
      now = at;
      const steps = new Map<string, CorePrice[]>();
      for (const change of changes) {
        if (change.type !== 'price' || !isWatched(change.price.address)) markets.apply(change);
        else {
          const ahead = steps.get(change.price.address) ?? [];
          ahead.push(change.price);
          steps.set(change.price.address, ahead);
        }
      }
      catchUp(steps);
      return orders.takeChanges();
    },
    buy: orders.buy,
    orders: trader.orders,
    account: money.account,
    ...{ positions, markets },
  };
}

/** Returns whether a position is judged without a new price: one whose exit is stuck waits for it, as live. */
function isJudgedAnyTime({ record }: DeskPosition): boolean {
  return record.status !== 'stuck';
}
