import { everyCall } from '../../../common/calls.ts';
import { type ErrorCode, errors } from '../../../common/errors.ts';
import { type Access, ADMIN_KEY_HEADER, type Call, type KeyAccess, keyAccessOf } from '../../../common/http.ts';
import { convertSchemas, type JsonSchema } from './json-schema.ts';
import { liveEvents } from './live-events.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  schema: JsonSchema;
}

interface Content {
  content?: { 'application/json': { schema: JsonSchema } };
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  parameters: Parameter[];
  requestBody?: { required: boolean } & Required<Content>;
  /** By HTTP status. */
  responses: Record<string, { description: string } & Content>;
  security: Record<string, string[]>[];
  'x-access': Access;
  /** Which API keys may make the call. */
  'x-api-keys': KeyAccess;
}

export interface DocumentedEvent {
  name: string;
  from: 'server' | 'client';
  rooms: readonly string[];
  numbered: boolean;
  summary: string;
  payload: JsonSchema;
}

export interface OpenApi {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  /** By path, then by method in lower case. */
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, Record<string, string>> };
  'x-live-events': DocumentedEvent[];
}

const DESCRIPTION =
  'Every REST call of Mintwatch, made from the contracts that server and client share. Live events of the Socket.IO connection are under x-live-events. A path or query with the id of another user is forbidden (403). An order, a position, a rule or a strategy of another user is not found (404), as one that does not exist; an administrator, who may see it, may not change it (403).';

/** Returns the OpenAPI document of all calls, with the events of the socket beside it. */
export function openApi(version: string): OpenApi {
  const calls = everyCall();
  const events = liveEvents();
  const { schemas, named } = convertSchemas({
    ...Object.fromEntries(
      calls.flatMap(({ name, call }) => parts.map((part) => [`${name} ${part}`, call[part]] as const)),
    ),
    ...Object.fromEntries(events.map(({ name, payload }) => [`${name} payload`, payload])),
  });
  const paths: OpenApi['paths'] = {};
  for (const { name, call } of calls) {
    const [params = {}, query = {}, body = {}, output = {}] = parts.map((part) => schemas[`${name} ${part}`]);
    const methods = paths[call.path] ?? {};
    methods[call.method.toLowerCase()] = operation(name, call, { params, query, body, output });
    paths[call.path] = methods;
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Mintwatch', version, description: DESCRIPTION },
    paths,
    components: { schemas: named, securitySchemes },
    'x-live-events': events.map((event) => ({ ...event, payload: schemas[`${event.name} payload`] ?? {} })),
  };
}

const parts = ['params', 'query', 'body', 'output'] as const;

const securitySchemes = {
  session: { type: 'apiKey', in: 'cookie', name: 'mintwatch.sid', description: 'Set by login and registration.' },
  apiKey: { type: 'http', scheme: 'bearer', description: 'A key that a user has made for a program.' },
  adminKey: { type: 'apiKey', in: 'header', name: ADMIN_KEY_HEADER, description: 'The direct admin key.' },
};

function operation(name: string, call: Call, schemas: Record<(typeof parts)[number], JsonSchema>): Operation {
  const { body, output } = schemas;
  const takesBody = Object.keys(body.properties ?? {}).length > 0 || body.anyOf !== undefined;
  const required = (body.required?.length ?? 0) > 0;
  return {
    operationId: name,
    tags: [name.split('.')[0] ?? name],
    summary: call.summary,
    parameters: [...parametersOf('path', schemas.params), ...parametersOf('query', schemas.query)],
    ...(takesBody ? { requestBody: { required, ...json(body) } } : {}),
    responses: {
      200: { description: 'Success', ...json(output) },
      ...(call.method === 'GET' ? { 304: { description: 'Unchanged since the ETag in If-None-Match' } } : {}),
      ...Object.fromEntries(
        errorsByStatus(call).map(([status, codes]) => [
          status,
          { description: codes.map((code) => `${code}: ${errors[code].text}`).join('\n'), ...json(errorSchema(codes)) },
        ]),
      ),
      ...Object.fromEntries(
        (call.sameBody ?? []).map((status) => [status, { description: 'The same body', ...json(output) }]),
      ),
    },
    security: securityOf(call),
    'x-access': call.access,
    'x-api-keys': keyAccessOf(call),
  };
}

function json(schema: JsonSchema): Required<Content> {
  return { content: { 'application/json': { schema } } };
}

function parametersOf(place: Parameter['in'], { properties = {}, required = [] }: JsonSchema): Parameter[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema,
  }));
}

/** The error body (`ErrorBody` of common/errors.ts) with the codes of one status. */
function errorSchema(codes: readonly ErrorCode[]): JsonSchema {
  return {
    type: 'object',
    properties: {
      error: { type: 'string', minLength: 1 },
      code: { type: 'string', enum: [...codes] },
      details: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
    },
    required: ['error', 'code'],
    additionalProperties: false,
  };
}

function securityOf(call: Call): Record<string, string[]>[] {
  switch (call.access) {
    case 'public':
      return [];
    case 'user':
      return [{ session: [] }, ...(keyAccessOf(call) === 'none' ? [] : [{ apiKey: [] }])];
    case 'admin':
      return [{ session: [] }];
    case 'admin-or-key':
      return [{ session: [] }, { adminKey: [] }];
  }
}

/** Returns the error codes of a call: its own, and the codes that follow from its method, access and confirmation. */
function errorsOf({ method, access, confirm, errors: own = [] }: Call): ErrorCode[] {
  return [
    ...new Set<ErrorCode>([
      'invalid-input',
      ...(method === 'GET' ? [] : sending),
      ...(access === 'public' ? [] : signedIn),
      ...(confirm === undefined ? [] : (['password-needed'] as const)),
      ...own,
      'too-many-requests',
      'internal',
      'unavailable',
    ]),
  ];
}

const sending: readonly ErrorCode[] = ['malformed-json', 'foreign-origin', 'body-too-large', 'unsupported-media-type'];
const signedIn: readonly ErrorCode[] = ['unauthenticated', 'forbidden'];

/** Returns the codes by HTTP status, in the order of the statuses. */
function errorsByStatus(call: Call): [status: number, codes: ErrorCode[]][] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(call)) {
    const { status } = errors[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].toSorted(([one], [other]) => one - other);
}
