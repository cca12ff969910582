import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import Koa from 'koa';
import mongoose from 'mongoose';
import type { Limits } from '../../../api/http/limits/rate-limits.ts';
import { closeServer, listen } from '../../../api/http/listen.ts';
import { main } from '../../../api/main.ts';
import { claimDatabase } from '../../../api/platform/data-format.ts';
import { tokenRecord } from '../../../api/testing/tokens.ts';
import { tokenModels } from '../../../api/tokens/model.ts';
import { startEmbeddedMongo } from '../../embedded-mongo/launcher.ts';
import { serveCalls } from '../fanout/child.ts';

/** The product of this process with its embedded MongoDB, and a bare Koa route beside it. */
const stops: (() => Promise<unknown>)[] = [];

const calls = {
  /** Starts the product. `tokens`: stored before the start. `limits`: null for the product's own. */
  async start({ market, tokens, limits }: { market: string; tokens: number; limits: Limits | null }) {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-bench-'));
    stops.unshift(() => rm(dataDir, { recursive: true, force: true }));
    const mongo = await startEmbeddedMongo(path.join(dataDir, 'mongo'));
    stops.unshift(() => mongo.stop());
    const connection = await mongoose.createConnection(mongo.uri).asPromise();
    await claimDatabase(connection);
    const now = Date.now();
    if (tokens > 0) {
      const records = Array.from({ length: tokens }, (_, number) => tokenRecord(number, { listedAt: now - number }));
      await tokenModels(connection).tokens.insertMany(records);
    }
    await connection.close();
    const running = await main({
      env: {
        PORT: '0',
        MARKET: market,
        LOG_LEVEL: 'silent',
        DATA_DIR: path.join(dataDir, 'files'),
        TRUSTED_PROXIES: '127.0.0.0/8',
      },
      mongoUri: mongo.uri,
      webRoot: path.join(dataDir, 'web'),
      announce() {},
      ...(limits === null ? {} : { limits }),
    });
    stops.unshift(() => running.stop());
    return { url: running.url };
  },

  /** Starts a Koa server with one route, which sends `body`, and 304 to whom has it. */
  async startBare({ body }: { body: string }) {
    const bytes = Buffer.from(body);
    const app = new Koa();
    app.use((ctx) => {
      ctx.set('ETag', 'W/"bare"');
      ctx.type = 'application/json';
      if (ctx.get('If-None-Match') === 'W/"bare"') ctx.status = 304;
      else ctx.body = bytes;
    });
    const handle = app.callback();
    const server = createServer((request, response) => void handle(request, response));
    const url = await listen(server, '127.0.0.1', 0);
    stops.unshift(() => closeServer(server));
    return { url };
  },

  /** Returns the CPU time of this process so far, microseconds. */
  cpu(_input: null) {
    const { user, system } = process.cpuUsage();
    return user + system;
  },

  async stop(_input: null) {
    for (const stop of stops.splice(0)) await stop();
  },
};
export type ProductCalls = typeof calls;

serveCalls(calls);
