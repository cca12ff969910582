import { z } from 'zod';
import { MINUTE, SECOND } from '../../../common/time.ts';
import { lamportsOfSol, solText } from '../../../common/tokens/units.ts';
import {
  botTradingSchema,
  limitBounds,
  slippageBounds,
  type TradingAccount,
  tradingDefaultsSchema,
} from '../../../common/trading/account.ts';
import { type Bounds, BPS_PER_PERCENT } from '../../../common/trading/amounts.ts';
import { guardBounds } from '../../../common/trading/limits/protections.ts';
import { exitsForm, exitsFormSchema, numberOrNull } from '../exits-form.ts';

/** Returns a typed text as exact lamports within bounds, or the bounds as its error. */
function solWithin({ min, max }: Bounds) {
  const error = `Enter ${solText(BigInt(min))} to ${solText(BigInt(max))} SOL.`;
  return z
    .string()
    .transform((text) => lamportsOfSol(text.replace(',', '.')))
    .refine((lamports) => lamports !== null && lamports >= BigInt(min) && lamports <= BigInt(max), error)
    .transform((lamports) => Number(lamports));
}

/** Returns a typed number as whole units of the contract within bounds. `factor`: units of the contract in one typed unit. */
function numberWithin({ min, max }: Bounds, factor: number, unit: string) {
  const range = `${min / factor} to ${max / factor}${unit}`;
  return z
    .string()
    .transform((text) => (numberOrNull(text) ?? Number.NaN) * factor)
    .refine((value) => value >= min && value <= max, `Enter ${range}.`)
    .refine((value) => factor > 1 || Number.isInteger(value), `Enter a whole number, ${range}.`)
    .transform(Math.round);
}

const preset = { min: 1, max: limitBounds.perTradeLamports.max };
const share = { min: 1, max: 100, default: 100 };

/** The form as typed: texts that become a partial change of the account. */
export const limitsFormSchema = z
  .object({
    perTrade: solWithin(limitBounds.perTradeLamports),
    perDay: solWithin(limitBounds.perDayLamports),
    priorityMax: solWithin(limitBounds.priorityMaxLamports),
    tip: solWithin(limitBounds.tipLamports),
  })
  .transform(({ perTrade, perDay, priorityMax, tip }) => ({
    perTradeLamports: perTrade,
    perDayLamports: perDay,
    priorityMaxLamports: priorityMax,
    tipLamports: tip,
  }));
export type LimitsForm = z.input<typeof limitsFormSchema>;
export type LimitsChange = z.output<typeof limitsFormSchema>;

export const defaultsFormSchema = z
  .object({
    slippage: numberWithin(slippageBounds, BPS_PER_PERCENT, ' %'),
    buy: z.array(solWithin({ ...preset, default: preset.min })),
    sell: z.array(numberWithin(share, 1, ' %')),
    exits: exitsFormSchema,
  })
  .transform(({ slippage, buy, sell, exits }) =>
    tradingDefaultsSchema.parse({ slippageBps: slippage, buyPresets: buy, sellPresets: sell, exits }),
  );
export type DefaultsForm = z.input<typeof defaultsFormSchema>;

export const botFormSchema = z
  .object({ live: z.boolean(), max: solWithin(limitBounds.perTradeLamports) })
  .transform(({ live, max }) => botTradingSchema.parse({ live, maxLamports: max }));
export type BotForm = z.input<typeof botFormSchema>;

/** Returns lamports as the text of a field. */
const sol = (lamports: number) => solText(BigInt(lamports));

/** Returns the limits of an account as texts for the form. */
export function limitsForm({ limits }: TradingAccount): LimitsForm {
  return {
    perTrade: sol(limits.perTradeLamports),
    perDay: sol(limits.perDayLamports),
    priorityMax: sol(limits.priorityMaxLamports),
    tip: sol(limits.tipLamports),
  };
}

/** Returns the defaults of an account as texts for the form. */
export function defaultsForm({ defaults }: TradingAccount): DefaultsForm {
  return {
    slippage: String(defaults.slippageBps / BPS_PER_PERCENT),
    buy: defaults.buyPresets.map(sol),
    sell: defaults.sellPresets.map(String),
    exits: exitsForm(defaults.exits),
  };
}

export function botForm({ bot }: TradingAccount): BotForm {
  return { live: bot.live, max: sol(bot.maxLamports) };
}

/** Switches and figures as typed: texts that become a partial change of the account. */
export const protectionsFormSchema = z
  .object({
    openPositions: z.boolean(),
    maxOpen: numberWithin(limitBounds.maxOpen, 1, ''),
    dayLoss: z.boolean(),
    maxDayLoss: solWithin(limitBounds.maxDayLossLamports),
    cooldown: z.boolean(),
    cooldownSeconds: numberWithin(limitBounds.cooldownMs, SECOND, ' s'),
    unknownOrders: z.boolean(),
    stopLossGuard: z.boolean(),
    stopLosses: numberWithin(guardBounds.guardStopLosses, 1, ''),
    windowMinutes: numberWithin(guardBounds.guardWindowMs, MINUTE, ' min'),
    lockMinutes: numberWithin(guardBounds.guardLockMs, MINUTE, ' min'),
  })
  .transform((form) => ({
    limits: { maxOpen: form.maxOpen, maxDayLossLamports: form.maxDayLoss, cooldownMs: form.cooldownSeconds },
    protections: {
      openPositions: form.openPositions,
      dayLoss: form.dayLoss,
      cooldown: form.cooldown,
      unknownOrders: form.unknownOrders,
      stopLossGuard: form.stopLossGuard,
      guardStopLosses: form.stopLosses,
      guardWindowMs: form.windowMinutes,
      guardLockMs: form.lockMinutes,
    },
  }));
export type ProtectionsForm = z.input<typeof protectionsFormSchema>;
export type ProtectionsChange = z.output<typeof protectionsFormSchema>;

/** Returns the protections of an account with their figures, as texts for the form. */
export function protectionsForm({ limits, protections }: TradingAccount): ProtectionsForm {
  const { guardStopLosses, guardWindowMs, guardLockMs, ...switches } = protections;
  return {
    ...switches,
    maxOpen: String(limits.maxOpen),
    maxDayLoss: sol(limits.maxDayLossLamports),
    cooldownSeconds: String(limits.cooldownMs / SECOND),
    stopLosses: String(guardStopLosses),
    windowMinutes: String(guardWindowMs / MINUTE),
    lockMinutes: String(guardLockMs / MINUTE),
  };
}
