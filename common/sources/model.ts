import { z } from 'zod';

/** Every source there is, as `MARKET` names them; a replay is named `replay:<file name>` in lists. */
export const sourceNames = [
  'simulator',
  'solana',
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

/** How people call them. */
export const sourceLabels: Record<(typeof sourceNames)[number], string> = {
  simulator: 'Simulator',
  solana: 'Solana logs',
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

/** `live` receives events, `connecting` is on its way to, `ended` has nothing more to say (a replay at its end), `down` failed. */
export const sourceStateSchema = z.enum(['connecting', 'live', 'ended', 'down', 'stopped']);
export type SourceState = z.infer<typeof sourceStateSchema>;

export const sourceStatusSchema = z.strictObject({
  source: z.string(),
  state: sourceStateSchema,
  /** When the source last said anything, ISO 8601; null before its first event. */
  lastEventAt: z.iso.datetime().nullable(),
});
export type SourceStatus = z.infer<typeof sourceStatusSchema>;

/** `closed` lets calls through, `open` refuses them after repeated failure, `half-open` tries one. */
export const circuitStateSchema = z.enum(['closed', 'open', 'half-open']);
export type CircuitState = z.infer<typeof circuitStateSchema>;

/** One source of the market, as System Status shows it. Times ISO 8601. */
export const sourceHealthSchema = z.strictObject({
  source: z.string(),
  label: z.string(),
  /** `stream` is told, `poll` asks. */
  kind: z.enum(['stream', 'poll']),
  /** `off`: not named in `MARKET`, or without the key it needs. */
  state: z.enum([...sourceStateSchema.options, 'off']),
  /** Why it is off, down or waiting, in one sentence; null while all is well. Never a key. */
  reason: z.string().nullable(),
  lastEventAt: z.iso.datetime().nullable(),
  /** Observations in the last minute. */
  eventsPerMinute: z.int(),
  /** Failed calls or lost connections since the start. */
  errors: z.int(),
  lastErrorAt: z.iso.datetime().nullable(),
  /** Items since the start whose shape was not what it should be: they were left out. */
  malformed: z.int(),
  circuit: circuitStateSchema,
  /** When an open circuit lets the next call through. */
  retryAt: z.iso.datetime().nullable(),
  /** What its documented rate limit leaves; null for a source without one. */
  budget: z.strictObject({ limit: z.int(), left: z.int(), resetsAt: z.iso.datetime().nullable() }).nullable(),
  /** Whether it works without a key, and whether one is set (environment or admin page). */
  key: z.enum(['none', 'optional-missing', 'required-missing', 'set']),
});
export type SourceHealth = z.infer<typeof sourceHealthSchema>;

/** Result of a test of the price data API (specification, section 3). */
export const apiTestSchema = z.strictObject({
  success: z.boolean(),
  message: z.string(),
  apiUrl: z.string(),
  timestamp: z.iso.datetime(),
  /** Credits left of the plan, as the service says; null when it did not. */
  creditsUsed: z.int().nullable(),
  /** What to try, in order; empty after a success. */
  troubleshooting: z.array(z.string()),
});
export type ApiTest = z.infer<typeof apiTestSchema>;

export const API_KEY_REQUIRED = 'Please enter a valid API key';
export const apiKeySchema = z
  .string()
  .trim()
  .min(1, API_KEY_REQUIRED)
  .max(200, API_KEY_REQUIRED)
  // It travels in a header.
  .regex(/^[!-~]*$/, API_KEY_REQUIRED);
