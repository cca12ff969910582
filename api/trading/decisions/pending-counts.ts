import { HOUR } from '../../../common/time.ts';
import type { DecisionCountRecord } from './record.ts';

/** New entries that are stored within an hour: of one plan, and in all. Beyond, they are only counted. */
export const NEW_OF_PLAN_MAX = 2_000;
const NEW_MAX = 20_000;
/** Plans and hours whose counts wait for the database. */
const COUNTS_MAX = 20_000;

/** Counts that are to be added to those of an hour (epoch ms of its begin). Those of `lost` are negative for reasons that no longer hold. */
export interface Counts extends Required<Pick<DecisionCountRecord, 'considered' | 'dropped' | 'lost'>> {
  planId: string;
  userId: string;
  hour: number;
}

/** An answer of a plan at a time (epoch ms). */
interface Counted {
  planId: string;
  userId: string;
  at: number;
}

/** Counts of plans by hour that are not stored yet. */
export interface PendingCounts {
  /** Returns the counts of a plan in the hour of an answer. Beyond the limit they are not stored. */
  of(counted: Counted): Counts;
  take(): Counts[];
}

export function createPendingCounts(): PendingCounts {
  let byHour = new Map<string, Counts>();

  function of({ planId, userId, at }: Counted): Counts {
    const hour = at - (at % HOUR);
    const key = `${planId}:${hour}`;
    const known = byHour.get(key);
    if (known) return known;
    const counts: Counts = { planId, userId, hour, considered: 0, dropped: 0, lost: {} };
    if (byHour.size < COUNTS_MAX) byHour.set(key, counts);
    return counts;
  }

  return {
    of,
    take() {
      const taken = [...byHour.values()];
      byHour = new Map();
      return taken;
    },
  };
}

/** Returns a function that admits a limited number of new entries in each hour. */
export function createHourlyQuota(): (entry: Pick<Counted, 'planId' | 'at'>) => boolean {
  let present = { hour: 0, total: 0, ofPlan: new Map<string, number>() };
  return ({ planId, at }) => {
    const hour = at - (at % HOUR);
    if (present.hour !== hour) present = { hour, total: 0, ofPlan: new Map() };
    const ofPlan = present.ofPlan.get(planId) ?? 0;
    if (ofPlan >= NEW_OF_PLAN_MAX || present.total >= NEW_MAX) return false;
    present.total += 1;
    present.ofPlan.set(planId, ofPlan + 1);
    return true;
  };
}
