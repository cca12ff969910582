import Router from '@koa/router';
import Koa from 'koa';
import { Types } from 'mongoose';
import { expect, test } from 'vitest';
import { createEventBus } from '../events/bus.ts';
import { closeServer, createHttpServer, listen } from '../http/listen.ts';
import { addressNumber, nothingLive, tokenRecord } from '../testing/tokens.ts';
import { tokenRoutes } from './routes.ts';

test('the details of a token are read once per feed position, and again after a removal or a failure', async () => {
  const unused = () => Promise.reject(new Error('not a part of this test'));
  const lists = { list: unused, newest: unused, runners: unused, mightRun: unused, earlyLiquidity: unused };
  const state: { seq: number; reads: number; failure: Error | null } = { seq: 1, reads: 0, failure: null };
  const queries = {
    ...lists,
    ...{ facets: unused, count: unused, stats: unused, samples: unused, candles: unused, trades: unused },
    ...{ creatorCoins: unused, holderFigures: unused },
    recount: () => undefined,
    stateOf: () => () => '',
    async byAddress() {
      state.reads += 1;
      if (state.failure !== null) throw state.failure;
      return tokenRecord(1);
    },
  };
  const market = {
    ...nothingLive,
    published: () => ({ epoch: 'a', seq: state.seq }),
    solUsd: () => null,
    simulated: () => false,
  };
  const bus = createEventBus((error) => {
    throw error;
  });
  const router = new Router();
  tokenRoutes(router, {
    queries,
    market,
    bus,
    clock: { now: () => 1_000 },
    searches: { run: (_user, work) => work() },
    current: (token) => token,
  });
  const app = new Koa();
  app.silent = true;
  app.use((ctx, next) => {
    ctx.state.currentUser = async () => ({ _id: new Types.ObjectId(), username: 'Reader', isAdmin: false });
    return next();
  });
  app.use(router.routes());
  const handle = app.callback();
  const server = createHttpServer((request, response) => void handle(request, response), { isProxy: () => false });
  const url = `${await listen(server, '127.0.0.1', 0)}/api/tokens/address/${addressNumber(1)}`;
  const responses = async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => fetch(url)));
    return new Set(replies.map(({ status, headers }) => `${status} ${headers.get('X-Feed-Seq')}`));
  };
  expect(await responses()).toEqual(new Set(['200 1']));
  expect(state.reads).toBe(1);
  state.seq = 2;
  expect(await responses()).toEqual(new Set(['200 2']));
  expect(state.reads).toBe(2);
  bus.emit('token-removed', { addresses: [addressNumber(2)] });
  state.failure = new Error('the database is away');
  expect((await fetch(url)).status).toBe(500);
  state.failure = null;
  expect(await responses()).toEqual(new Set(['200 2']));
  expect(state.reads).toBe(4);
  await closeServer(server);
});
