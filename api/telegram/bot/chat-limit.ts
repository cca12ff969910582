import { type Clock, MINUTE } from '../../../common/time.ts';
import { createGrowingCache } from '../../platform/growing-cache.ts';

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
