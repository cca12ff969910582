import { z } from 'zod';
import { type Bounds, lamportsSchema, positiveLamportsSchema, signedLamportsSchema, within } from './amounts.ts';
import { lockSchema, protectionsSchema } from './limits/protections.ts';

/**
 * Where orders go. `paper`: nowhere, fills are computed from the market's reserves. `local`: the local chain, with play money.
 * `live`: devnet or mainnet, by the configured node.
 */
export const tradingModes = ['paper', 'local', 'live'] as const;
export const tradingModeSchema = z.enum(tradingModes);
export type TradingMode = z.infer<typeof tradingModeSchema>;

/** The server's switch (`TRADING`). A user may always choose paper, unless trading is off. */
export const serverTradingSchema = z.enum(['off', ...tradingModes]);
export type ServerTrading = z.infer<typeof serverTradingSchema>;

/** Labels at every control that spends money. */
export const tradingModeNames: Record<ServerTrading, string> = {
  off: 'Trading off',
  paper: 'Paper',
  local: 'Local chain',
  live: 'Mainnet (beta)',
};

const SOL = 1_000_000_000;

/** Bounds of the limits. A purchase beyond one is refused before anything is signed. */
export const limitBounds = {
  perTradeLamports: { min: SOL / 1_000, max: 100 * SOL, default: SOL },
  perDayLamports: { min: SOL / 1_000, max: 1_000 * SOL, default: 2 * SOL },
  /** Open positions. */
  maxOpen: { min: 1, max: 100, default: 10 },
  /** Realised losses of a day (UTC), after which nothing is bought. */
  maxDayLossLamports: { min: SOL / 1_000, max: 1_000 * SOL, default: SOL },
  /** Least time between two purchases, ms. */
  cooldownMs: { min: 0, max: 3_600_000, default: 0 },
  /** Most that one transaction pays for priority. Presets may pay less; rules, strategies and exits have no other limit. */
  priorityMaxLamports: { min: 0, max: SOL / 10, default: SOL / 1_000 },
  /** Most that one transaction pays as a tip, only when it lands. Presets may pay less; rules, strategies and exits pay all of it. */
  tipLamports: { min: 0, max: SOL / 10, default: 0 },
} as const satisfies Record<string, Bounds>;

/** Slippage of orders, basis points: the worst average price against the price at the decision, own impact included, fees apart. */
export const slippageBounds = { min: 10, max: 5_000, default: 500 } as const satisfies Bounds;
/** Slippage of sales by exits, unless they have their own, and by `Sell everything`. */
export const exitSlippageBps = 1_500;

/** Returns the slippage of a sale by an exit or a stop after some failures: as set, then twice that, then as large as it gets. */
export function slippageAfter(slippageBps: number, failures: number): number {
  if (failures === 0) return slippageBps;
  return failures === 1 ? Math.min(2 * slippageBps, slippageBounds.max) : slippageBounds.max;
}

const tradingLimitsSchema = z.strictObject({
  perTradeLamports: within(limitBounds.perTradeLamports),
  perDayLamports: within(limitBounds.perDayLamports),
  maxOpen: within(limitBounds.maxOpen),
  maxDayLossLamports: within(limitBounds.maxDayLossLamports),
  cooldownMs: within(limitBounds.cooldownMs),
  priorityMaxLamports: within(limitBounds.priorityMaxLamports),
  tipLamports: within(limitBounds.tipLamports),
});
export type TradingLimits = z.infer<typeof tradingLimitsSchema>;

/** Bounds of the exits. Percent of the price paid; times in ms. */
export const exitBounds = {
  stopLossPercent: { min: 0.1, max: 99 },
  takeProfitPercent: { min: 0.1, max: 100_000 },
  trailingPercent: { min: 0.1, max: 99 },
  maxHoldMs: { min: 10_000, max: 30 * 24 * 3_600_000 },
  /** Steps of a position. */
  steps: { min: 0, max: 5 },
} as const;

const percentWithin = ({ min, max }: { min: number; max: number }) => z.number().min(min).max(max);

/** A part of the take profit: sells a share once, when the price has risen so far above the price paid. */
const exitStepSchema = z.strictObject({
  atPercent: percentWithin(exitBounds.takeProfitPercent),
  /** Share of the tokens held then. */
  sellPercent: z.int().min(1).max(100),
});

