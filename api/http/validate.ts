import type { z } from 'zod';
import { PublicError } from '../../common/errors.ts';
import { fieldErrors, parseInput } from '../../common/field-errors.ts';

/** Objects inherit these names: a schema lookup by them could find what nobody declared. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** `input` as the schema makes it, or `invalid-input` with the fields that are wrong. */
export function validate<Output>(schema: z.ZodType<Output>, input: unknown): Output {
  const forbidden = isRecord(input) ? Object.keys(input).filter((key) => FORBIDDEN_KEYS.has(key)) : [];
  if (forbidden.length > 0) {
    throw new PublicError('invalid-input', {
      details: Object.fromEntries(forbidden.map((key) => [key, ['is not known']])),
    });
  }
  const parsed = parseInput(schema, input);
  if (parsed.success) return parsed.data;
  throw new PublicError('invalid-input', { details: fieldErrors(parsed.issues) });
}

function isRecord(input: unknown): input is Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}
