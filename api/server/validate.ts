import type { z } from 'zod';
import { type FieldErrors, PublicError } from '../../common/errors.ts';

/** More complaints than this help nobody, and the answer stays small however large the input was. */
const MAX_FIELDS = 20;
const MAX_FIELD_NAME = 100;

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
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new PublicError('invalid-input', { details: fieldErrors(parsed.error) });
}

function isRecord(input: unknown): input is Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

/** Complaints by dotted field name; an unknown field is named itself. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  const fields = new Map<string, string[]>();
  const complain = (path: readonly PropertyKey[], text: string) => {
    const name = path.map(String).join('.').slice(0, MAX_FIELD_NAME);
    const texts = fields.get(name);
    if (texts) texts.push(text);
    else if (fields.size < MAX_FIELDS) fields.set(name, [text]);
  };
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, MAX_FIELDS)) complain([...issue.path, key], 'is not known');
    } else {
      complain(issue.path, issue.message);
    }
  }
  return Object.fromEntries(fields);
}
