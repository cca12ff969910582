import { once } from 'node:events';
import http from 'node:http';
import Router from '@koa/router';
import Koa from 'koa';
import { Types } from 'mongoose';
import { expect, onTestFinished, test } from 'vitest';
import type { UserRecord } from '../users/model.ts';
import { watchlistRoutes } from './routes.ts';

const user: UserRecord = {
  _id: new Types.ObjectId(),
  username: 'Somebody',
  usernameKey: 'somebody',
  passwordHash: '',
  isAdmin: false,
  isActive: true,
  level: 1,
  magicPoints: 100,
  createdAt: new Date(),
};

test('the tokens of a list come with the place in the feed from before they were read', async () => {
  let seq = 7;
  const unused = () => Promise.reject(new Error('not asked for'));
  const router = new Router();
  watchlistRoutes(router, {
    market: { published: () => ({ epoch: 'one', seq }) },
    current: (token) => token,
    watchlists: {
      of: unused,
      entries: unused,
      add: unused,
      remove: unused,
      async tokens() {
        seq += 1;
        return [];
      },
    },
  });
  const app = new Koa();
  app.use((ctx, next) => {
    ctx.state.currentUser = async () => user;
    return next();
  });
  app.use(router.routes());
  const handle = app.callback();
  const server = http.createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const { headers } = await fetch(`http://127.0.0.1:${address.port}/api/watchlists/watch/tokens`);
  expect([headers.get('X-Feed-Epoch'), headers.get('X-Feed-Seq')]).toEqual(['one', '7']);
});
