import type { RouterInstance } from '@koa/router';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { EventBus } from '../../events/bus.ts';
import { wasNew } from '../../market/traded/market-feed.ts';
import type { Part } from '../../platform/lifecycle.ts';
import { tokenModels } from '../../tokens/model.ts';
import type { DecisionSink } from '../plans/core/model.ts';
import { createExplaining, type ExplainDeps, type ExplainToken } from './explain.ts';
import { createDecisionLedger } from './ledger.ts';
import { type DecisionRouteDeps, decisionRoutes } from './routes.ts';
import { openDecisionStore } from './store.ts';

export interface DecisionDeps
  extends Omit<ExplainDeps, 'store' | 'detectionOf'>,
    Omit<DecisionRouteDeps, 'store' | 'explain'> {
  connection: Connection;
  publisher: {
    /** Returns false when no client of the user is connected. */
    hasMembers(target: { userId: string }): boolean;
  };
  bus: EventBus;
  log: Logger;
}

/** Why plans buy, or do not: stored answers, and those of this moment. */
export interface Decisions {
  sink: DecisionSink;
  explain: ExplainToken;
  routes: ((router: RouterInstance) => void)[];
  parts: Part[];
}

/** Opens the answers of plans in this database, and creates their indexes. */
export async function openDecisions(deps: DecisionDeps): Promise<Decisions> {
  const { connection, publisher, bus, log } = deps;
  const store = await openDecisionStore(connection);
  const isListening = (userId: string) => publisher.hasMembers({ userId });
  const ledger = createDecisionLedger({ store, isListening, bus, log });
  const { tokens } = tokenModels(connection);
  const explain = createExplaining({
    ...deps,
    store,
    async detectionOf(address) {
      // Index: _id.
      const token = await tokens.findById(address, { detectedAt: 1, createdAt: 1, sinceCreation: 1 }).lean();
      return token && { detectedAt: token.detectedAt, isNew: wasNew(token) };
    },
  });
  return {
    sink: ledger,
    explain,
    routes: [(router) => decisionRoutes(router, { ...deps, store, explain })],
    parts: [{ name: 'decisions', stage: 'listeners', start: ledger.start, stop: ledger.stop }],
  };
}
