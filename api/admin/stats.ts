import type { Connection } from 'mongoose';
import type { AdminStats, SystemStatus } from '../../common/admin/model.ts';
import { type Clock, DAY, SECOND } from '../../common/time.ts';
import { cachedValue } from '../platform/cached-value.ts';
import { ruleModel } from '../rules/model.ts';
import { strategyModel } from '../strategies/model.ts';
import { tokenModels } from '../tokens/model.ts';
import { transactionModel } from '../transactions/model.ts';
import { userModel } from '../users/model.ts';

/** Counts are reused for this long, ms, and for this multiple of the query time: at most 5 % of the database. */
const REUSE = 2 * SECOND;
const REUSE_FACTOR = 20;
const AUTO_BUY_REUSE = 10 * SECOND;

/** The totals of section 3 (S3-53). */
export type AdminStatistics = ReturnType<typeof createAdminStats>;

export function createAdminStats(deps: {
  connection: Connection;
  scanners: () => AdminStats['scanners'];
  clock: Clock;
}) {
  const { connection, scanners, clock } = deps;
  const users = userModel(connection);
  const { tokens } = tokenModels(connection);
  const options = { maxAge: REUSE, costFactor: REUSE_FACTOR, clock };
  const userCounts = cachedValue(async () => {
    const [total, inactive] = await Promise.all([
      // Index { _id: 1 }: without a hint the count is wrong after a crash of MongoDB.
      users.countDocuments().hint({ _id: 1 }),
      // Partial index { isActive: 1 } where not active.
      users.countDocuments({ isActive: false }),
    ]);
    return { total, active: Math.max(0, total - inactive) };
  }, options);
  const tokenCounts = cachedValue(async () => {
    const [total, last24h] = await Promise.all([
      tokens.countDocuments().hint({ _id: 1 }),
      // Index { listedAt: -1, _id: -1 }.
      tokens.countDocuments({ listedAt: { $gte: clock.now() - DAY } }),
    ]);
    return { total, last24h };
  }, options);

  return {
    /** Resolves with the totals; counts are cached for at least two seconds. */
    async read(): Promise<AdminStats> {
      const [ofUsers, ofTokens] = await Promise.all([userCounts.read(), tokenCounts.read()]);
      return { users: ofUsers, tokens: ofTokens, scanners: scanners() };
    },
    /** Discards the counts of tokens, after a removal. */
    clear: (): void => tokenCounts.clear(),
  };
}

/** Returns a function that resolves with the counts of all users together (S2.13-14). A day is a UTC day. */
export function createAutoBuyCounts(connection: Connection, clock: Clock): () => Promise<SystemStatus['autoBuy']> {
  const rules = ruleModel(connection);
  const strategies = strategyModel(connection);
  const transactions = transactionModel(connection);
  const counts = cachedValue(
    async () => {
      const today = new Date(Math.floor(clock.now() / DAY) * DAY);
      const [activeRules, activeStrategies, transactionsToday] = await Promise.all([
        // Partial index { isActive: 1 } where active, of both.
        rules.countDocuments({ isActive: true }),
        strategies.countDocuments({ isActive: true }),
        // Index { createdAt: 1 }.
        transactions.countDocuments({ createdAt: { $gte: today } }),
      ]);
      return { activeRules, activeStrategies, transactionsToday };
    },
    { maxAge: AUTO_BUY_REUSE, clock },
  );
  return () => counts.read();
}
