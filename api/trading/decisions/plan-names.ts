import { type Connection, Types } from 'mongoose';
import type { EventSource } from '../../events/bus.ts';
import { createGrowingCache } from '../../platform/growing-cache.ts';
import { ruleModel } from '../../rules/model.ts';
import { strategyModel } from '../../strategies/model.ts';
import type { PlanNameRecord } from './record.ts';

/** Names in memory. */
const KNOWN_MAX = 10_000;

/** Names of rules and strategies by their ids. */
export interface PlanNames {
  /** Returns the names of these plans; those of deleted ones are missing. */
  of(planIds: Iterable<string>): Promise<ReadonlyMap<string, PlanNameRecord>>;
}

export function createPlanNames({ connection, bus }: { connection: Connection; bus: EventSource }): PlanNames {
  const known = createGrowingCache<PlanNameRecord>(KNOWN_MAX);
  const models = { rule: ruleModel(connection), strategy: strategyModel(connection) };
  bus.on('plan-changed', ({ change }) => void known.delete(change.item.id));

  async function read(kind: PlanNameRecord['kind'], ids: readonly string[]): Promise<void> {
    const _id = { $in: ids.map((id) => new Types.ObjectId(id)) };
    // Index: _id.
    const found = await models[kind].find({ _id }, { name: 1 }).lean<{ _id: Types.ObjectId; name: string }[]>();
    for (const plan of found) known.set(plan._id.toHexString(), { kind, name: plan.name });
  }

  return {
    async of(planIds) {
      const ids = [...new Set(planIds)];
      const missing = ids.filter((id) => !known.has(id));
      if (missing.length > 0) await Promise.all([read('rule', missing), read('strategy', missing)]);
      return new Map(
        ids.flatMap((id) => {
          const name = known.get(id);
          return name ? [[id, name] as const] : [];
        }),
      );
    },
  };
}
