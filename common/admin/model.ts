import { z } from 'zod';
import { sourceHealthSchema } from '../sources/model.ts';
import { idSchema } from '../users/model.ts';

/** A user as administrators see it, without password and key. */
export const adminUserSchema = z.strictObject({
  id: idSchema,
  username: z.string(),
  isAdmin: z.boolean(),
  isActive: z.boolean(),
  /** Id of the linked Telegram chat; absent for a web-only user. */
  telegramId: z.string().optional(),
  walletAddress: z.string().optional(),
  createdAt: z.iso.datetime(),
});
export type AdminUser = z.infer<typeof adminUserSchema>;

/** Totals (specification, section 3). `active`: users who may sign in. */
export const adminStatsSchema = z.strictObject({
  users: z.strictObject({ total: z.int(), active: z.int() }),
  tokens: z.strictObject({ total: z.int(), last24h: z.int() }),
  scanners: z.strictObject({
    lastTokenScan: z.iso.datetime().nullable(),
    lastXPostScan: z.iso.datetime().nullable(),
  }),
});
export type AdminStats = z.infer<typeof adminStatsSchema>;

/** Bot user stats (specification, section 3): `telegramUsers` have a linked chat, `activeUsers` one that still accepts messages. */
export const botUserStatsSchema = z.strictObject({
  telegramUsers: z.int(),
  totalUsers: z.int(),
  activeUsers: z.int(),
});
export type BotUserStats = z.infer<typeof botUserStatsSchema>;

const at = z.iso.datetime();

/** A fact of the network, as of a time; null while it is not known. */
const networkFact = <Value extends z.ZodType>(value: Value) => z.strictObject({ value, at }).nullable();

/** The state of the whole system at one moment. */
export const systemStatusSchema = z.strictObject({
  at,
  version: z.string(),
  /** Seconds since the process started. */
  uptime: z.number(),
  bot: z.strictObject({
    configured: z.boolean(),
    connected: z.boolean(),
    error: z.string().nullable(),
    /** Chats that accept messages, and queued messages. */
    chats: z.int(),
    queued: z.int(),
  }),
  chainScanner: z.strictObject({
    state: z.enum(['running', 'idle', 'off']),
    intervalMs: z.int(),
    lastRunAt: at.nullable(),
    nextRunAt: at.nullable(),
    /** Tokens detected since the start, by streams and scans. */
    found: z.int(),
  }),
  social: z.strictObject({
    state: z.enum(['live', 'down', 'off']),
    /** Reason for `off` or `down`. */
    reason: z.string().nullable(),
    accounts: z.array(z.string()),
    lastScanAt: at.nullable(),
    posts: z.int(),
    /** Posts that named a mint address. */
    mentions: z.int(),
  }),
  autoBuy: z.strictObject({ activeRules: z.int(), activeStrategies: z.int(), transactionsToday: z.int() }),
  aggregator: z.strictObject({
    running: z.boolean(),
    intervalMs: z.int(),
    lastRunAt: at.nullable(),
    nextRunAt: at.nullable(),
    /** Result of the last run, in one sentence; null before the first run. */
    lastResult: z.string().nullable(),
  }),
  sources: z.array(sourceHealthSchema),
  feed: z.strictObject({
    clients: z.int(),
    stalled: z.int(),
    queuedBytes: z.int(),
    closedSlow: z.int(),
    eventsPerSecond: z.number(),
    /** Latency from receiving to publishing, ms, over the last minute; null without an event. */
    lagP50: z.number().nullable(),
    lagP99: z.number().nullable(),
  }),
  /** Facts of the Solana network, which the server reads once an hour. */
  network: z.strictObject({
    /** Length of a slot, ms. */
    slotMs: networkFact(z.number()),
    rentPerByteLamports: networkFact(z.int()),
    /** Whether Alpenglow is in force; null also when the node does not know of it. */
    isAlpenglow: networkFact(z.boolean()),
    /** Versions of the transactions that were read since the start. */
    versions: networkFact(z.array(z.union([z.literal('legacy'), z.int()]))),
  }),
  mongo: z.strictObject({ up: z.boolean(), pingMs: z.number().nullable() }),
  process: z.strictObject({
    rssBytes: z.int(),
    heapBytes: z.int(),
    /** Longest delay of the event loop in the last minute, ms. */
    eventLoopMaxMs: z.number(),
  }),
});
export type SystemStatus = z.infer<typeof systemStatusSchema>;

/** One minute of the last hour, or ten of the last day, for the small charts. `at`: its end. Counts are for that span. */
export const systemMinuteSchema = z.strictObject({
  at,
  clients: z.int(),
  eventsPerSecond: z.number(),
  lagP99: z.number().nullable(),
  mongoPingMs: z.number().nullable(),
  rssBytes: z.int(),
  eventLoopMaxMs: z.number(),
  /** Observations and errors by source name. */
  sources: z.record(z.string(), z.strictObject({ events: z.int(), errors: z.int() })),
});
export type SystemMinute = z.infer<typeof systemMinuteSchema>;
