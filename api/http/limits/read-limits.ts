import type Koa from 'koa';
import type { Limiter } from './rate-limits.ts';
import { createSlowRefusals, type Refuse } from './slow-refusals.ts';

const READING = new Set(['GET', 'HEAD']);

/** Counts a read of this user. Throws `too-many-requests` with the time to wait. */
export type CountRead = (userId: string) => Promise<void>;

/** `reads`: counts the reads of each user. */
export function createReadCount(reads: Pick<Limiter, 'count'>, refuse: Refuse = createSlowRefusals()): CountRead {
  return (userId) => reads.count(userId).catch(refuse);
}

/** Counts the reads of each signed-in user. */
export function limitReads(count: CountRead): Koa.Middleware {
  return async (ctx, next) => {
    const userId = READING.has(ctx.method) ? ctx.session?.userId : undefined;
    if (userId) await count(userId);
    return next();
  };
}
