import { type JsonSchema, SCHEMA_PATH } from './json-schema.ts';

/** Pattern of whole numbers in a query. */
const DIGITS = '^\\d{1,9}$';
/** Deepest level of nested fields; deeper ones show their type only. */
const DEPTH_MAX = 4;

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Returns the text with `code` marked up. */
export function inlineHtml(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

/** Returns a schema as its type and the fields of its objects. Named schemas are links to their own section. */
export function schemaHtml(schema: JsonSchema, depth = 0): string {
  const object = objectIn(schema);
  const fields = object === null || depth >= DEPTH_MAX ? '' : fieldsHtml(object, depth);
  return `<span class="type">${typeHtml(schema)}</span>${fields}`;
}

function fieldsHtml({ properties = {}, required = [] }: JsonSchema, depth: number): string {
  const rows = Object.entries(properties).map(([name, field]) => {
    const optional = required.includes(name) ? '' : ' <i>optional</i>';
    return `<li><code>${escapeHtml(name)}</code>${optional} ${schemaHtml(field, depth + 1)}</li>`;
  });
  return rows.length === 0 ? '' : `<ul class="fields">${rows.join('')}</ul>`;
}

/** Returns the object whose fields are worth listing: the schema itself, its items, or its only object among null. */
function objectIn(schema: JsonSchema): JsonSchema | null {
  if (schema.properties !== undefined) return schema;
  if (schema.items !== undefined) return objectIn(schema.items);
  const objects = (schema.anyOf ?? []).map(objectIn).filter((one) => one !== null);
  return objects.length === 1 ? (objects[0] ?? null) : null;
}

function typeHtml(schema: JsonSchema): string {
  if (schema.$ref !== undefined) {
    const name = escapeHtml(schema.$ref.slice(SCHEMA_PATH.length));
    return `<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  if (schema.enum) {
    return schema.enum.map((value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`).join(' | ');
  }
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map(typeHtml).join(' | ');
  if (schema.type === 'array') return `array of ${typeHtml(schema.items ?? {})}`;
  return escapeHtml([schema.type ?? 'any value', ...boundsOf(schema)].join(' · '));
}

function boundsOf(schema: JsonSchema): string[] {
  const { format, pattern, minLength, maxLength, minimum, maximum, exclusiveMinimum } = schema;
  // Bounds that only keep a number exact say nothing about its meaning.
  const meant = (bound: number | undefined) => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  return [
    ...(format === undefined ? [] : [format]),
    ...(format === undefined && pattern !== undefined ? [pattern === DIGITS ? 'digits' : pattern] : []),
    ...(minLength === undefined ? [] : [`at least ${minLength} characters`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(meant(minimum) ? [`≥ ${minimum}`] : []),
    ...(meant(exclusiveMinimum) ? [`> ${exclusiveMinimum}`] : []),
    ...(meant(maximum) ? [`≤ ${maximum}`] : []),
  ];
}
