import Router from '@koa/router';
import Koa from 'koa';
import { Types } from 'mongoose';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { PublicError } from '../../../common/errors.ts';
import { tradingCalls } from '../../../common/trading/http.ts';
import { errorBody } from '../../http/errors.ts';
import { createHttpServer, listen } from '../../http/listen.ts';
import { testConnection } from '../../testing/database.ts';
import { createDesk } from '../testing/desk.ts';
import { createScriptedChain } from '../testing/scripted-chain.ts';
import { stopRoutes } from './routes.ts';

const connection = await testConnection({ journal: true });

/** Stops a user of a mode, and asks to resume in a session with or without a recent password. Returns the status, and whether buying is stopped. */
async function resumed(mode: 'live' | 'paper', hasProof: boolean) {
  const desk = await createDesk({ connection, server: 'live', executor: createScriptedChain(Date.now).executor });
  const userId = desk.newUser();
  const user = { _id: new Types.ObjectId(userId), username: 'anna', isAdmin: false };
  await desk.accountStore.set(userId, { mode, live: { at: new Date(), cluster: 'local' } }, Date.now());
  await desk.stop.stop(userId, { sell: false, by: 'user' }, { user, address: '127.0.0.1' });

  const app = new Koa();
  app.use(errorBody(pino({ level: 'silent' })));
  app.use((ctx, next) => {
    ctx.state.currentUser = async () => user;
    ctx.state.requireConfirmation = async () => {
      if (!hasProof) throw new PublicError('password-needed');
    };
    return next();
  });
  const router = new Router();
  stopRoutes(router, desk);
  app.use(router.routes());
  const handle = app.callback();
  const server = createHttpServer((request, response) => void handle(request, response), { isProxy: () => false });
  const url = await listen(server, '127.0.0.1', 0);
  onTestFinished(async () => {
    server.close();
    await desk.stop.stopFollowing();
  });
  const { status } = await fetch(url + tradingCalls.resume.path, { method: 'POST' });
  return { status, isStopped: (await desk.accounts.view(userId)).stopped !== null };
}

test('with real money a stop ends only after the password; with play money at once [T-19]', async () => {
  expect(await resumed('live', false)).toEqual({ status: 403, isStopped: true });
  expect(await resumed('live', true)).toEqual({ status: 200, isStopped: false });
  expect(await resumed('paper', false)).toEqual({ status: 200, isStopped: false });
});
