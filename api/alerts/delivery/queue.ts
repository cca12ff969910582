import type { Connection, Types } from 'mongoose';
import type { TelegramLinks } from '../../telegram/links/service.ts';
import type { Outgoing } from '../alerting.ts';
import { type AlertRecord, alertModel, type Delivery } from '../model.ts';

/** Messages of one user that may wait; what comes beyond it is not sent. A chat takes one a second. */
export const WAITING_PER_USER = 50;
/** An alert that is older than this is no news any more, ms. */
export const TOO_LATE = 3_600_000;
/**
 * A message that was claimed and is not done after this belongs to somebody who died, ms: longer than a sender waits through
 * everything that Telegram may ask of it.
 */
export const CLAIM = 600_000;

export const reasons = {
  tooMany: 'too many messages were waiting',
  tooLate: 'too late',
  noChat: 'the chat takes no messages',
  /** Deactivated, or the token is on the blacklist by now. */
  unwanted: 'no longer wanted',
  refused: 'Telegram refused the text',
  /** Whether it arrived is not known. It is not sent again: once too few is better than twice. */
  unknown: 'outcome unknown',
} as const;

export type Queued = AlertRecord & { telegram: Delivery };

/** The messages to Telegram that wait: part of the alerts they belong to, so that a restart loses none and doubles none. */
export interface Queue extends Pick<Outgoing, 'deliveries'> {
  /** Claims the next message in order; none of these users, whose turn it is already. One atomic update. */
  claim(busy: readonly Types.ObjectId[], now: number): Promise<Queued | null>;
  /** How a claimed message ended; null: it goes back to its place. Changes nothing where the claim is over. */
  end(message: Queued, outcome: { sent: true } | { failed: string } | null): Promise<void>;
  /** Ends all that waits for this user. */
  endAllOf(userId: Types.ObjectId, reason: string): Promise<void>;
  /** Ends what is too old, and what somebody claimed who died. */
  sweep(now: number): Promise<void>;
}

const QUEUED = { 'telegram.state': 'queued' } as const;

/**
 * Fair by turns: a user's n-th waiting message is n turns away, however early all of them were put in, so that nobody waits
 * for somebody else's fifty messages.
 */
export function createQueue(deps: { connection: Connection; links: Pick<TelegramLinks, 'ofUsers'> }): Queue {
  const alerts = alertModel(deps.connection);
  /** The turn that is being served. */
  let turn: number | null = null;

  async function currentTurn(): Promise<number> {
    // Index: turn, of what is queued. What an earlier process left goes on where it was.
    turn ??= (await alerts.findOne(QUEUED).sort({ 'telegram.turn': 1, _id: 1 }).lean<Queued>())?.telegram.turn ?? 0;
    return turn;
  }

  async function waitingOf(userIds: readonly Types.ObjectId[]) {
    // Index: userId, turn, of what is queued.
    const found = await alerts.aggregate<{ _id: Types.ObjectId; count: number; last: number }>([
      { $match: { ...QUEUED, userId: { $in: [...userIds] } } },
      { $group: { _id: '$userId', count: { $sum: 1 }, last: { $max: '$telegram.turn' } } },
    ]);
    return new Map(found.map(({ _id, count, last }) => [_id.toHexString(), { count, last }]));
  }

  return {
    async deliveries(userIds, template, at) {
      const links = await deps.links.ofUsers(userIds);
      const takers = [...links.values()].filter(({ goneAt }) => goneAt === null).map(({ _id }) => _id);
      if (takers.length === 0) return new Map();
      const [waiting, current] = await Promise.all([waitingOf(takers), currentTurn()]);
      return new Map(
        takers.map((userId) => {
          const { count, last } = waiting.get(userId.toHexString()) ?? { count: 0, last: 0 };
          const isFull = count >= WAITING_PER_USER;
          const delivery: Delivery = {
            state: isFull ? 'failed' : 'queued',
            template,
            turn: Math.max(current, last) + 1,
            at,
            claimedUntil: null,
            reason: isFull ? reasons.tooMany : null,
          };
          return [userId.toHexString(), delivery];
        }),
      );
    },

    async claim(busy, now) {
      // Index: turn, of what is queued; those who are busy are few.
      const claimed = await alerts
        .findOneAndUpdate(
          { ...QUEUED, userId: { $nin: [...busy] } },
          { $set: { 'telegram.state': 'sending', 'telegram.claimedUntil': new Date(now + CLAIM) } },
          { sort: { 'telegram.turn': 1, _id: 1 }, returnDocument: 'after' },
        )
        .lean<Queued>();
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
      // Index: userId, turn, of what is queued.
      await alerts.updateMany({ ...QUEUED, userId }, failedBy(reason));
    },

    async sweep(now) {
      // Index: at, of what is queued.
      const old = { ...QUEUED, 'telegram.at': { $lt: new Date(now - TOO_LATE) } };
      await alerts.updateMany(old, failedBy(reasons.tooLate));
      // Index: claimedUntil, of what is claimed.
      const dead = { 'telegram.state': 'sending' as const, 'telegram.claimedUntil': { $lt: new Date(now) } };
      await alerts.updateMany(dead, failedBy(reasons.unknown));
    },
  };
}

function failedBy(reason: string) {
  return { $set: { 'telegram.state': 'failed', 'telegram.reason': reason, 'telegram.claimedUntil': null } };
}
