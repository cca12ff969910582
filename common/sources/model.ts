import { z } from 'zod';

/** All sources by their name in `MARKET`; a replay is named `replay:<file name>` in lists. */
export const sourceNames = [
  'simulator',
  'solana',
  'launchlab',
  'meteora-dbc',
  'replay',
  'pumpportal',
  'jupiter',
  'solana-tracker',
  'dexscreener',
  'solscan',
  'solanafm',
  'token-list',
  'rugcheck',
] as const;

/** Labels of the sources. */
export const sourceLabels: Record<(typeof sourceNames)[number], string> = {
  simulator: 'Simulator',
  solana: 'Solana logs',
  launchlab: 'Raydium LaunchLab',
  'meteora-dbc': 'Meteora DBC',
  replay: 'Replay',
  pumpportal: 'PumpPortal',
  jupiter: 'Jupiter',
  'solana-tracker': 'Solana Tracker',
  dexscreener: 'DexScreener',
  solscan: 'Solscan',
  solanafm: 'SolanaFM',
  'token-list': 'Solana Token List',
  rugcheck: 'RugCheck',
};

/** Why the aggregator has nothing to run. */
export const NO_POLLED_SOURCE =
  'MARKET names no source that can be polled. Add for example dexscreener, or jupiter with its key.';

/**
 * `live` receives events, `stalled` is connected and has received none for two minutes, `ended` sends no more events (a
 * replay at its end), `down` failed.
 */
const sourceStateSchema = z.enum(['connecting', 'live', 'stalled', 'ended', 'down', 'stopped']);
export type SourceState = z.infer<typeof sourceStateSchema>;

export const sourceStatusSchema = z.strictObject({
  source: z.string(),
  state: sourceStateSchema,
  /** Time of the source's last event, ISO 8601; null before the first. */
  lastEventAt: z.iso.datetime().nullable(),
});
export type SourceStatus = z.infer<typeof sourceStatusSchema>;

/** `closed` lets requests through, `open` refuses them after repeated failures, `half-open` tries one. */
const circuitStateSchema = z.enum(['closed', 'open', 'half-open']);
export type CircuitState = z.infer<typeof circuitStateSchema>;

/** One source of the market, as System Status shows it. Times ISO 8601. */
export const sourceHealthSchema = z.strictObject({
  source: z.string(),
  label: z.string(),
  /** `stream` pushes events, `poll` is polled. */
  kind: z.enum(['stream', 'poll']),
  /** `off`: not listed in `MARKET`, or without the key it needs. */
  state: z.enum([...sourceStateSchema.options, 'off']),
  /** Reason why it is off, down or waiting, in one sentence; otherwise null. Never contains a key. */
  reason: z.string().nullable(),
  lastEventAt: z.iso.datetime().nullable(),
  /** Observations in the last minute. */
  eventsPerMinute: z.int(),
  /** Failed requests and lost connections since the start. */
  errors: z.int(),
  lastErrorAt: z.iso.datetime().nullable(),
  /** Items of an unexpected shape since the start; they were skipped. */
  malformed: z.int(),
  circuit: circuitStateSchema,
  /** Time when an open circuit lets the next request through. */
  retryAt: z.iso.datetime().nullable(),
  /** Remaining requests of the documented rate limit; null for a source without one. */
  budget: z.strictObject({ limit: z.int(), left: z.int(), resetsAt: z.iso.datetime().nullable() }).nullable(),
  /** Remaining credits of the plan's monthly allowance; null for a source without one. */
  allowance: z.strictObject({ limit: z.int(), left: z.int(), resetsAt: z.iso.datetime() }).nullable(),
  /** Whether the source needs a key, and whether one is set (environment or admin page). */
  key: z.enum(['none', 'optional-missing', 'required-missing', 'set']),
});
export type SourceHealth = z.infer<typeof sourceHealthSchema>;

/** Result of a test of the price data API (specification, section 3). */
export const apiTestSchema = z.strictObject({
  success: z.boolean(),
  message: z.string(),
  apiUrl: z.string(),
  timestamp: z.iso.datetime(),
  /** Credits left of the plan as reported by the service; null when not reported. */
  creditsUsed: z.int().nullable(),
  /** Steps to try, in order; empty after a success. */
  troubleshooting: z.array(z.string()),
});
export type ApiTest = z.infer<typeof apiTestSchema>;

export const API_KEY_REQUIRED = 'Please enter a valid API key';
export const apiKeySchema = z
  .string()
  .trim()
  .min(1, API_KEY_REQUIRED)
  .max(200, API_KEY_REQUIRED)
  // The key is sent in a header.
  .regex(/^[!-~]*$/, API_KEY_REQUIRED);
