import { z } from 'zod';
import { MINUTE, SECOND } from '../../../common/time.ts';
import { lamportsOfSol, solText } from '../../../common/tokens/units.ts';
import {
  type BuyPreset,
  botTradingSchema,
  limitBounds,
  type SellPreset,
  slippageBounds,
  type TradeTerms,
  type TradingAccount,
} from '../../../common/trading/account.ts';
import { type Bounds, BPS_PER_PERCENT } from '../../../common/trading/amounts.ts';
import { guardBounds } from '../../../common/trading/limits/protections.ts';
import { exitsForm, exitsFormSchema, numberOrNull } from '../exits-form.ts';

/** Returns a typed text as exact lamports within bounds, or the bounds as its error. `note`: follows them in the error. */
export function solWithin({ min, max }: Bounds, note = '') {
  const error = `Enter ${solText(BigInt(min))} to ${solText(BigInt(max))} SOL${note}.`;
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

/** The form as typed: texts that become limits of the account. The fields have the names of the contract. */
export const limitsFormSchema = z.object({
  perTradeLamports: solWithin(limitBounds.perTradeLamports),
  perDayLamports: solWithin(limitBounds.perDayLamports),
  priorityMaxLamports: solWithin(limitBounds.priorityMaxLamports),
  tipLamports: solWithin(limitBounds.tipLamports),
});
export type LimitsForm = z.input<typeof limitsFormSchema>;

export const defaultsFormSchema = z.object({ exits: exitsFormSchema });
type DefaultsForm = z.input<typeof defaultsFormSchema>;

/** Returns the schema of the presets as typed. Fees beyond the limits of the account would be refused with each trade. */
export function presetsFormSchema({ limits }: Pick<TradingAccount, 'limits'>) {
  const upTo = (name: 'priorityMaxLamports' | 'tipLamports') =>
    solWithin({ ...limitBounds[name], max: limits[name] }, ', your limit');
  const terms = {
    slippageBps: numberWithin(slippageBounds, BPS_PER_PERCENT, ' %'),
    priorityMaxLamports: upTo('priorityMaxLamports'),
    tipLamports: upTo('tipLamports'),
    isProtected: z.boolean(),
  };
  const buy = z.object({ lamports: solWithin({ ...preset, default: preset.min }), ...terms });
  const sell = z.object({ sharePercent: numberWithin(share, 1, ' %'), ...terms });
  return z.object({ buy: z.tuple([buy, buy, buy]), sell: z.tuple([sell, sell, sell]) });
}
export type PresetsForm = z.input<ReturnType<typeof presetsFormSchema>>;

export const botFormSchema = z
  .object({ live: z.boolean(), maxLamports: solWithin(limitBounds.perTradeLamports) })
  .transform((bot) => botTradingSchema.parse(bot));
type BotForm = z.input<typeof botFormSchema>;

/** Returns lamports as the text of a field. */
const sol = (lamports: number) => solText(BigInt(lamports));

/** Returns the limits of an account as texts for the form. */
export function limitsForm({ limits }: TradingAccount): LimitsForm {
  return {
    perTradeLamports: sol(limits.perTradeLamports),
    perDayLamports: sol(limits.perDayLamports),
    priorityMaxLamports: sol(limits.priorityMaxLamports),
    tipLamports: sol(limits.tipLamports),
  };
}

/** Returns the defaults of an account as texts for the form. */
export function defaultsForm({ defaults }: TradingAccount): DefaultsForm {
  return { exits: exitsForm(defaults.exits) };
}

/** Returns the presets of an account as texts for the form. */
export function presetsForm({ presets: { buy, sell } }: TradingAccount): PresetsForm {
  const bought = (one: BuyPreset) => ({ ...termsForm(one), lamports: sol(one.lamports) });
  const sold = (one: SellPreset) => ({ ...termsForm(one), sharePercent: String(one.sharePercent) });
  return {
    buy: [bought(buy[0]), bought(buy[1]), bought(buy[2])],
    sell: [sold(sell[0]), sold(sell[1]), sold(sell[2])],
  };
}

function termsForm({ slippageBps, priorityMaxLamports, tipLamports, isProtected }: TradeTerms) {
  return {
    slippageBps: String(slippageBps / BPS_PER_PERCENT),
    priorityMaxLamports: sol(priorityMaxLamports),
    tipLamports: sol(tipLamports),
    isProtected,
  };
}

export function botForm({ bot }: TradingAccount): BotForm {
  return { live: bot.live, maxLamports: sol(bot.maxLamports) };
}

/** Switches and figures as typed: texts that become a partial change of the account. */
export const protectionsFormSchema = z
  .object({
    openPositions: z.boolean(),
    maxOpen: numberWithin(limitBounds.maxOpen, 1, ''),
    dayLoss: z.boolean(),
    maxDayLossLamports: solWithin(limitBounds.maxDayLossLamports),
    cooldown: z.boolean(),
    cooldownMs: numberWithin(limitBounds.cooldownMs, SECOND, ' s'),
    unknownOrders: z.boolean(),
    stopLossGuard: z.boolean(),
    guardStopLosses: numberWithin(guardBounds.guardStopLosses, 1, ''),
    guardWindowMs: numberWithin(guardBounds.guardWindowMs, MINUTE, ' min'),
    guardLockMs: numberWithin(guardBounds.guardLockMs, MINUTE, ' min'),
  })
  .transform(({ maxOpen, maxDayLossLamports, cooldownMs, ...protections }) => ({
    limits: { maxOpen, maxDayLossLamports, cooldownMs },
    protections,
  }));
export type ProtectionsForm = z.input<typeof protectionsFormSchema>;
export type ProtectionsChange = z.output<typeof protectionsFormSchema>;

/** Returns the protections of an account with their figures, as texts for the form. */
export function protectionsForm({ limits, protections }: TradingAccount): ProtectionsForm {
  return {
    ...protections,
    maxOpen: String(limits.maxOpen),
    maxDayLossLamports: sol(limits.maxDayLossLamports),
    cooldownMs: String(limits.cooldownMs / SECOND),
    guardStopLosses: String(protections.guardStopLosses),
    guardWindowMs: String(protections.guardWindowMs / MINUTE),
    guardLockMs: String(protections.guardLockMs / MINUTE),
  };
}
