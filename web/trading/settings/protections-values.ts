import { z } from 'zod';
import { MINUTE, SECOND } from '../../../common/time.ts';
import { limitBounds, type TradingAccount } from '../../../common/trading/account.ts';
import { guardBounds } from '../../../common/trading/limits/protections.ts';
import { numberWithin, sol, solWithin } from './settings-values.ts';

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
