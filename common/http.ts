import { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/**
 * Access level of a call: `public` anyone, `user` a signed-in user, `admin` an administrator, `admin-or-key` an administrator
 * or a request with the direct admin key, without a session (decision 14).
 */
export type Access = 'public' | 'user' | 'admin' | 'admin-or-key';

/**
 * When a call requires that the user has proved their identity within the last minutes, at the login or by `auth.confirm`,
 * else it fails with `password-needed`: at each use, or only when it `replaces` something that is stored. The client asks for
 * the password and repeats the call.
 */
export type Confirm = 'always' | 'replacement';

/**
 * API keys that may make a call with `access: 'user'`: `any` key, keys that may `trade`, or `none`. Default: `any` for GET, otherwise
 * `none`. A key never has an administrator's rights.
 */
export type KeyAccess = 'any' | 'trade' | 'none';

/** Returns which API keys may make a call. */
export function keyAccessOf({ access, method, key }: Pick<Call, 'access' | 'method' | 'key'>): KeyAccess {
  if (access !== 'user') return 'none';
  return key ?? (method === 'GET' ? 'any' : 'none');
}

/** Request header of the direct admin key. */
export const ADMIN_KEY_HEADER = 'X-Admin-Key';

/**
 * Request header of programs without fetch metadata: it shows that no navigation causes a GET call with effects. Some
 * embedded browsers send it with every page, with another value.
 */
export const SCRIPT_HEADER = 'X-Requested-With';
export const SCRIPT_HEADER_VALUE = 'XMLHttpRequest';

/**
 * One REST call, declared once: the server validates requests with `params`, `query` and `body`,
 * the client builds requests from them, and tests validate responses with `output`.
 * `path` uses `{name}` for path parameters. `summary` is one or two sentences for the API reference. `errors`: codes beside
 * the ones that follow from method, access and `confirm` (api/docs/reference/open-api.ts). `sameBody`: statuses beside 200 with the
 * body of `output`.
 */
export interface Call<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: `/api/${string}`;
  readonly access: Access;
  readonly summary: string;
  readonly errors?: readonly ErrorCode[];
  readonly sameBody?: readonly number[];
  readonly confirm?: Confirm;
  readonly key?: KeyAccess;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly output: Output;
}

/** Accepts no field at all: any field is refused, so that a misspelt name is noticed. */
const nothing = z.strictObject({});

/** Default of a call's inputs, spread first and overridden by the inputs the call takes. */
export const noInput = { params: nothing, query: nothing, body: nothing };

/** Returns the schema of a whole number in a query string, e.g. `?limit=50`. */
export function wholeNumberParam(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));
}
