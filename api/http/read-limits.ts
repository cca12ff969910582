import type Koa from 'koa';
import type { Limiter } from './rate-limits.ts';
import { createSlowRefusals, type Refuse } from './slow-refusals.ts';

const READING = new Set(['GET', 'HEAD']);

/** Counts the reads of each signed-in user. Throws `too-many-requests` with the time to wait. */
export function limitReads(reads: Pick<Limiter, 'count'>, refuse: Refuse = createSlowRefusals()): Koa.Middleware {
  return async (ctx, next) => {
    const userId = READING.has(ctx.method) ? ctx.session?.userId : undefined;
    if (userId) await reads.count(userId).catch(refuse);
    return next();
  };
}
