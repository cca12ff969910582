import type Koa from 'koa';
import type { UserRecord } from './model.ts';
import type { Users } from './service.ts';

declare module 'koa' {
  interface DefaultState {
    /** The active user this request's session belongs to; looked up when first asked. */
    currentUser(): Promise<UserRecord | null>;
  }
}

export function currentUser(users: Users): Koa.Middleware {
  return (ctx, next) => {
    let found: Promise<UserRecord | null> | undefined;
    ctx.state.currentUser = () => {
      const userId = ctx.session?.userId;
      found ??= userId ? users.active(userId) : Promise.resolve(null);
      return found;
    };
    return next();
  };
}
