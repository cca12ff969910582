import { z } from 'zod';
import { namedSchemas } from './named-schemas.ts';

/** The part of JSON Schema that zod writes. */
export interface JsonSchema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

export const SCHEMA_PATH = '#/components/schemas/';

export interface ConvertedSchemas {
  /** By the keys of the input; a named schema is a `$ref`. */
  schemas: Record<string, JsonSchema>;
  /** The named schemas that occur in them, by name. */
  named: Record<string, JsonSchema>;
}

/** Converts contracts as they travel: defaults are optional, and transformed values have the form they are sent in. */
export function convertSchemas(contracts: Readonly<Record<string, z.ZodType>>): ConvertedSchemas {
  const converted = z.toJSONSchema(z.object(contracts), {
    metadata: namedSchemas,
    io: 'input',
    unrepresentable: 'any',
    // zod drops the examples of transformed schemas, which could be in the form after the transformation; these are not.
    override: ({ zodSchema, jsonSchema }) => {
      const examples = namedSchemas.get(zodSchema)?.examples;
      if (examples !== undefined) jsonSchema.examples = examples;
      // Without the flag `u`, which many validators do not set, this pattern would refuse valid texts.
      if (jsonSchema.pattern?.includes('\\p{')) delete jsonSchema.pattern;
    },
  });
  const text = JSON.stringify({ schemas: converted.properties ?? {}, named: converted.$defs ?? {} });
  const result: ConvertedSchemas = JSON.parse(text.replaceAll('"#/$defs/', `"${SCHEMA_PATH}`));
  const named = Object.entries(result.named).map(([name, schema]) => [name, withoutId(schema)] as const);
  return { schemas: result.schemas, named: Object.fromEntries(named.toSorted(byName)) };
}

/** OpenAPI names a schema by its key, and has no `id`. */
function withoutId({ id: _, ...schema }: JsonSchema & { id?: string }): JsonSchema {
  return schema;
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
