import { type Connection, type Model, type QueryFilter, Types } from 'mongoose';
import type { Logger } from 'pino';
import type { Alert } from '../../common/alerts/model.ts';
import { type RuleAlertType, type TokenAlertType, tokenAlertTypes } from '../../common/templates/model.ts';
import type { Random } from '../../common/time.ts';
import { duplicateIndexes, isUnavailable } from '../platform/database.ts';
import { retry } from '../platform/resilience.ts';
import { type UserRecord, userModel } from '../users/model.ts';
import { watchlistsModel } from '../watchlists/model.ts';
import { type AlertRecord, alertModel, typesAboutTokens } from './model.ts';

/** The fields of an earlier alert about a token that the matcher reads back at a start. */
export type EarlierAlert = Pick<AlertRecord, 'userId' | 'price' | 'at'> & { type: TokenAlertType; address: string };

const IN_STATE = {
  queued: { 'telegram.state': 'queued' },
  sending: { 'telegram.state': 'sending' },
  sent: { 'telegram.state': 'sent' },
} as const;
/** Messages that have not ended. */
const OPEN: QueryFilter<AlertRecord> = { 'telegram.state': { $in: ['queued', 'sending'] } };
/** Alerts of one batch: reading megabytes at once would block the process. */
const EARLIER_BATCH = 1_000;

/** Stored reasons of messages that were not sent. */
export const failures = {
  tooMany: 'too many messages were waiting',
  tooLate: 'too late',
  noWebhook: 'the webhook was deleted',
  noChat: 'the chat takes no messages',
  /** The user was deactivated, or put the token on the blacklist, while the message waited. */
  unwanted: 'no longer wanted',
  refused: 'Telegram refused the text',
  /** The message may have arrived. It is not sent again: a lost message is better than a duplicate. */
  unknown: 'outcome unknown',
} as const;

/** End of a message: sent, failed for a reason, or to be sent again. */
export type MessageEnd = 'sent' | 'queued' | { failed: string };

/** The fields of an alert whose message waits. */
export type WaitingAlert = Pick<AlertRecord, '_id' | 'userId' | 'address' | 'type' | 'telegram'>;

export type AlertStore = ReturnType<typeof createAlertStore>;

/** Creates the store of alerts and their messages in this database. User ids are hexadecimal. */
export function createAlertStore(connection: Connection) {
  const alerts = alertModel(connection);
  const users = userModel(connection);
  const watchlists = watchlistsModel(connection);

  return {
    ...createMessageStore(alerts),
    ...createPresetAlertStore(alerts),

    /** Returns those of these users who may be alerted: active, and without the token on their blacklist (null: regardless of it). */
    async allowed(address: string | null, userIds: readonly string[]): Promise<Set<string>> {
      const ids = userIds.map((id) => new Types.ObjectId(id));
      // By _id in both collections.
      const [active, blacklisting] = await Promise.all([
        users.find({ _id: { $in: ids }, isActive: true }, { _id: 1 }).lean<Pick<UserRecord, '_id'>[]>(),
        address === null
          ? []
          : watchlists
              .find({ _id: { $in: ids }, 'black.address': address }, { _id: 1 })
              .lean<{ _id: Types.ObjectId }[]>(),
      ]);
      const allowed = new Set(active.map(({ _id }) => _id.toHexString()));
      for (const { _id } of blacklisting) allowed.delete(_id.toHexString());
      return allowed;
    },

    /**
     * Stores the alerts that their users do not have yet, and returns them. A retry with the same records also returns the
     * alerts that the failed call had stored.
     */
    async insert(records: readonly AlertRecord[]): Promise<AlertRecord[]> {
      if (records.length === 0) return [];
      try {
        await alerts.collection.insertMany([...records], { ordered: false });
        return [...records];
      } catch (error) {
        const isRefused = duplicateIndexes(error);
        const ids = records.filter((_, index) => isRefused.has(index)).map(({ _id }) => _id);
        // A record refused because of itself: an earlier call stored it and its response was lost. By _id.
        const found = await alerts.find({ _id: { $in: ids } }, { _id: 1 }).lean<Pick<AlertRecord, '_id'>[]>();
        const own = new Set(found.map(({ _id }) => _id.toHexString()));
        return records.filter(({ _id }, index) => !isRefused.has(index) || own.has(_id.toHexString()));
      }
    },

    /** Returns how many alerts about tokens users have by their settings since then (epoch ms); users without any are missing. */
    countByUser: (since: number): Promise<Map<string, number>> => countBy(alerts, '$userId', tokenAlertTypes, since),

    /** Returns the newest alerts of a user, newest first. */
    async list(userId: string, limit: number): Promise<Alert[]> {
      // Index: userId, at, _id.
      const found = await alerts
        .find({ userId: new Types.ObjectId(userId) })
        .sort({ at: -1, _id: -1 })
        .limit(limit)
        .lean<AlertRecord[]>();
      return found.map(presentAlert);
    },

    /** Returns at most `limit` alerts about tokens from `since` on and before `before` (epoch ms), newest first. */
    earlier({ since, before, limit }: { since: number; before?: number; limit: number }): AsyncIterable<EarlierAlert> {
      const at = { $gte: new Date(since), ...(before === undefined ? {} : { $lt: new Date(before) }) };
      const fields = { _id: 0, userId: 1, type: 1, address: 1, price: 1, at: 1 };
      // Index: at.
      return alerts
        .find({ at, type: { $in: [...tokenAlertTypes] } }, fields)
        .sort({ at: -1 })
        .limit(limit)
        .lean<EarlierAlert[]>()
        .cursor({ batchSize: EARLIER_BATCH });
    },
  };
}

