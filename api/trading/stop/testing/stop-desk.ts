import { type Connection, Types } from 'mongoose';
import { expect } from 'vitest';
import type { Actor } from '../../../audit/service.ts';
import { createDesk, type Desk } from '../../testing/desk.ts';
import { createScriptedChain } from '../../testing/scripted-chain.ts';

/** A user who stops. */
export const actor: Actor = { user: { _id: new Types.ObjectId(), username: 'anna' }, address: '127.0.0.1' };

/** Opens a desk over a scripted chain, whose time stands still: nothing is sent again by itself. `endStopDesk` ends it. */
export async function openStopDesk(connection: Connection) {
  const chain = createScriptedChain(Date.now);
  const desk = await createDesk({ connection, executor: chain.executor });
  desk.time.stop();
  return { chain, desk };
}

/** Ends a desk, which has warned of nothing. */
export async function endStopDesk(desk: Desk): Promise<void> {
  await Promise.all([desk.stopWorkers(), desk.stop.stopFollowing()]);
  expect(desk.warnings).toEqual([]);
}
