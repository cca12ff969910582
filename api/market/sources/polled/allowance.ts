import { createHash } from 'node:crypto';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { type RateLimiterAbstract, RateLimiterMongo } from 'rate-limiter-flexible';
import { type Clock, DAY, SECOND } from '../../../../common/time.ts';
import type { MonthlyCredits } from './service-spec.ts';

/** Counts of used credits by service, key and month. They reject while the database is away. */
export type UsageCounter = Pick<RateLimiterAbstract, 'get' | 'penalty'>;

/** How long a count is kept, seconds: a month and more, since its key has the month. */
const KEPT = (62 * DAY) / SECOND;
/** Hours of a month, for the share of the allowance that may be used at once. */
const HOURS_PER_MONTH = 730;
/** Characters of a key's fingerprint: enough to distinguish keys. */
const FINGERPRINT = 16;

/** Creates the counter of all services, whose counts survive restarts. Its indexes are created by `createIndexes`. */
export function createUsageCounter(connection: Connection): RateLimiterMongo {
  return new RateLimiterMongo({
    storeClient: connection.getClient(),
    dbName: connection.name,
    tableName: 'serviceUsage',
    keyPrefix: '',
    points: 1,
    duration: KEPT,
    disableIndexesCreation: true,
  });
}

export type Allowance = ReturnType<typeof createAllowance>;

interface AllowanceDeps {
  /** Returns the key in force; null without one. */
  currentKey: () => string | null;
  clock: Clock;
}

/**
 * Creates the monthly allowance of a service's plan, handed out evenly over the rest of the month. Billing periods of accounts
 * are unknown, so a period is a calendar month in UTC. Usage belongs to a key: another account has its own.
 */
export function createAllowance(service: string, credits: MonthlyCredits, { currentKey, clock }: AllowanceDeps) {
  const { perMonth, listings, quotes } = credits;
  const run = listings + quotes;
  // At least one complete run; with a large plan an administrator's runs do not have to wait for each other.
  const burst = Math.max(run, perMonth / HOURS_PER_MONTH);
  const accounts = createAccounts((month) => `${service}:${fingerprint(currentKey())}:${month}`, clock);
  const leftOf = ({ used }: Account) => Math.max(0, perMonth - used);
  /** Returns the time in which one credit is handed out, ms. */
  const paceOf = (account: Account, now: number) => (monthEnd(now) - now) / Math.max(1, leftOf(account));

  /** Loads the usage of the present account. One that has used more than its share of the month waits. */
  async function load(): Promise<void> {
    await accounts.load();
    const { account, now } = accounts.present();
    const start = monthStart(now);
    const share = (perMonth * (now - start)) / (monthEnd(now) - start);
    account.paidUntil = now + Math.min(burst, Math.max(0, account.used - share)) * paceOf(account, now);
  }

  /** Returns ms until this many credits can be taken; 0: now. Never later than the next month. */
  function readyIn(wanted: number): number {
    const { account, now } = accounts.present();
    const untilNextMonth = Math.max(1, monthEnd(now) - now);
    if (leftOf(account) < wanted) return untilNextMonth;
    const wait = Math.max(0, account.paidUntil - now) - (burst - wanted) * paceOf(account, now);
    return Math.min(untilNextMonth, Math.max(0, Math.ceil(wait)));
  }

  return {
    readyIn,
    /** Whether the month's allowance still contains this many credits. */
    includes: (wanted: number) => leftOf(accounts.present().account) >= wanted,
    /** Whether a run has to wait: requests for new tokens would otherwise use up every credit before known tokens' turn. */
    isPaced: () => readyIn(run) > 0,
    take(taken: number): void {
      const { account, now } = accounts.present();
      account.paidUntil = Math.max(account.paidUntil, now) + taken * paceOf(account, now);
      accounts.count(account, taken);
    },
    /** `resetsAt`: epoch ms. */
    read(): { limit: number; left: number; resetsAt: number } {
      const { account, now } = accounts.present();
      return { limit: perMonth, left: leftOf(account), resetsAt: monthEnd(now) };
    },
    /** Continues with the stored usage. Never rejects. */
    load(context: CounterContext): Promise<void> {
      accounts.open(context);
      return load();
    },
    /** Continues with the usage of the present key when it is another one. */
    keyChanged(): void {
      if (accounts.keyChanged()) void load();
    },
    /** Resolves when the usage is stored, or could not be. */
    saved: accounts.saved,
  };
}

/** Usage of one key in one month. */
interface Account {
  /** Key of its count. */
  name: string;
  month: string;
  used: number;
  /** Credits that the counter does not have yet. */
  uncounted: number;
  /** Time for handing out the credits taken, epoch ms: at most a burst in the future. */
  paidUntil: number;
}

interface CounterContext {
  usage: UsageCounter;
  log: Logger;
}

/** Creates the usage of the present key and month, counted by `usage`. */
function createAccounts(nameOf: (month: string) => string, clock: Clock) {
  let context: CounterContext | null = null;
  let counting: Promise<void> = Promise.resolve();
  let account = begin(monthOf(clock.now()));

  function begin(month: string): Account {
    return { name: nameOf(month), month, used: 0, uncounted: 0, paidUntil: 0 };
  }

  /** Returns the account at the present time. A clock that was set back begins no month. */
  function present(): { account: Account; now: number } {
    const now = clock.now();
    const month = monthOf(now);
    if (month > account.month) account = begin(month);
    return { account, now };
  }

  async function store(counted: Account): Promise<void> {
    const credits = counted.uncounted;
    if (context === null || credits === 0) return;
    try {
      await context.usage.penalty(counted.name, credits);
      counted.uncounted -= credits;
    } catch (error) {
      // Counted with the next request.
      context.log.warn({ error }, 'monthly usage not stored');
    }
  }

  return {
    present,
    open(given: CounterContext): void {
      context = given;
      account = begin(monthOf(clock.now()));
    },
    async load(): Promise<void> {
      const loaded = account;
      try {
        const stored = await context?.usage.get(loaded.name);
        loaded.used += stored?.consumedPoints ?? 0;
      } catch (error) {
        context?.log.warn({ error }, 'monthly usage not loaded');
      }
    },
    count(counted: Account, credits: number): void {
      counted.used += credits;
      counted.uncounted += credits;
      // One after the other, so that the credits of a failure are counted once.
      counting = counting.then(() => store(counted));
    },
    /** Returns whether the key is another one, whose account begins. */
    keyChanged(): boolean {
      const isOther = nameOf(account.month) !== account.name;
      if (isOther) account = begin(account.month);
      return isOther;
    },
    saved: () => counting,
  };
}

function fingerprint(key: string | null): string {
  return createHash('sha256')
    .update(`mintwatch usage ${key ?? ''}`)
    .digest('hex')
    .slice(0, FINGERPRINT);
}

/** Returns the calendar month (UTC) of a time, such as `2026-11`. */
function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

function monthStart(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

/** Returns the end of the month (UTC) that contains a time, epoch ms. */
export function monthEnd(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