/** Creates the queries of the alerts by presets. */
function createPresetAlertStore(alerts: Model<AlertRecord>) {
  return {
    /** Returns how many alerts each preset alert caused since then (epoch ms), by its id. */
    countByRule: (since: number): Promise<Map<string, number>> => countBy(alerts, '$ref', ['preset_match'], since),

    /** Returns how many alerts users have by their presets since then (epoch ms); users without any are missing. */
    countOfPresetsByUser: (since: number): Promise<Map<string, number>> =>
      countBy(alerts, '$userId', ['preset_match'], since),

    /** Returns which of these preset alerts have caused an alert about a token, by id. */
    async causedBy(address: string, rules: readonly { ruleId: string; userId: string }[]): Promise<Set<string>> {
      if (rules.length === 0) return new Set();
      const userIds = rules.map(({ userId }) => new Types.ObjectId(userId));
      const refs = rules.map(({ ruleId }) => ruleId);
      // Index: userId, address, type, ref.
      const found = await alerts
        .find({ userId: { $in: userIds }, address, type: 'preset_match', ref: { $in: refs } }, { _id: 0, ref: 1 })
        .lean<{ ref: string }[]>();
      return new Set(found.map(({ ref }) => ref));
    },
  };
}

/** Counts the alerts of these types since then (epoch ms), by a field with ids. */
async function countBy(
  alerts: Model<AlertRecord>,
  field: '$userId' | '$ref',
  types: readonly (TokenAlertType | RuleAlertType)[],
  since: number,
): Promise<Map<string, number>> {
  // Index: at.
  const found = await alerts.aggregate<{ _id: Types.ObjectId | string; count: number }>([
    { $match: { at: { $gte: new Date(since) }, type: { $in: [...types] } } },
    { $group: { _id: field, count: { $sum: 1 } } },
  ]);
  return new Map(found.map(({ _id, count }) => [String(_id), count]));
}

/** Creates the store of the messages that go with alerts. */
function createMessageStore(alerts: Model<AlertRecord>) {
  return {
    /**
     * Marks a message as `sending`. Returns its alert; null when it has ended. Repeating it changes nothing, since the response of
     * the database may be lost.
     */
    async begin(_id: Types.ObjectId): Promise<AlertRecord | null> {
      return await alerts
        .findOneAndUpdate({ _id, ...OPEN }, { $set: IN_STATE.sending }, { returnDocument: 'after' })
        .lean<AlertRecord>();
    },

    /** Stores the end of a message in the state `from`. Does nothing when it has another one. */
    async end(_id: Types.ObjectId, from: 'queued' | 'sending', end: MessageEnd): Promise<void> {
      await alerts.updateOne(
        { _id, ...IN_STATE[from] },
        typeof end === 'string' ? { $set: IN_STATE[end] } : failed(end.failed),
      );
    },

    /**
     * Ends the messages that an earlier process was sending as unknown, and those older than these times (epoch ms) as too
     * late. Returns the queued ones that are left, oldest first.
     */
    async recover(since: { own: number; token: number }): Promise<WaitingAlert[]> {
      // Index: telegram.state, where sending.
      await alerts.updateMany(IN_STATE.sending, failed(failures.unknown));
      // Index: telegram.at, where queued.
      const before = (at: number) => ({ ...IN_STATE.queued, 'telegram.at': { $lt: new Date(at) } });
      await alerts.updateMany(before(since.own), failed(failures.tooLate));
      const aboutTokens = { type: { $in: [...typesAboutTokens] } };
      await alerts.updateMany({ ...before(since.token), ...aboutTokens }, failed(failures.tooLate));
      return await alerts
        .find(IN_STATE.queued, { userId: 1, address: 1, type: 1, telegram: 1 })
        .sort({ 'telegram.at': 1 })
        .lean<WaitingAlert[]>();
    },
  };
}

function failed(reason: string) {
  return { $set: { 'telegram.state': 'failed', 'telegram.reason': reason } as const };
}

export function presentAlert(alert: AlertRecord): Alert {
  const { _id, type, address, ref, name, symbol, text, at } = alert;
  // Earlier versions stored no holders and no cause.
  const figures = alert.figures && { ...alert.figures, holderCount: alert.figures.holderCount ?? null };
  const times = { id: _id.toHexString(), at: at.toISOString() };
  return { ...times, type, address, ref, name, symbol, figures, cause: alert.cause ?? null, text };
}

/** Delay while the database is unavailable, ms. */
const BACKOFF = { base: 250, max: 5_000 };
/** Attempts after any other error. */
const ATTEMPTS = 3;

export type DatabaseRetry = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Retries work until the database is available again or `signal` aborts; after other errors three
 * attempts are made. A match may not be found a second time, so it must not be lost.
 */
export function createDatabaseRetry(deps: {
  /** Names the waiting items in the log. */
  what: string;
  random: Random;
  log: Logger;
  signal: AbortSignal;
}): DatabaseRetry {
  const { what, random, log, signal } = deps;
  const policy = {
    ...{ retries: Number.POSITIVE_INFINITY, random, ...BACKOFF },
    delay(error: unknown, backoffMs: number, attempt: number) {
      if (attempt === 1) log.info({ error }, `database work on ${what} failed, retrying`);
      return isUnavailable(error) || attempt < ATTEMPTS ? backoffMs : null;
    },
  };
  return (work) => retry(policy, work, signal);
}
