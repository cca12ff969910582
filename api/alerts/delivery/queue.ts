import type { Connection, Types } from 'mongoose';
import { HOUR, MINUTE } from '../../../common/time.ts';
import type { TelegramLinks } from '../../telegram/links/service.ts';
import { type AlertMessage, type AlertRecord, alertModel } from '../model.ts';

/** Queued messages of one user; further ones are not sent. A chat accepts one message a second. */
export const QUEUED_PER_USER = 50;
/** An older alert is no longer sent, ms. */
export const MAX_AGE = HOUR;
/** A message claimed longer ago belongs to a process that died, ms: longer than any pause Telegram may request of a sender. */
export const CLAIM = 10 * MINUTE;

/** Stored reasons of messages that were not sent. */
export const failures = {
  tooMany: 'too many messages were waiting',
  tooLate: 'too late',
  noChat: 'the chat takes no messages',
  /** The user was deactivated, or put the token on the blacklist, while the message waited. */
  unwanted: 'no longer wanted',
  refused: 'Telegram refused the text',
  /** The message may have arrived. It is not sent again: a lost message is better than a duplicate. */
  unknown: 'outcome unknown',
} as const;

export type QueuedAlert = AlertRecord & { telegram: AlertMessage };

/** The queue of messages to Telegram, as the writers of alerts use it. */
export interface Outgoing {
  /** Returns the messages of those users who have a chat, by user id, with their place in the queue. */
  messages(userIds: readonly string[], template: string, at: Date): Promise<Map<string, AlertMessage>>;
  /** Wakes the delivery after new messages were stored. */
  wake(): void;
}

/** The queue of messages to Telegram: part of the alerts they belong to, so that a restart neither loses nor duplicates one. */
export interface Queue extends Pick<Outgoing, 'messages'> {
  /** Claims the next message in order, except those of `busy` users, in one atomic update. Resolves with null when there is none. */
  claim(busy: readonly Types.ObjectId[], now: number): Promise<QueuedAlert | null>;
  /** Stores the outcome of a claimed message; null returns it to its place. Does nothing when the claim has expired. */
  end(message: QueuedAlert, outcome: { sent: true } | { failed: string } | null): Promise<void>;
  /** Ends all queued messages of a user. */
  endAllOf(userId: Types.ObjectId, reason: string): Promise<void>;
  /** Ends messages that are too old, and those claimed by a process that died. */
  expire(now: number): Promise<void>;
}

const QUEUED = { 'telegram.state': 'queued' } as const;

/**
 * Creates the queue. It is fair: the n-th queued message of a user is n turns away, however early all of them were
 * queued, so that no user waits for the fifty messages of another.
 */
export function createQueue(deps: { connection: Connection; links: Pick<TelegramLinks, 'ofUsers'> }): Queue {
  const alerts = alertModel(deps.connection);
  /** The turn being served; null until the first use. */
  let turn: number | null = null;

  async function currentTurn(): Promise<number> {
    // Index: turn, of queued messages. Continues where an earlier process stopped.
    turn ??=
      (await alerts.findOne(QUEUED).sort({ 'telegram.turn': 1, _id: 1 }).lean<QueuedAlert>())?.telegram.turn ?? 0;
    return turn;
  }

  async function queuedOf(userIds: readonly Types.ObjectId[]) {
    // Index: userId, turn, of queued messages.
    const found = await alerts.aggregate<{ _id: Types.ObjectId; count: number; last: number }>([
      { $match: { ...QUEUED, userId: { $in: [...userIds] } } },
      { $group: { _id: '$userId', count: { $sum: 1 }, last: { $max: '$telegram.turn' } } },
    ]);
    return new Map(found.map(({ _id, count, last }) => [_id.toHexString(), { count, last }]));
  }

  return {
    async messages(userIds, template, at) {
      const links = await deps.links.ofUsers(userIds);
      const reachable = [...links.values()].filter(({ goneAt }) => goneAt === null).map(({ _id }) => _id);
      if (reachable.length === 0) return new Map();
      const [queued, current] = await Promise.all([queuedOf(reachable), currentTurn()]);
      return new Map(
        reachable.map((userId) => {
          const { count, last } = queued.get(userId.toHexString()) ?? { count: 0, last: 0 };
          const place = { template, turn: Math.max(current, last) + 1, at, claimedUntil: null, note: null };
          const message: AlertMessage =
            count < QUEUED_PER_USER
              ? { ...place, state: 'queued', reason: null }
              : { ...place, state: 'failed', reason: failures.tooMany };
          return [userId.toHexString(), message];
        }),
      );
    },

    async claim(busy, now) {
      // Index: turn, of queued messages; busy users are few.
      const claimed = await alerts
        .findOneAndUpdate(
          { ...QUEUED, userId: { $nin: [...busy] } },
          { $set: { 'telegram.state': 'sending', 'telegram.claimedUntil': new Date(now + CLAIM) } },
          { sort: { 'telegram.turn': 1, _id: 1 }, returnDocument: 'after' },
        )
        .lean<QueuedAlert>();
      if (claimed) turn = Math.max(turn ?? 0, claimed.telegram.turn);
      return claimed;
    },

    async end({ _id }, outcome) {
      const state = outcome === null ? 'queued' : 'sent' in outcome ? 'sent' : 'failed';
      const reason = outcome !== null && 'failed' in outcome ? outcome.failed : null;
      const change = { 'telegram.state': state, 'telegram.reason': reason, 'telegram.claimedUntil': null };
      await alerts.updateOne({ _id, 'telegram.state': 'sending' }, { $set: change });
    },

    async endAllOf(userId, reason) {
      // Index: userId, turn, of queued messages.
      await alerts.updateMany({ ...QUEUED, userId }, failedBy(reason));
    },

    async expire(now) {
      // Index: at, of queued messages.
      const old = { ...QUEUED, 'telegram.at': { $lt: new Date(now - MAX_AGE) } };
      await alerts.updateMany(old, failedBy(failures.tooLate));
      // Index: claimedUntil, of claimed messages.
      const abandoned = { 'telegram.state': 'sending' as const, 'telegram.claimedUntil': { $lt: new Date(now) } };
      await alerts.updateMany(abandoned, failedBy(failures.unknown));
    },
  };
}

function failedBy(reason: string) {
  return { $set: { 'telegram.state': 'failed', 'telegram.reason': reason, 'telegram.claimedUntil': null } };
}
