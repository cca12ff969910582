import type { Connection } from 'mongoose';
import type { SystemStatus } from '../../common/admin/model.ts';
import type { Clock } from '../../common/time.ts';
import { ruleModel } from '../rules/model.ts';
import { strategyModel } from '../strategies/model.ts';
import { transactionModel } from '../transactions/model.ts';

/** Counts are told for this long, ms: the page is looked at every second, and they take as long as there are rules. */
const MAX_AGE = 10_000;
const DAY = 86_400_000;

/** The real counts of all users together (S2.13-14). A day is one of UTC. */
export function createAutoBuyCounts(connection: Connection, clock: Clock): () => Promise<SystemStatus['autoBuy']> {
  const [rules, strategies, transactions] = [
    ruleModel(connection),
    strategyModel(connection),
    transactionModel(connection),
  ];
  let counted: { at: number; counts: Promise<SystemStatus['autoBuy']> } | null = null;

  async function count(now: number): Promise<SystemStatus['autoBuy']> {
    const today = new Date(Math.floor(now / DAY) * DAY);
    const [activeRules, activeStrategies, transactionsToday] = await Promise.all([
      // Partial index { isActive: 1 } where isActive, of both.
      rules.countDocuments({ isActive: true }),
      strategies.countDocuments({ isActive: true }),
      // Index { createdAt: 1 }.
      transactions.countDocuments({ createdAt: { $gte: today } }),
    ]);
    return { activeRules, activeStrategies, transactionsToday };
  }

  return () => {
    const now = clock.now();
    if (counted && now - counted.at < MAX_AGE) return counted.counts;
    const entry = { at: now, counts: count(now) };
    counted = entry;
    entry.counts.catch(() => {
      // The asker gets the error; the next one shall ask the database again.
      if (counted === entry) counted = null;
    });
    return entry.counts;
  };
}
