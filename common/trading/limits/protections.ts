import { z } from 'zod';
import { DAY, MINUTE } from '../../time.ts';
import { type Bounds, within } from '../amounts.ts';
import { reasonSchema } from '../reasons.ts';

/** Figures of the stop-loss guard: so many stop losses within the window lock automatic buying. */
export const guardBounds = {
  guardStopLosses: { min: 2, max: 50, default: 5 },
  /** ms */
  guardWindowMs: { min: MINUTE, max: DAY, default: 30 * MINUTE },
  /** From the last of these stop losses on, ms. */
  guardLockMs: { min: MINUTE, max: DAY, default: 30 * MINUTE },
} as const satisfies Record<string, Bounds>;

/** Stop losses that an account remembers, enough for the largest guard. */
export const STOP_LOSSES_KEPT = guardBounds.guardStopLosses.max;

/** While so many orders of a user have no verdict, nothing is bought. */
export const UNKNOWN_ORDERS_MAX = 3;

/** Protections that lock buying, each with its switch. Their figures are among the limits, except those of the guard. */
export const protectionsSchema = z.strictObject({
  /** Off: as many as the limit may be at most. */
  openPositions: z.boolean(),
  dayLoss: z.boolean(),
  cooldown: z.boolean(),
  /** Orders without a verdict, `UNKNOWN_ORDERS_MAX`. */
  unknownOrders: z.boolean(),
  /** Refuses automatic purchases only, by rules and strategies. */
  stopLossGuard: z.boolean(),
  guardStopLosses: within(guardBounds.guardStopLosses),
  guardWindowMs: within(guardBounds.guardWindowMs),
  guardLockMs: within(guardBounds.guardLockMs),
});
export type Protections = z.infer<typeof protectionsSchema>;

export const defaultProtections: Protections = {
  openPositions: true,
  dayLoss: true,
  cooldown: true,
  unknownOrders: true,
  stopLossGuard: true,
  guardStopLosses: guardBounds.guardStopLosses.default,
  guardWindowMs: guardBounds.guardWindowMs.default,
  guardLockMs: guardBounds.guardLockMs.default,
};

export const lockKinds = ['open-positions', 'day-loss', 'cooldown', 'stop-loss-guard', 'unknown-orders'] as const;
export type LockKind = (typeof lockKinds)[number];

/** A lock of buying in force, as clients receive it. */
export const lockSchema = z.strictObject({
  kind: z.enum(lockKinds),
  /** Null: until a position is closed, or an order has its verdict. */
  until: z.iso.datetime().nullable(),
  reason: reasonSchema,
});
export type LockView = z.infer<typeof lockSchema>;