/** Exits of a position; null, or no steps: none. */
export const exitsSchema = z.strictObject({
  /** Percent below the average price paid, without fees. */
  stopLossPercent: percentWithin(exitBounds.stopLossPercent).nullable(),
  /** Percent above the same price. Sells all. */
  takeProfitPercent: percentWithin(exitBounds.takeProfitPercent).nullable(),
  /** Each at another rise. */
  steps: z
    .array(exitStepSchema)
    .max(exitBounds.steps.max)
    .refine((steps) => new Set(steps.map(({ atPercent }) => atPercent)).size === steps.length, {
      error: 'each step needs its own rise',
    })
    .default([]),
  /** Percent below the highest price since the position was opened. */
  trailingPercent: percentWithin(exitBounds.trailingPercent).nullable().default(null),
  /** Time after which all is sold, ms since the position was opened. */
  maxHoldMs: z.int().min(exitBounds.maxHoldMs.min).max(exitBounds.maxHoldMs.max).nullable().default(null),
  /** Slippage of the sales; null: `exitSlippageBps`. */
  slippageBps: within(slippageBounds).nullable().default(null),
});
export type Exits = z.infer<typeof exitsSchema>;
export const noExits: Exits = {
  stopLossPercent: null,
  takeProfitPercent: null,
  steps: [],
  trailingPercent: null,
  maxHoldMs: null,
  slippageBps: null,
};

/** Exits that positions start with. */
const tradingDefaultsSchema = z.strictObject({
  /** Copied to positions that you or a rule open. */
  exits: exitsSchema,
});
export type TradingDefaults = z.infer<typeof tradingDefaultsSchema>;

/** The worst price that a trade accepts, and what it pays to be included. */
export const tradeTermsSchema = z.strictObject({
  slippageBps: within(slippageBounds),
  /** Most that a transaction pays for priority. More than the limit of the account is refused. */
  priorityMaxLamports: within(limitBounds.priorityMaxLamports),
  /** Paid only when the transaction lands. More than the limit of the account is refused. */
  tipLamports: within(limitBounds.tipLamports),
  /** Whether the transaction is marked for Jito's block engine, which then accepts no bundle with another one before it. */
  isProtected: z.boolean(),
});
export type TradeTerms = z.infer<typeof tradeTermsSchema>;

export const buyPresetSchema = tradeTermsSchema.extend({ lamports: positiveLamportsSchema });
export type BuyPreset = z.infer<typeof buyPresetSchema>;
/** `sharePercent`: of the tokens held. */
export const sellPresetSchema = tradeTermsSchema.extend({ sharePercent: z.int().min(1).max(100) });
export type SellPreset = z.infer<typeof sellPresetSchema>;

/** Names of the presets on screen, in their order. */
export const presetNames = ['P1', 'P2', 'P3'] as const;
/** Places of the presets. */
export const presetIndexes = [0, 1, 2] as const;
const presetIndexSchema = z.literal(presetIndexes);
export type PresetIndex = z.infer<typeof presetIndexSchema>;

/** Amounts with their terms, for one click each: three to buy and three to sell. */
export const tradingPresetsSchema = z.strictObject({
  buy: z.tuple([buyPresetSchema, buyPresetSchema, buyPresetSchema]),
  sell: z.tuple([sellPresetSchema, sellPresetSchema, sellPresetSchema]),
  /** The presets chosen last: the trade panel starts with them, and trades by hand without terms have theirs. */
  chosenBuy: presetIndexSchema,
  chosenSell: presetIndexSchema,
});
export type TradingPresets = z.infer<typeof tradingPresetsSchema>;

/** Purchases by the Telegram bot with real money: off until switched on with the password. */
export const botTradingSchema = z.strictObject({
  live: z.boolean(),
  /** Most of one purchase by the bot with the most it pays in fees (network, priority, tip), in any mode. */
  maxLamports: within(limitBounds.perTradeLamports),
});
export type BotTrading = z.infer<typeof botTradingSchema>;

