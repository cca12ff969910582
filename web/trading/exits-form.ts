import { z } from 'zod';
import { MINUTE } from '../../common/time.ts';
import { type Exits, exitBounds, exitSlippageBps, exitsSchema, slippageBounds } from '../../common/trading/account.ts';
import { BPS_PER_PERCENT } from '../../common/trading/amounts.ts';

/** What an empty slippage stands for, percent. */
export const EXIT_SLIPPAGE_PERCENT = exitSlippageBps / BPS_PER_PERCENT;

/** Returns the number of a typed text; null for an empty one, NaN when it is no number. */
export function numberOrNull(text: unknown): number | null {
  if (typeof text === 'number') return text;
  const plain = typeof text === 'string' ? text.trim().replace(',', '.') : '';
  return plain === '' ? null : Number(plain);
}

const within = (min: number, max: number, unit: string) => {
  const error = `Enter ${min} to ${max.toLocaleString('en-US')} ${unit}.`;
  return z.number({ error }).min(min, error).max(max, error);
};
const percent = ({ min, max }: { min: number; max: number }) => within(min, max, '%');
/** Least time in minutes, rounded up to a tenth. */
const MIN_MINUTES = Math.ceil((exitBounds.maxHoldMs.min / MINUTE) * 10) / 10;

/** Exits as typed, with times in minutes and slippage in percent, which become those of the contract. */
export const exitsFormSchema = z
  .object({
    stopLossPercent: percent(exitBounds.stopLossPercent).nullable(),
    takeProfitPercent: percent(exitBounds.takeProfitPercent).nullable(),
    trailingPercent: percent(exitBounds.trailingPercent).nullable(),
    maxHoldMinutes: within(MIN_MINUTES, exitBounds.maxHoldMs.max / MINUTE, 'min').nullable(),
    slippagePercent: within(slippageBounds.min / BPS_PER_PERCENT, slippageBounds.max / BPS_PER_PERCENT, '%').nullable(),
    steps: z
      .array(
        z.object({
          atPercent: percent(exitBounds.takeProfitPercent),
          sellPercent: within(1, 100, '%').int('Enter a whole number.'),
        }),
      )
      .superRefine((steps, context) => {
        for (const [index, { atPercent }] of steps.entries()) {
          if (steps.findIndex((step) => step.atPercent === atPercent) === index) continue;
          context.addIssue({ code: 'custom', path: [index, 'atPercent'], message: 'Another step has this rise.' });
        }
      }),
  })
  .transform(
    ({ maxHoldMinutes, slippagePercent, ...exits }): Exits =>
      exitsSchema.parse({
        ...exits,
        maxHoldMs: maxHoldMinutes === null ? null : Math.round(maxHoldMinutes * MINUTE),
        slippageBps: slippagePercent === null ? null : Math.round(slippagePercent * BPS_PER_PERCENT),
      }),
  );
export type ExitsForm = z.input<typeof exitsFormSchema>;

/** Returns exits as they are typed. */
export function exitsForm({ maxHoldMs, slippageBps, ...exits }: Exits): ExitsForm {
  return {
    ...exits,
    maxHoldMinutes: maxHoldMs === null ? null : maxHoldMs / MINUTE,
    slippagePercent: slippageBps === null ? null : slippageBps / BPS_PER_PERCENT,
  };
}
