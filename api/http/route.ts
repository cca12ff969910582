import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import { z } from 'zod';
import { PublicError } from '../../common/errors.ts';
import { fieldErrors, parseInput } from '../../common/field-errors.ts';
import { type Access, ADMIN_KEY_HEADER, type Call, keyAccessOf } from '../../common/http.ts';
import { jsonBody } from './body.ts';
import type { RequestUser } from './caller.ts';
import { createJsonText, isJsonText, type JsonText, sendJson } from './json-text.ts';

/** Input of a handler, as the schemas of its call parsed it. */
export interface Input<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
}

declare module 'koa' {
  interface DefaultState {
    /** Throws `password-needed` when the user of this session has not proved their identity recently. */
    requireConfirmation(): Promise<void>;
  }
}

/** Koa's context and the caller: null for a `public` call and for a caller with the direct admin key. */
export interface Caller<Kind extends Access> {
  ctx: Koa.Context;
  /** Throws `password-needed` without a recent proof of identity. For a call that declares `confirm: 'replacement'`. */
  confirmReplacement(): Promise<void>;
  user: Kind extends 'public' ? null : Kind extends 'admin-or-key' ? RequestUser | null : RequestUser;
}

/** A value of the call's output schema, or its serialized form. */
type Result<Output> = Output | JsonText;

const readBody = jsonBody();

/**
 * Registers one declared call: authenticate, authorize, validate, handle, respond. The handler's result becomes the JSON
 * body; its errors go through the error middleware.
 */
export function register<Params, Query, Body, Output, Kind extends Access>(
  router: RouterInstance,
  call: Call<z.ZodType<Params>, z.ZodType<Query>, z.ZodType<Body>, z.ZodType<unknown, Output>> & { access: Kind },
  handler: (
    input: Input<Params, Query, Body>,
    caller: Caller<Kind>,
  ) => Result<NoInfer<Output>> | Promise<Result<NoInfer<Output>>>,
): void {
  const path = call.path.replaceAll(/\{(\w+)\}/g, ':$1');
  router.register(path, [call.method], async (ctx: Koa.Context) => {
    const user = await authorize(ctx, call);
    await readBody(ctx, noNext);
    const input = {
      params: validate(call.params, ctx.params),
      query: validate(call.query, ctx.query),
      body: validate(call.body, ctx.request.body),
    };
    // `authorize` resolves with null, a user, or either, by the access of the call, as the type of `user` declares.
    const caller = { ctx, user: user as Caller<Kind>['user'], confirmReplacement: () => confirmReplacement(ctx, call) };
    if (call.confirm === 'always') await ctx.state.requireConfirmation();
    const result = await handler(input, caller);
    await sendJson(ctx, isJsonText(result) ? result : createJsonText(result));
  });
}

async function confirmReplacement(ctx: Koa.Context, { path, confirm }: Pick<Call, 'path' | 'confirm'>): Promise<void> {
  if (confirm !== 'replacement') throw new Error(`${path} declares no confirmation of a replacement`);
  await ctx.state.requireConfirmation();
}

/** Resolves with the caller. Throws `unauthenticated` or `forbidden` when they may not make this call. */
async function authorize(
  ctx: Koa.Context,
  call: Pick<Call, 'access' | 'body' | 'method' | 'key'>,
): Promise<RequestUser | null> {
  const { access, body } = call;
  switch (access) {
    case 'public':
      return null;
    case 'user':
    case 'admin': {
      const user = await ctx.state.currentUser();
      if (!user) throw new PublicError('unauthenticated');
      if (access === 'admin' && !user.isAdmin) throw new PublicError('forbidden');
      requireKeyAccess(ctx, call);
      return user;
    }
    case 'admin-or-key': {
      const user = await ctx.state.currentUser();
      if (user?.isAdmin) return user;
      if (await ctx.state.hasAdminKey(await keyInBody(ctx, body))) return null;
      throw new PublicError(user ? 'forbidden' : 'unauthenticated');
    }
  }
}

/** Throws `forbidden` for a request with an API key that may not make this call. */
function requireKeyAccess({ state: { apiKey } }: Koa.Context, call: Pick<Call, 'access' | 'method' | 'key'>): void {
  if (apiKey === undefined) return;
  const needed = keyAccessOf(call);
  if (needed === 'any' || (needed === 'trade' && apiKey.scope === 'trade')) return;
  const text = needed === 'trade' ? 'This API key may only read.' : 'No API key may do this. Please use the pages.';
  throw new PublicError('forbidden', { text });
}

const withKey = z.object({ adminKey: z.string() });

/** Returns `adminKey` of the body, if this call takes the key there and the header has none. */
async function keyInBody(ctx: Koa.Context, schema: z.ZodType): Promise<string | undefined> {
  if (!(schema instanceof z.ZodObject && 'adminKey' in schema.shape) || ctx.get(ADMIN_KEY_HEADER) !== '')
    return undefined;
  await readBody(ctx, noNext);
  const sent = withKey.safeParse(ctx.request.body);
  return sent.success ? sent.data.adminKey : undefined;
}

async function noNext(): Promise<void> {}

/** Names that every object inherits: a lookup by them could find an undeclared field. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Returns `input` as the schema parses it. Throws `invalid-input` with the wrong fields. */
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