export const defaultLimits: TradingLimits = {
  perTradeLamports: limitBounds.perTradeLamports.default,
  perDayLamports: limitBounds.perDayLamports.default,
  maxOpen: limitBounds.maxOpen.default,
  maxDayLossLamports: limitBounds.maxDayLossLamports.default,
  cooldownMs: limitBounds.cooldownMs.default,
  priorityMaxLamports: limitBounds.priorityMaxLamports.default,
  tipLamports: limitBounds.tipLamports.default,
};
export const defaultDefaults: TradingDefaults = { exits: noExits };
const defaultTerms: TradeTerms = {
  slippageBps: slippageBounds.default,
  priorityMaxLamports: limitBounds.priorityMaxLamports.default,
  tipLamports: limitBounds.tipLamports.default,
  isProtected: false,
};
export const defaultPresets: TradingPresets = {
  buy: [
    { ...defaultTerms, lamports: SOL / 20 },
    { ...defaultTerms, lamports: SOL / 10 },
    { ...defaultTerms, lamports: SOL / 4 },
  ],
  sell: [
    { ...defaultTerms, sharePercent: 25 },
    { ...defaultTerms, sharePercent: 50 },
    { ...defaultTerms, sharePercent: 100 },
  ],
  chosenBuy: 1,
  chosenSell: 2,
};
/** Room for a purchase of 0.1 SOL with the usual fees. */
export const defaultBotTrading: BotTrading = { live: false, maxLamports: (11 * SOL) / 100 };
/** Play money of a new paper account, and after a reset. */
export const PAPER_START_LAMPORTS = 10 * SOL;
/** Part of a wallet that no purchase spends, so that a sale can be paid for. */
export const KEPT_BACK_LAMPORTS = SOL / 100;
/** Who stopped trading. */
export const stoppedBySchema = z.enum(['user', 'telegram', 'admin']);

const stoppedSchema = z.strictObject({
  at: z.iso.datetime(),
  by: stoppedBySchema,
  /** Whether the exits of open positions wait until trading is resumed. */
  pausesExits: z.boolean(),
});
export type Stopped = z.infer<typeof stoppedSchema>;

/** Money of one mode on the present day (UTC). */
const dayBudgetSchema = z.strictObject({
  day: z.iso.date(),
  /** What may still be spent today: the limit less purchases and reservations. */
  leftLamports: lamportsSchema,
  /** Reserved by orders that are not over. */
  reservedLamports: lamportsSchema,
  /** Realised today; negative is a loss. */
  realisedLamports: signedLamportsSchema,
  /** Tokens with an open position; several positions in one token count once. */
  openPositions: z.int().min(0),
});

/** The trading account of a user: mode, limits, presets, defaults, and the budget that is left. */
export const tradingAccountSchema = z.strictObject({
  server: serverTradingSchema,
  /** Modes that the user may choose, as the server is set up. Empty while trading is off. */
  modes: z.array(tradingModeSchema),
  /** Null while trading is off. */
  mode: tradingModeSchema.nullable(),
  limits: tradingLimitsSchema,
  defaults: tradingDefaultsSchema,
  presets: tradingPresetsSchema,
  bot: botTradingSchema,
  protections: protectionsSchema,
  /** Locks of buying in force in the present mode. A lock with an end in time is shown until then. */
  locks: z.array(lockSchema),
  /** Null while the user may buy. */
  stopped: stoppedSchema.nullable(),
  /** Whether an administrator has stopped trading for everybody. */
  stoppedAll: z.boolean(),
  /** Of the present mode; null while trading is off. */
  budget: dayBudgetSchema.nullable(),
  /** Play money of paper trading. */
  paper: z.strictObject({ lamports: lamportsSchema, resetAt: z.iso.datetime() }),
  version: z.int(),
});
export type TradingAccount = z.infer<typeof tradingAccountSchema>;

/** The word that a user types to trade with real money. */
export const LIVE_WORD = 'LIVE';

/** A change of the account: only the given fields change. `mode: 'live'` needs `confirm: 'LIVE'` and a recent password. */
export const tradingAccountChangeSchema = z.strictObject({
  mode: tradingModeSchema.optional(),
  confirm: z.literal(LIVE_WORD).optional(),
  limits: tradingLimitsSchema.partial().optional(),
  defaults: tradingDefaultsSchema.partial().optional(),
  presets: tradingPresetsSchema.partial().optional(),
  bot: botTradingSchema.partial().optional(),
  protections: protectionsSchema.partial().optional(),
});
export type TradingAccountChange = z.infer<typeof tradingAccountChangeSchema>;
