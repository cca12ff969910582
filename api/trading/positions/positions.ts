import type { RouterInstance } from '@koa/router';
import type { Connection } from 'mongoose';
import type { Clock } from '../../../common/time.ts';
import type { TradingMode } from '../../../common/trading/account.ts';
import type { Position } from '../../../common/trading/position.ts';
import type { AdminActions } from '../../audit/admin-actions.ts';
import type { EventSink } from '../../events/bus.ts';
import type { Market } from '../../market/market.ts';
import { ensureIndexes } from '../../platform/database.ts';
import type { Part } from '../../platform/lifecycle.ts';
import type { TradingAccounts } from '../accounts/service.ts';
import { createFillBook } from './apply-fill.ts';
import type { PositionBook } from './fill-book.ts';
import { createFillStore } from './fill-store.ts';
import { positionFillModel, positionModel } from './model.ts';
import type { PositionRecord } from './record.ts';
import { positionRoutes } from './routes.ts';
import { createPositionService } from './service.ts';
import { createPositionStore } from './store.ts';

export interface PositionsDeps {
  connection: Connection;
  market: Pick<Market, 'liveCoin'>;
  adminActions: AdminActions;
  bus: EventSink;
  clock: Clock;
}

/** Positions of users with their routes. Ids are hexadecimal. */
export interface Positions extends PositionBook {
  /** Returns the open positions of a user in one mode, with their present values. */
  listOpen(userId: string, mode: TradingMode): Promise<Position[]>;
  routes: ((router: RouterInstance) => void)[];
  parts: Part[];
}

/** Returns the function by which trading opens the positions of this database; it also creates their indexes. */
export function openPositions(deps: PositionsDeps): (tools: { accounts: TradingAccounts }) => Promise<Positions> {
  const { connection, market, adminActions, bus, clock } = deps;
  return async ({ accounts }) => {
    const models = { positions: positionModel(connection), fills: positionFillModel(connection) };
    await ensureIndexes(models.positions);
    await ensureIndexes(models.fills);
    const store = createPositionStore(models.positions);
    const fills = createFillStore(models.fills);
    const onStored = (position: PositionRecord) =>
      bus.emit('position-changed', { userId: position.userId.toHexString(), position: service.present(position) });
    const service = createPositionService({ store, accounts, market, onStored, clock });
    const book = createFillBook({ positions: store, fills, accounts, onStored, clock });
    const { hasOpen, sellable, closePaper, listOpen } = service;
    return {
      apply: book.apply,
      hasOpen,
      sellable,
      closePaper,
      listOpen,
      routes: [(router) => positionRoutes(router, { service, fills, accounts, adminActions, clock })],
      parts: [],
    };
  };
}
