import type { Model } from 'mongoose';
import type { AdminStats } from '../../common/admin/model.ts';
import type { Clock } from '../../common/time.ts';
import type { FeedLog } from '../../realtime/feed-log/feed-log.ts';
import type { TokenRecord } from '../tokens/record.ts';
import { createTotalCount } from '../tokens/total-count.ts';
import type { UserRecord } from '../users/model.ts';

const DAY = 86_400_000;
/** Counted tokens count as counted for this long, ms; what the feed tells of meanwhile is added. */
const COUNTED_FOR = 30_000;

export interface AdminStatsDeps {
  users: Model<UserRecord>;
  tokens: Model<TokenRecord>;
  feedLog: Pick<FeedLog, 'tail'>;
  scanners: () => AdminStats['scanners'];
  clock: Clock;
}

/** The totals of section 3 (S3-53). */
export interface AdminStatistics {
  /** As MongoDB has it, at most two seconds old. */
  read(): Promise<AdminStats>;
  /** The same, cheap enough for every second: tokens are counted by the feed in between. */
  follow(): Promise<AdminStats>;
  /** Many tokens went: they are counted anew. */
  recount(): void;
  stop(): void;
}

export function createAdminStats({ users, tokens, feedLog, scanners, clock }: AdminStatsDeps): AdminStatistics {
  // Index { _id: 1 }.
  const allUsers = createTotalCount(() => users.countDocuments().hint({ _id: 1 }).exec(), clock);
  // Partial index { isActive: 1 } where not: those are few.
  const inactive = createTotalCount(() => users.countDocuments({ isActive: false }).exec(), clock);
  // Index { _id: 1 }, and { listedAt: -1, _id: -1 }.
  const allTokens = createTotalCount(() => tokens.countDocuments().hint({ _id: 1 }).exec(), clock);
  const ofLastDay = createTotalCount(
    () => tokens.countDocuments({ listedAt: { $gte: clock.now() - DAY } }).exec(),
    clock,
  );
  let counted: { at: number; total: number; last24h: number } | null = null;

  const untail = feedLog.tail({
    entries(entries) {
      for (const { event, payload } of entries) {
        if (event === 'tokens-removed') counted = null;
        if (event !== 'new-token' || counted === null) continue;
        counted.total += 1;
        const { createdAt, detectedAt } = payload.token;
        if (clock.now() - Date.parse(createdAt ?? detectedAt) <= DAY) counted.last24h += 1;
      }
    },
    message() {},
  });

  async function countTokens(): Promise<AdminStats['tokens']> {
    const [total, last24h] = await Promise.all([allTokens(), ofLastDay()]);
    counted = { at: clock.now(), total, last24h };
    return { total, last24h };
  }

  async function countUsers(): Promise<AdminStats['users']> {
    const [total, notActive] = await Promise.all([allUsers(), inactive()]);
    return { total, active: Math.max(0, total - notActive) };
  }

  return {
    async read() {
      const [counts, people] = await Promise.all([countTokens(), countUsers()]);
      return { users: people, tokens: counts, scanners: scanners() };
    },
    async follow() {
      const isFresh = counted !== null && clock.now() - counted.at < COUNTED_FOR;
      const people = await countUsers();
      const { total, last24h } = counted !== null && isFresh ? counted : await countTokens();
      return { users: people, tokens: { total, last24h }, scanners: scanners() };
    },
    recount() {
      counted = null;
      allTokens.clear();
      ofLastDay.clear();
    },
    stop: untail,
  };
}
