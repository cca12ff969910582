import type { Clock } from '../../../common/time.ts';

/** Commands a chat may send at once, and when it may send one more, ms: slower than answers go out to one chat. */
const BURST = 5;
const REFILL = 2_000;
/** Chats that are remembered. The one that was silent longest goes first. */
const CHATS_MAX = 5_000;

/** `tell`: the first one too many, which is worth an answer. */
export type Allowance = 'go' | 'tell' | 'ignore';

/** Keeps one chat from using up the bot. */
export function createChatLimit(clock: Clock): (chatId: string) => Allowance {
  const chats = new Map<string, { left: number; at: number; told: boolean }>();
  return (chatId) => {
    const now = clock.now();
    const before = chats.get(chatId) ?? { left: BURST, at: now, told: false };
    const left = Math.min(BURST, before.left + Math.max(0, now - before.at) / REFILL);
    const isFree = left >= 1;
    chats.delete(chatId);
    chats.set(chatId, { left: isFree ? left - 1 : left, at: now, told: !isFree });
    for (const oldest of chats.keys()) {
      if (chats.size <= CHATS_MAX) break;
      chats.delete(oldest);
    }
    if (isFree) return 'go';
    return before.told ? 'ignore' : 'tell';
  };
}
