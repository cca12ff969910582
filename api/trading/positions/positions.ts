import type { RouterInstance } from '@koa/router';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Clock } from '../../../common/time.ts';
import type { AdminActions } from '../../audit/admin-actions.ts';
import type { EventBus, EventSource } from '../../events/bus.ts';
import type { Market } from '../../market/market.ts';
import { ensureIndexes } from '../../platform/database.ts';
import type { Part } from '../../platform/lifecycle.ts';
import type { TradingAccounts } from '../accounts/service.ts';
import type { OrderTools } from '../trading.ts';
import { createFillBook } from './apply-fill.ts';
import { createClosingMarks } from './closing.ts';
import { createDrift } from './drift.ts';
import { createPositionExits } from './exits/exits.ts';
import { createPeaks } from './exits/peaks.ts';
import { createOrderEnds, createSellExit } from './exits/sell-exit.ts';
import type { PositionBook } from './fill-book.ts';
import { type PositionRecord, positionFillModel, positionModel } from './model.ts';
import { createOpenBook, heldCoin, keepLastFigures } from './open-book.ts';
import { stuckIdOf } from './present.ts';
import { positionRoutes } from './routes.ts';
import { createPositionService, type PositionService } from './service.ts';
import { createFillStore, createPositionStore, type PositionStore } from './store.ts';
import { createPositionValues } from './values.ts';

export interface PositionsDeps {
  connection: Connection;
  market: Pick<Market, 'liveCoin' | 'pin' | 'unpin' | 'onMoved' | 'onRemoving' | 'stepsSince'>;
  adminActions: AdminActions;
  publisher: {
    /** Returns false when no client of the user is connected. */
    hasMembers(target: { userId: string }): boolean;
  };
  bus: EventBus;
  clock: Clock;
  log: Logger;
}

/** Positions of users, with their routes and parts. */
export interface Positions
  extends PositionBook,
    Pick<PositionService, 'changeExits' | 'move'>,
    Pick<PositionStore, 'resultsByPlan'> {
  /** Returns all open positions with the highest price of each so far. */
  withPeaks(): { position: PositionRecord; peakPrice: number }[];
  routes: ((router: RouterInstance) => void)[];
  parts: Part[];
}

/**
 * Returns the function that opens the positions of this database for trading; it also creates their indexes, and pins the
 * tokens of open positions. To be called before the market starts, which then loads them.
 */
export function openPositions(deps: PositionsDeps): (tools: OrderTools) => Promise<Positions> {
  const { connection, market, adminActions, bus, clock, log } = deps;
  return async ({ accounts, placing, orderStore: orders, keyTrading, executorOf }) => {
    const models = { positions: positionModel(connection), fills: positionFillModel(connection) };
    await ensureIndexes(models.positions);
    await ensureIndexes(models.fills);
    const store = createPositionStore(models.positions);
    const fills = createFillStore(models.fills);
    const book = createOpenBook(market);
    for await (const position of store.allOpen()) book.set(position);
    const onStored = (position: PositionRecord) => {
      const isNew = position.open && !book.get(position._id.toHexString());
      book.set(position);
      if (isNew) exits.opened(position);
      drift.changed(position);
      const userId = position.userId.toHexString();
      bus.emit('position-changed', { userId, position: service.present(position), stuckId: stuckIdOf(position) });
    };
    const service = createPositionService({ store, accounts, book, market, onStored, clock });
    await service.releasePlaces();
    const values = createPositionValues({
      book,
      market,
      value: service.value,
      isListening: (userId) => deps.publisher.hasMembers({ userId }),
      bus,
    });
    const { update, updateAll } = service;
    const ends = createOrderEnds({ bus, orders });
    const paused = await openPausedUsers(accounts, bus);
    const isPaused = paused.has;
    const sell = createSellExit({ update, placing, ends, isPaused });
    const peaks = createPeaks({ book, store, log });
    const exits = createPositionExits({ book, market, updateAll, sell, peaks, isPaused, clock, log });
    const drift = createDrift({ book, move: service.move, executorOf, orders, clock, log });
    const stopKeepingFigures = keepLastFigures({ book, market, updateAll, bus, log });
    const closing = createClosingMarks({ book, update, orders, bus });
    await service.finishResets();
    const { findOpen, initialTokens, sellable, closePaper, listOpen } = service;
    return {
      ...createFillBook({ positions: store, fills, accounts, orders, onStored, clock }),
      findOpen,
      initialTokens,
      sellable,
      closePaper,
      listOpen,
      changeExits: service.changeExits,
      move: service.move,
      resultsByPlan: store.resultsByPlan,
      withPeaks: () => [...book.all()].map((position) => ({ position, peakPrice: peaks.of(position) })),
      heldCoin: (address) => heldCoin(book, address),
      routes: [(router) => positionRoutes(router, { service, fills, accounts, keyTrading, adminActions, clock })],
      parts: [
        { name: 'values of positions', stage: 'listeners', start: values.start, stop: values.stop },
        { name: 'figures of held tokens', stage: 'listeners', stop: stopKeepingFigures },
        { name: 'closing positions', stage: 'listeners', start: closing.start, stop: closing.stop },
        { name: 'balances of positions', stage: 'work', start: drift.start, stop: drift.stop },
        {
          name: 'exits',
          stage: 'work',
          start: exits.start,
          async stop() {
            await exits.stop();
            ends.stop();
            paused.stop();
          },
        },
      ],
    };
  };
}

/** The users who have paused their exits with a stop, in memory: every price asks for them. */
interface PausedUsers {
  has(position: Pick<PositionRecord, 'userId'>): boolean;
  stop(): void;
}

/** Reads the paused users, and follows their accounts from then on. */
async function openPausedUsers(
  accounts: Pick<TradingAccounts, 'pausedUserIds'>,
  bus: EventSource,
): Promise<PausedUsers> {
  const paused = new Set<string>();
  const stop = bus.on('trading-account-changed', ({ userId, account }) => {
    if (account.stopped?.pausesExits) paused.add(userId);
    else paused.delete(userId);
  });
  for await (const userId of accounts.pausedUserIds()) paused.add(userId);
  return { has: ({ userId }) => paused.size > 0 && paused.has(userId.toHexString()), stop };
}
