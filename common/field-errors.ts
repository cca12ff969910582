import type { z } from 'zod';
import type { FieldErrors } from './errors.ts';

/** Limits of the reported errors: the response stays small however large the input is. */
const MAX_FIELDS = 20;
const MAX_TEXTS_PER_FIELD = 5;
const MAX_FIELD_NAME = 100;
/** A run this long in the name of an unknown field may be (part of) a private key in the wrong place. */
const LONG_RUN = /[A-Za-z0-9+/_=-]{40,}/g;

/**
 * Parses input with the schema. Every contract is validated here: a schema's own messages come first, and `plainWords`
 * replaces the messages of zod, which are written for programmers.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): { success: true; data: z.output<Schema> } | { success: false; issues: z.core.$ZodIssue[] } {
  const parsed = schema.safeParse(input, { error: plainWords });
  return parsed.success ? parsed : { success: false, issues: parsed.error.issues };
}

/** Returns error messages by dotted field name. An unknown field is named itself, masked where its name may be a secret. */
export function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const fields = new Map<string, string[]>();
  const add = (path: readonly PropertyKey[], text: string) => {
    const name = path.map(String).join('.').replace(LONG_RUN, '***').slice(0, MAX_FIELD_NAME);
    const texts = fields.get(name);
    if (!texts && fields.size < MAX_FIELDS) fields.set(name, [text]);
    else if (texts && texts.length < MAX_TEXTS_PER_FIELD) texts.push(text);
  };
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, MAX_FIELDS)) add([...issue.path, key], 'is not known');
    } else {
      add(issue.path, issue.message);
    }
  }
  return Object.fromEntries(fields);
}

/** Returns the message for an issue whose schema has no message of its own. */
export function plainWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${kinds[issue.expected] ?? 'of another kind'}`;
    case 'too_small':
      return issue.minimum === 1 && issue.origin in units
        ? 'must not be empty'
        : `must be at least ${size(issue.minimum, issue.origin)}`;
    case 'too_big':
      return `must be at most ${size(issue.maximum, issue.origin)}`;
    case 'invalid_value':
      if (issue.input === undefined) return 'is required';
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'unrecognized_keys':
      return 'has fields that are not known';
    case 'invalid_format':
      return 'is not in the right form';
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
    case 'invalid_union':
    case 'custom':
      return issue.input === undefined ? 'is required' : 'is not valid';
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const units: Readonly<Record<string, string>> = { string: ' characters long', array: ' items long' };

function size(bound: number | bigint, origin: string): string {
  return `${bound}${units[origin] ?? ''}`;
}
