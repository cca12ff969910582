import { z } from 'zod';

/** Largest amount in lamports: the largest integer that a JSON number carries exactly; no wallet holds more. */
export const LAMPORTS_MAX = Number.MAX_SAFE_INTEGER;

/** Whole lamports, 0 or more. */
export const lamportsSchema = z.int().min(0).max(LAMPORTS_MAX);
/** Whole lamports, at least one: an amount to spend. */
export const positiveLamportsSchema = z.int().min(1).max(LAMPORTS_MAX);
/** Whole lamports of either sign: a profit or loss. */
export const signedLamportsSchema = z.int();
/** Base units of a token as a decimal string: they can exceed 2^53. */
export const baseUnitsSchema = z.string().regex(/^\d{1,20}$/, 'is not a number of base units');

/** Hundredths of a percent in one. */
export const BPS = 10_000;
/** Hundredths of a percent in one percent. */
export const BPS_PER_PERCENT = 100;

/** Bounds and default of a setting; lamports, basis points, ms or a count, by its name. */
export interface Bounds {
  min: number;
  max: number;
  default: number;
}

/** Returns the schema of a whole number within bounds. */
export const within = ({ min, max }: Bounds) => z.int().min(min).max(max);
