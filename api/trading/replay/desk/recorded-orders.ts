import { Types } from 'mongoose';
import { isOver } from '../../../../common/trading/machine.ts';
import type { Buy } from '../../core/model.ts';
import { failureOf } from '../../orders/changes.ts';
import type { OrderRecord } from '../../orders/record.ts';
import type { TapeOrder } from '../../tape/format.ts';
import type { DeskEvents } from './events.ts';
import type { DeskMarkets } from './markets.ts';
import type { DeskPositions } from './positions.ts';
import type { Trader } from './trader.ts';

/**
 * Orders as they were recorded: when each attempt was sent and fell due, and its bound. Whether it was filled, and how, is
 * computed again.
 */
export interface RecordedOrders {
  /** Begins to follow those that no plan of the core decides: by hand, by exits and stops. */
  begin(): void;
  /** Follows the order of a decision; one that was refused then is not made. */
  buy(buy: Buy): void;
}

export interface RecordedOrdersDeps {
  recorded: readonly TapeOrder[];
  markets: DeskMarkets;
  positions: DeskPositions;
  trader: Trader;
  events: DeskEvents;
}

export function createRecordedOrders(deps: RecordedOrdersDeps): RecordedOrders {
  const { recorded, markets, positions, trader, events } = deps;
  const planned = new Map(recorded.filter(isPlanned).map((order) => [order.key, order]));

  /** Sends the next attempt, or ends the order after its last one. */
  function follow(order: OrderRecord, tape: TapeOrder, at: number): void {
    const next = tape.attempts[order.attempts.length];
    const { address } = order.token;
    if (next && !isOver(order)) {
      const { signature, least, sentAt, dueAt } = next;
      const signed = { signature, bytes: '', lastValidBlockHeight: 0, least: BigInt(least), delayMs: dueAt - sentAt };
      const sent = trader.sent(order, signed, sentAt);
      const run = () => follow(trader.decided(sent, signature, dueAt), tape, dueAt);
      events.add({ at: dueAt, name: signature, address, run });
    } else if (isOver(order)) finish(order, at);
    // One that was out at the end of the tape stays so.
    else if (tape.isOver) finish(trader.changed(order, [ended(order, tape)], at), at);
  }

  function finish(over: OrderRecord, at: number): void {
    const { order } = trader.finish(over, at);
    const position = order.positionId && positions.find(order.positionId);
    if (position) position.isSelling = false;
  }

  function open(tape: TapeOrder): void {
    const { address, positionId, createdAt } = tape;
    const position = positionId === null ? null : positions.find(new Types.ObjectId(positionId));
    if (position) position.isSelling = true;
    const order = recordOf(tape, { symbol: markets.symbol(address), decimals: markets.coin(address)?.decimals ?? 0 });
    follow(order, tape, createdAt);
  }

  return {
    begin() {
      for (const order of recorded) {
        if (isPlanned(order)) continue;
        events.add({ at: order.createdAt, name: order.id, address: order.address, run: () => open(order) });
      }
    },
    buy({ key }) {
      const order = planned.get(key);
      if (order) open(order);
    },
  };
}

function isPlanned({ cause }: TapeOrder): boolean {
  return cause.kind === 'rule' || cause.kind === 'strategy';
}

function ended(order: OrderRecord, { failure }: TapeOrder) {
  if (order.attempts.length > 0) return { type: 'given-up', failure: failureOf(order) } as const;
  return failure ? ({ type: 'cancelled', failure } as const) : ({ type: 'given-up' } as const);
}

function recordOf(tape: TapeOrder, coin: { symbol: string | null; decimals: number }): OrderRecord {
  const { id, userId, address, positionId, createdAt, attempts, isOver: _, failure: __, ...order } = tape;
  return {
    ...order,
    _id: new Types.ObjectId(id),
    userId: new Types.ObjectId(userId),
    mode: 'paper',
    cluster: null,
    token: { address, name: null, ...coin },
    positionId: positionId === null ? null : new Types.ObjectId(positionId),
    least: null,
    status: 'created',
    open: true,
    noMore: false,
    attemptLimit: Math.max(1, attempts.length),
    attempts: [],
    fill: null,
    failure: null,
    times: { created: createdAt, held: null, signed: null, sent: null, decided: null },
    nextAt: new Date(createdAt),
    version: 1,
  };
}
