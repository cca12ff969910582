import { Types } from 'mongoose';
import { isFinal } from '../../../common/trading/machine.ts';
import type { Order } from '../../../common/trading/order.ts';
import type { EventBus } from '../../events/bus.ts';
import type { OrderStore } from '../orders/store.ts';
import { holdingKey, holdingOf, type PositionRecord } from './model.ts';
import type { OpenBook } from './open-book.ts';
import type { PositionService } from './service.ts';

export interface ClosingDeps {
  book: OpenBook;
  update: PositionService['update'];
  orders: Pick<OrderStore, 'list'>;
  bus: Pick<EventBus, 'on'>;
}

/** Marks a position `closing` while a manual sale or a stop is selling all of it. Exits set the mark themselves. */
export function createClosingMarks({ book, update, orders, bus }: ClosingDeps) {
  let unsubscribe: (() => void) | undefined;

  const mark = (position: PositionRecord, from: 'open' | 'closing', to: 'open' | 'closing') =>
    update(position._id, (before) =>
      before.exit === null && before.status === from ? { ...before, status: to } : null,
    );

  /** Returns the positions that a sale takes everything of. */
  function sold(userId: string, { positionId, tokens, ...order }: Order): PositionRecord[] {
    const named = positionId === null ? undefined : book.get(positionId);
    const own = named
      ? [named]
      : book.ofHolding(holdingKey(holdingOf({ ...order, userId: new Types.ObjectId(userId) })));
    const held = own.reduce((sum, one) => sum + BigInt(one.tokens), 0n);
    return BigInt(tokens ?? 0) >= held ? own : [];
  }

  return {
    async start(): Promise<void> {
      unsubscribe ??= bus.on('order-changed', async ({ userId, order }) => {
        if (order.side !== 'sell' || order.cause.kind === 'exit' || order.status === 'confirmed') return;
        const isOver = isFinal(order.status);
        for (const one of sold(userId, order))
          await mark(one, isOver ? 'closing' : 'open', isOver ? 'open' : 'closing');
      });
      // Marks of sales that ended while nothing ran.
      for (const position of [...book.all()].filter(({ status, exit }) => status === 'closing' && exit === null)) {
        const { userId, token } = position;
        const open = await orders.list(userId.toHexString(), { address: token.address, state: 'open', limit: 1 });
        if (open.length === 0) await mark(position, 'closing', 'open');
      }
    },
    stop: () => unsubscribe?.(),
  };
}
