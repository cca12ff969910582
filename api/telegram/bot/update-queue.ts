import type { BotInfo } from '../../../common/telegram/model.ts';
import { type Clock, MINUTE } from '../../../common/time.ts';
import { createGrowingCache } from '../../platform/growing-cache.ts';
import { createKeyedMutex } from '../../platform/keyed-mutex.ts';
import { isCommand } from '../commands/command.ts';
import { resume, stop } from '../trading/stop.ts';
import { isDatabaseAway } from './dispatch.ts';
import { type Press, type PrivateMessage, readUpdate } from './update.ts';

/** Messages of one chat that wait or run; further ones are dropped without a reply. */
const CHAT_MAX = 5;
/** The same of all chats together. */
const ALL_MAX = 500;

export interface UpdateQueueDeps {
  /** Returns whether this chat may get a reply, as of now. */
  allowance(chatId: string): Allowance;
  /** Runs the command of a message, and replies if `allowed`. Rejects when the database is away. Waits for no reply to arrive. */
  onMessage(message: PrivateMessage, info: BotInfo, allowed: Allowance): Promise<void>;
  /** Does the action of a button, if `allowed`. Rejects when the database is away. Waits for no reply to arrive. */
  onPress(press: Press, allowed: Allowance): Promise<void>;
  /** A person blocked or unblocked the bot. */
  onMembership(chatId: string, kind: 'blocked' | 'unblocked'): Promise<void>;
  /** The database is away: this stop or press will come again. Called once for each. */
  onDelayed(incoming: PrivateMessage | Press): void;
  onProcessed(): void;
  /** An update failed. It does not come again. */
  onFailure(error: unknown): void;
}

/** Creates the queue of updates: what waits for what, and how many messages wait. */
export function createUpdateQueue(deps: UpdateQueueDeps) {
  const lanes = createLanes();
  /** Chats with a stop that has not started: it does for later ones, too. */
  const waitingStops = new Set<string>();

  function failed(error: unknown): void {
    deps.onFailure(error);
    deps.onProcessed();
  }

  /** Runs `work` after the earlier work of its lane, or drops it. */
  function later(lane: string, work: () => Promise<void>): void {
    void lanes.bounded(lane, work).then(deps.onProcessed, failed);
  }

  /** Runs the `work` of a stop or a press after the earlier work of its lane. `onAway`: the database is away. */
  async function effect(lane: string, onAway: () => void, work: () => Promise<void>): Promise<void> {
    try {
      await lanes.run(lane, work);
    } catch (error) {
      if (!isDatabaseAway(error)) return failed(error);
      onAway();
      throw error;
    }
    deps.onProcessed();
  }

  async function takeMessage(message: PrivateMessage, info: BotInfo, onAway: () => void): Promise<void> {
    const { chatId, text } = message;
    // Decided before any reply: a reply takes time, in which a flooding chat would earn the next one.
    const allowed = deps.allowance(chatId);
    const work = () => deps.onMessage(message, info, allowed);
    // A stop waits for no other command, and keeps its order with /resume.
    const stops = `${chatId} stop`;
    if (isCommand(text, resume)) {
      waitingStops.delete(chatId);
      return later(stops, work);
    }
    // The warning about too many commands does not wait for them.
    if (!isCommand(text, stop)) return later(allowed === 'allowed' ? chatId : `${chatId} limited`, work);
    if (waitingStops.has(chatId)) return deps.onProcessed();
    waitingStops.add(chatId);
    return effect(stops, onAway, () => {
      waitingStops.delete(chatId);
      return work();
    });
  }

  return {
    /**
     * Takes an update in. A stop or a press resolves when its effect is stored, and rejects when the database is away: then it
     * must come again, `isRepeated`. Everything else resolves at once, is done later, and is lost by a crash.
     */
    async take(update: unknown, info: BotInfo, isRepeated = false): Promise<void> {
      const incoming = readUpdate(update);
      switch (incoming?.kind) {
        case 'message':
          return takeMessage(incoming, info, () => isRepeated || deps.onDelayed(incoming));
        case 'press': {
          const allowed = deps.allowance(incoming.chatId);
          const onAway = () => isRepeated || deps.onDelayed(incoming);
          return effect(`${incoming.chatId} press`, onAway, () => deps.onPress(incoming, allowed));
        }
        case 'blocked':
        case 'unblocked':
          return later(incoming.chatId, () => deps.onMembership(incoming.chatId, incoming.kind));
        case 'other':
          return deps.onProcessed();
        case undefined:
          return;
      }
    },
    /** Starts nothing more. */
    stop: lanes.stop,
  };
}

/** Creates lanes. Work within a lane runs in order. */
function createLanes() {
  const inOrder = createKeyedMutex();
  /** Bounded work that waits or runs, by lane. */
  const counts = new Map<string, number>();
  let total = 0;
  let isStopped = false;

  const run = (lane: string, work: () => Promise<void>) => inOrder(lane, async () => (isStopped ? undefined : work()));
  return {
    run,
    /** The same, without the work when the lane or all lanes are full. */
    async bounded(lane: string, work: () => Promise<void>): Promise<void> {
      const before = counts.get(lane) ?? 0;
      if (before >= CHAT_MAX || total >= ALL_MAX) return;
      counts.set(lane, before + 1);
      total += 1;
      try {
        await run(lane, work);
      } finally {
        total -= 1;
        const left = (counts.get(lane) ?? 1) - 1;
        if (left === 0) counts.delete(lane);
        else counts.set(lane, left);
      }
    },
    /** Starts nothing more: work that waits ends without being done. */
    stop(): void {
      isStopped = true;
    },
  };
}

/** Commands that a chat may send at once. */
const BURST = 5;
/** Interval after which a chat may send one more, ms: longer than one response to a chat takes. */
const REFILL = 2_000;
/** Replies to a chat without an account, in any minute. */
const STRANGER_REPLIES = 2;
/** Chats remembered; the one silent longest is dropped first. */
const CHATS_MAX = 5_000;

/** `warn`: the first command over the limit, which gets a warning as its reply. */
export type Allowance = 'allowed' | 'warn' | 'ignore';

/**
 * Keeps one chat from using up the bot. Synchronous, since the commands of a poll must be judged before the first of them gets
 * a reply. A token bucket instead of rate-limiter-flexible, which counts fixed windows by the time of day, for any number of
 * chats: a chat would wait for the next command up to five times as long.
 */
export function createChatLimit(clock: Clock): (chatId: string) => Allowance {
  const chats = createGrowingCache<{ left: number; at: number; isWarned: boolean }>(CHATS_MAX);
  return (chatId) => {
    const now = clock.now();
    const before = chats.get(chatId) ?? { left: BURST, at: now, isWarned: false };
    const left = Math.min(BURST, before.left + Math.max(0, now - before.at) / REFILL);
    const isAllowed = left >= 1;
    chats.set(chatId, { left: isAllowed ? left - 1 : left, at: now, isWarned: !isAllowed });
    if (isAllowed) return 'allowed';
    return before.isWarned ? 'ignore' : 'warn';
  };
}

/** Returns a function that counts a reply to a chat without an account, and returns whether it may be sent. */
export function createStrangerLimit(clock: Clock): (chatId: string) => boolean {
  const replies = createGrowingCache<readonly number[]>(CHATS_MAX);
  return (chatId) => {
    const now = clock.now();
    const recent = (replies.get(chatId) ?? []).filter((at) => Math.abs(now - at) < MINUTE);
    if (recent.length >= STRANGER_REPLIES) return false;
    replies.set(chatId, [...recent, now]);
    return true;
  };
}
