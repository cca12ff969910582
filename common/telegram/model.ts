import { z } from 'zod';

export const botCommandSchema = z.strictObject({ command: z.string(), description: z.string() });
export type BotCommand = z.infer<typeof botCommandSchema>;

/** The bot's account, as Telegram's getMe says. */
export const botInfoSchema = z.strictObject({
  id: z.int(),
  username: z.string(),
  first_name: z.string(),
  can_join_groups: z.boolean(),
  can_read_all_group_messages: z.boolean(),
  supports_inline_queries: z.boolean(),
});
export type BotInfo = z.infer<typeof botInfoSchema>;

export const botMessageSchema = z.strictObject({ from: z.string(), text: z.string(), date: z.iso.datetime() });

/** What everybody may know of the bot. */
export const publicBotStatusSchema = z.strictObject({
  /** Whether a `TELEGRAM_BOT_TOKEN` is set. */
  configured: z.boolean(),
  /** Whether Telegram answered lately. */
  connected: z.boolean(),
  botUsername: z.string().nullable(),
  botName: z.string().nullable(),
  /** In the order of the menu. */
  commands: z.array(botCommandSchema),
});

/** What only administrators may know. */
export const botDetailsSchema = z.strictObject({
  /** Null until Telegram has said who the bot is. */
  botInfo: botInfoSchema.nullable(),
  /** Linked chats that take messages. */
  activeUserCount: z.int(),
  /** Updates handled since the start. */
  updates: z.int(),
  /** Newest first, at most 20. A link code in them is masked. */
  recentMessages: z.array(botMessageSchema),
  /** What is wrong, in one sentence; null while all is well. Never the token. */
  error: z.string().nullable(),
  /** When it last heard from Telegram, and when it tries again. */
  lastContactAt: z.iso.datetime().nullable(),
  retryAt: z.iso.datetime().nullable(),
  /** Host that answers for Telegram. */
  apiHost: z.string(),
});

/** Details are null for users who are no administrators. */
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

/** The chat that is tied to the user's account. */
export const telegramLinkSchema = z.strictObject({
  linked: z
    .strictObject({
      /** Of the Telegram account; null without one. */
      username: z.string().nullable(),
      linkedAt: z.iso.datetime(),
      /** The chat no longer takes messages: the bot was blocked, or the chat deleted. */
      gone: z.boolean(),
    })
    .nullable(),
});
export type TelegramLink = z.infer<typeof telegramLinkSchema>;

/** A code is good once, for this long, ms. */
export const LINK_CODE_MS = 10 * 60_000;
export const linkCodeSchema = z.strictObject({
  /** To be sent to the bot as `/start <code>`. */
  code: z.string(),
  /** Opens the bot with the code; null while the bot's username is not known. */
  url: z.string().nullable(),
  expiresAt: z.iso.datetime(),
});
export type LinkCode = z.infer<typeof linkCodeSchema>;

/** Counts of the last 24 h by template name; broadcasts are 'Broadcast'. */
export const notificationStatsSchema = z.array(
  z.strictObject({ template: z.string(), sent: z.int(), failed: z.int(), queued: z.int() }),
);
export type NotificationStats = z.infer<typeof notificationStatsSchema>;

export const BROADCAST_EMPTY = 'Please enter a message to broadcast.';
/** Telegram's longest message. */
const BROADCAST_MAX = 4_096;
export const broadcastMessageSchema = z.string().trim().min(1, BROADCAST_EMPTY).max(BROADCAST_MAX);

/** `success`: at least one chat was reached. `errors`: the first few, in words. */
export const broadcastResultSchema = z.strictObject({
  success: z.boolean(),
  sentCount: z.int(),
  failedCount: z.int(),
  errors: z.array(z.string()).max(10),
});
export type BroadcastResult = z.infer<typeof broadcastResultSchema>;
