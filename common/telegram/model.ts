import { z } from 'zod';
import { MINUTE } from '../time.ts';

const botCommandSchema = z.strictObject({ command: z.string(), description: z.string() });
export type BotCommand = z.infer<typeof botCommandSchema>;

/** The bot's account as returned by Telegram's getMe. */
export const botInfoSchema = z.strictObject({
  id: z.int(),
  username: z.string(),
  first_name: z.string(),
  can_join_groups: z.boolean(),
  can_read_all_group_messages: z.boolean(),
  supports_inline_queries: z.boolean(),
});
export type BotInfo = z.infer<typeof botInfoSchema>;

const botMessageSchema = z.strictObject({ from: z.string(), text: z.string(), date: z.iso.datetime() });

/** The bot's status for all users. */
const publicBotStatusSchema = z.strictObject({
  /** Whether a `TELEGRAM_BOT_TOKEN` is set. */
  configured: z.boolean(),
  /** Whether Telegram responded recently. */
  connected: z.boolean(),
  botUsername: z.string().nullable(),
  botName: z.string().nullable(),
  /** In the order of the menu. */
  commands: z.array(botCommandSchema),
});

/** The bot's status for administrators only. */
const botDetailsSchema = z.strictObject({
  /** Null until the first response of getMe. */
  botInfo: botInfoSchema.nullable(),
  /** Linked chats that accept messages. */
  activeUserCount: z.int(),
  /** Updates handled since the start. */
  updates: z.int(),
  /** Newest first, at most 20. Link codes are masked. */
  recentMessages: z.array(botMessageSchema),
  /** The problem in one sentence; null without one. Never contains the token. */
  error: z.string().nullable(),
  /** Time of the last response of Telegram, and of the next retry. */
  lastContactAt: z.iso.datetime().nullable(),
  retryAt: z.iso.datetime().nullable(),
  /** Host of the Telegram API. */
  apiHost: z.string(),
});

/** The bot's status; details are null for users who are not administrators. */
export const botStatusSchema = z.union([
  publicBotStatusSchema.extend(botDetailsSchema.shape),
  publicBotStatusSchema.extend({
    botInfo: z.null(),
    activeUserCount: z.null(),
    updates: z.null(),
    recentMessages: z.null(),
    error: z.null(),
    lastContactAt: z.null(),
    retryAt: z.null(),
    apiHost: z.null(),
  }),
]);
export type BotStatus = z.infer<typeof botStatusSchema>;

/** The chat linked to the user's account. */
export const telegramLinkSchema = z.strictObject({
  linked: z
    .strictObject({
      /** Username of the Telegram account; null without one. */
      username: z.string().nullable(),
      linkedAt: z.iso.datetime(),
      /** The chat no longer accepts messages: the bot was blocked, or the chat was deleted. */
      gone: z.boolean(),
    })
    .nullable(),
});
export type TelegramLink = z.infer<typeof telegramLinkSchema>;

/** Lifetime of a link code, ms. A code works once. */
export const LINK_CODE_MS = 10 * MINUTE;
export const linkCodeSchema = z.strictObject({
  /** Sent to the bot as `/start <code>`. */
  code: z.string(),
  /** Opens the bot with the code; null while the bot's username is unknown. */
  url: z.string().nullable(),
  expiresAt: z.iso.datetime(),
});
export type LinkCode = z.infer<typeof linkCodeSchema>;

/** Counts of the last 24 h by template name; broadcasts are named 'Broadcast'. */
export const notificationStatsSchema = z.array(
  z.strictObject({ template: z.string(), sent: z.int(), failed: z.int(), queued: z.int() }),
);
export type NotificationStats = z.infer<typeof notificationStatsSchema>;

export const BROADCAST_EMPTY = 'Please enter a message to broadcast.';
/** Longest message that Telegram accepts. */
const BROADCAST_MAX = 4_096;
export const broadcastMessageSchema = z.string().trim().min(1, BROADCAST_EMPTY).max(BROADCAST_MAX);

/** Result of a broadcast. `success`: at least one chat was reached. `errors`: the first few messages. */
export const broadcastResultSchema = z.strictObject({
  success: z.boolean(),
  sentCount: z.int(),
  failedCount: z.int(),
  errors: z.array(z.string()).max(10),
});
export type BroadcastResult = z.infer<typeof broadcastResultSchema>;
