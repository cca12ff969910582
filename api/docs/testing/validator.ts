import { z } from 'zod';
import { type JsonSchema, SCHEMA_PATH } from '../reference/json-schema.ts';

/** Returns the validator of a documented schema, made from the document alone. `named`: the schemas it refers to. */
export function validatorOf(schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>): z.ZodType {
  const text = JSON.stringify({ ...schema, $defs: named });
  return z.fromJSONSchema(JSON.parse(text.replaceAll(SCHEMA_PATH, '#/$defs/')));
}
