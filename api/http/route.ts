import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import { z } from 'zod';
import { PublicError } from '../../common/errors.ts';
import { type Access, ADMIN_KEY_HEADER, type Call } from '../../common/http.ts';
import type { UserRecord } from '../users/model.ts';
import { jsonBody } from './body.ts';
import { JsonText, sendJson } from './json-text.ts';
import { validate } from './validate.ts';

/** What a handler gets: input that its call's schemas have let through. */
export interface Input<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
}

/**
 * Around the input: Koa's context, and who is calling. A `public` call asks nobody who they are, and whoever has the direct
 * admin key need not be anybody.
 */
export interface Caller<Kind extends Access> {
  ctx: Koa.Context;
  user: Kind extends 'public' ? null : Kind extends 'admin-or-key' ? UserRecord | null : UserRecord;
}

/** A value of the call's output schema, or one that is serialised already. */
type Answer<Output> = Output | JsonText;

const readBody = jsonBody();

/**
 * Puts one declared call on the router: authenticate, authorise, validate, do, answer. What the handler returns becomes
 * the JSON body; what it throws goes through the error middleware.
 */
export function register<Params, Query, Body, Output, Kind extends Access>(
  router: RouterInstance,
  call: Call<z.ZodType<Params>, z.ZodType<Query>, z.ZodType<Body>, z.ZodType<unknown, Output>> & { access: Kind },
  handler: (
    input: Input<Params, Query, Body>,
    caller: Caller<Kind>,
  ) => Answer<NoInfer<Output>> | Promise<Answer<NoInfer<Output>>>,
): void {
  const path = call.path.replaceAll(/\{(\w+)\}/g, ':$1');
  router.register(path, [call.method], async (ctx: Koa.Context) => {
    const user = await permitted(ctx, call);
    await readBody(ctx, noNext);
    const input = {
      params: validate(call.params, ctx.params),
      query: validate(call.query, ctx.query),
      body: validate(call.body, ctx.request.body),
    };
    // `permitted` gives null, a user, or either, by the kind of call: what the type of `user` says.
    const answer = await handler(input, { ctx, user: user as Caller<Kind>['user'] });
    sendJson(ctx, answer instanceof JsonText ? answer : new JsonText(answer));
  });
}

/** The caller, if this kind of call may be made by them. */
async function permitted(
  ctx: Koa.Context,
  { access, body }: Pick<Call, 'access' | 'body'>,
): Promise<UserRecord | null> {
  switch (access) {
    case 'public':
      return null;
    case 'user':
    case 'admin': {
      const user = await ctx.state.currentUser();
      if (!user) throw new PublicError('unauthenticated');
      if (access === 'admin' && !user.isAdmin) throw new PublicError('forbidden');
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

/** What the body has as `adminKey`, if this call takes it there and none is in the header. */
async function keyInBody(ctx: Koa.Context, schema: z.ZodType): Promise<string | undefined> {
  if (!(schema instanceof z.ZodObject && 'adminKey' in schema.shape) || ctx.get(ADMIN_KEY_HEADER) !== '')
    return undefined;
  await readBody(ctx, noNext);
  const sent = withKey.safeParse(ctx.request.body);
  return sent.success ? sent.data.adminKey : undefined;
}

const withKey = z.object({ adminKey: z.string() });

async function noNext(): Promise<void> {}
