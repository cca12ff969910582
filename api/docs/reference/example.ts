import { type JsonSchema, SCHEMA_PATH } from './json-schema.ts';
import { EXAMPLE_ID } from './named-schemas.ts';

/** Examples of the patterns that schemas without a name have. */
const patternExamples: readonly [RegExp, string][] = [
  [/^\^\\d\{1,\d+\}\$$/, '20'],
  [/^\^@\?/, '@trader'],
  [/^\^\\d\{4\}-/, '2026-07-04T12'],
  [/^\^\\d\{10\}\$$/, '1783166400'],
  [/^\^\[0-9a-f\]\{24\}\$$/, EXAMPLE_ID],
];

/**
 * Returns an example of a schema: its own example, otherwise the smallest valid value. `all`: objects have their optional
 * fields as well. Throws for a pattern without an example.
 */
export function exampleOf(schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>, all = false): unknown {
  const known = knownExample(schema);
  if (known !== undefined) return known.value;
  if (schema.$ref !== undefined) return exampleOf(named[schema.$ref.slice(SCHEMA_PATH.length)] ?? {}, named, all);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return exampleOf(options.find(({ type }) => type !== 'null') ?? {}, named, all);
  if (schema.allOf) {
    return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, named, all)));
  }
  return typedExample(schema, named, all);
}

function knownExample({ examples, enum: values, ...schema }: JsonSchema): { value: unknown } | undefined {
  if (examples !== undefined && examples.length > 0) return { value: examples[0] };
  if (schema.default !== undefined) return { value: schema.default };
  if (schema.const !== undefined) return { value: schema.const };
  return values === undefined ? undefined : { value: values[0] };
}

function typedExample(schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>, all: boolean): unknown {
  switch (schema.type) {
    case 'string':
      return textExample(schema);
    case 'integer':
    case 'number':
      return numberExample(schema);
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () => exampleOf(schema.items ?? {}, named, all));
    case 'object':
      return objectExample(schema, named, all);
    default:
      return null;
  }
}

function textExample({ format, pattern, minLength = 0 }: JsonSchema): string {
  if (format === 'date-time') return '2026-07-04T12:00:00.000Z';
  if (format === 'uuid') return '3f8b2c1e-5a4d-4c6b-9e7f-1a2b3c4d5e6f';
  if (pattern !== undefined) {
    const found = patternExamples.find(([of]) => of.test(pattern))?.[1];
    const plain = [found, 'example'].find((text) => text !== undefined && new RegExp(pattern, 'u').test(text));
    if (plain === undefined) throw new Error(`no example matches ${pattern}`);
    return plain;
  }
  return 'example'.padEnd(minLength, '-');
}

function numberExample({ minimum, exclusiveMinimum, maximum = 10 }: JsonSchema): number {
  const least = Math.max(minimum ?? 0, exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1);
  return Math.min(Math.max(least, 1), maximum);
}

function objectExample(schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>, all: boolean): unknown {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => all || required.has(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field, named, all)]));
}
