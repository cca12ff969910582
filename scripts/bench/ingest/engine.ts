import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { seeded } from '../../../api/alerts/testing/tokens.ts';
import { createEventBus } from '../../../api/events/bus.ts';
import type { Market } from '../../../api/market/market.ts';
import { createPlanEngine } from '../../../api/trading/plans/engine.ts';
import type { ActivePlan } from '../../../api/trading/plans/plan-source.ts';
import { createTape } from '../../../api/trading/tape/tape.ts';
import { orderRecord } from '../../../api/trading/testing/order-record.ts';
import { noExits } from '../../../common/trading/account.ts';
import { benchAccount, benchPlans } from '../trading/plans.ts';

const PLANS = 1_000;
const LOOK_MS = 10;
const LIMITS = { hours: 72, bytes: 2_000_000_000 };

/** What decides for plans beside a run: nothing, the tape alone, plans alone, or both. */
export const engineModes = ['off', 'tape', 'plans', 'both'] as const;
type EngineMode = (typeof engineModes)[number];

/** The engine of a run. */
export interface BenchEngine {
  /** Pairs of plans and tokens that wait, followed tokens, and steps that the tape has left out. */
  figures(): { plans: number; followed: number; candidates: number; leftOut: number };
  stop(): Promise<void>;
}

/** Opens the engine of rules and strategies over a market, with plans of all kinds whose orders stay on their way. */
export async function openBenchEngine(
  { market, directory, log }: { market: Market; directory: string; log: Logger },
  mode: Exclude<EngineMode, 'off'>,
): Promise<BenchEngine> {
  const now = Date.now();
  const count = mode === 'tape' ? 0 : PLANS;
  const plans = benchPlans(seeded(7), { count, since: now, now });
  const tape =
    mode === 'plans'
      ? undefined
      : createTape({
          dir: path.join(directory, 'tape'),
          limits: LIMITS,
          snapshot: () => engine.snapshot(),
          log,
        });
  const engine = createPlanEngine({
    market,
    network: { rentPerByte: () => null },
    ...(tape ? { tape } : {}),
    source: {
      userIds: async () => [...new Set(plans.map(({ userId }) => userId))],
      ofUser: async (userId) =>
        plans
          .filter((plan) => plan.userId === userId)
          .map(({ exits: _, ...plan }): ActivePlan => ({ ...plan, ownExits: { kind: 'rule' } })),
    },
    read: async (userId) => {
      const lists = { white: new Set<string>(), black: new Set<string>() };
      return { account: benchAccount(userId, now), defaultExits: noExits, lists };
    },
    orderKeys: async () => [],
    orderOf: async () => null,
    pastFigures: async () => new Map(),
    placing: { place: async () => ({ type: 'placed', order: orderRecord({ status: 'created' }) }) },
    marks: async () => new Map(),
    isStoppedForAll: async () => false,
    lease: { isHeld: () => true },
    database: { isReachable: () => true },
    bus: createEventBus((error) => log.error({ error }, 'event handler failed')),
    clock: { now: Date.now },
    log,
  });
  await tape?.start();
  engine.start();
  while (!engine.figures().isDeciding) await pause(LOOK_MS);
  return {
    figures() {
      const { tokens, candidates } = engine.figures();
      return { plans: plans.length, followed: tokens, candidates, leftOut: tape?.leftOut() ?? 0 };
    },
    async stop() {
      await engine.stop();
      await tape?.stop();
    },
  };
}
