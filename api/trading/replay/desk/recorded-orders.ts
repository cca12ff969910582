import { Types } from 'mongoose';
import { isOver } from '../../../../common/trading/machine.ts';
import { isAutomatic } from '../../../../common/trading/order.ts';
import type { Buy } from '../../core/model.ts';
import { failureOf, type OrderChange } from '../../orders/changes.ts';
import type { OrderRecord } from '../../orders/record.ts';
import { undecided } from '../../orders/worker/next-action.ts';
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
  /** Begins to follow those that the core does not decide: by hand, by exits and stops, and those made before the hour. */
  begin(): void;
  /** Follows the order of a decision; one that was refused then is not made, and one that is asked for again is made once. */
  buy(buy: Pick<Buy, 'key'>): void;
}

type TapeAttempt = TapeOrder['attempts'][number];

export interface RecordedOrdersDeps {
  recorded: readonly TapeOrder[];
  /** Begin of the hour, epoch ms. */
  from: number;
  markets: DeskMarkets;
  positions: DeskPositions;
  trader: Trader;
  events: DeskEvents;
}

export function createRecordedOrders(deps: RecordedOrdersDeps): RecordedOrders {
  const { recorded, from, markets, positions, trader, events } = deps;
  /** Those whose decision is awaited. */
  const planned = new Map(recorded.filter(({ cause }) => isAutomatic(cause)).map((order) => [order.key, order]));

  /** Follows an order to its end: each attempt is sent as recorded, and decided when it falls due. */
  function open(tape: TapeOrder): void {
    const { address, positionId, createdAt, cause } = tape;
    // Exits are judged while a sale by hand is out.
    const isByHand = cause.kind !== 'exit' && cause.kind !== 'stop';
    const position = positionId === null || isByHand ? null : positions.find(new Types.ObjectId(positionId));
    if (position) position.isSelling = true;
    let order = recordOf(tape, { symbol: markets.symbol(address), decimals: markets.coin(address)?.decimals ?? 0 });

    function finish(over: OrderRecord, at: number): void {
      trader.finish(over, at);
      if (position) position.isSelling = false;
    }

    function send({ signature, least, sentAt, dueAt, outcome }: TapeAttempt): void {
      const signed = { signature, bytes: '', lastValidBlockHeight: 0, least: BigInt(least), delayMs: dueAt - sentAt };
      order = trader.sent(order, signed, sentAt);
      const following = tape.attempts[order.attempts.length];
      // The second sale of everything, which was sent while the first one was out.
      if (outcome === 'landed' && following) send(following);
      const run = () => {
        // Prices of the time before are not in this hour.
        const isEarlier = dueAt < from && outcome === 'reverted';
        order = isEarlier ? trader.reverted(order, signature, dueAt) : trader.decided(order, signature, dueAt);
        goOn(dueAt);
      };
      events.add({ dueAt, signature, address, run });
    }

    /** Sends the next attempt, or ends the order after its last one. */
    function goOn(at: number): void {
      const next = tape.attempts[order.attempts.length];
      if (isOver(order)) finish(order, at);
      else if (undecided(order).length > 0) return;
      else if (next) send(next);
      // One that was out at the end of the tape stays so.
      else if (tape.isOver) finish(trader.changed(order, [ended(order, tape)], at), at);
    }

    goOn(createdAt);
  }

  return {
    begin() {
      for (const order of recorded) {
        // The core does not decide again what it has decided before.
        if (isAutomatic(order.cause) && order.createdAt >= from) continue;
        planned.delete(order.key);
        const run = () => open(order);
        events.add({ dueAt: order.createdAt, signature: order.id, address: order.address, run });
      }
    },
    buy({ key }) {
      const order = planned.get(key);
      planned.delete(key);
      if (order) open(order);
    },
  };
}

/** Returns the end of an order without a trade. */
function ended(order: OrderRecord, { failure, isRefused }: TapeOrder): OrderChange {
  if (order.attempts.length > 0) {
    const computed = failureOf(order);
    // One that was given up for another reason than its attempts, such as the price at the next one.
    const isOther = failure !== null && failure.code !== computed.code;
    return { type: 'given-up', failure: isOther ? failure : computed };
  }
  const type = isRefused ? 'hold-refused' : 'cancelled';
  return failure ? { type, failure } : { type };
}

function recordOf(tape: TapeOrder, coin: { symbol: string | null; decimals: number }): OrderRecord {
  const {
    id,
    userId,
    address,
    positionId,
    createdAt,
    attempts,
    isOver: _,
    failure: __,
    isRefused: ___,
    ...order
  } = tape;
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
