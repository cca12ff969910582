import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import Koa from 'koa';
import { clientPage, staticClient } from '../../../api/http/static-client.ts';
import { tokenRecord } from '../../../api/testing/tokens.ts';
import { presentToken } from '../../../api/tokens/present.ts';
import { FEED_EPOCH_HEADER, FEED_SEQ_HEADER, TOTAL_COUNT_HEADER } from '../../../common/live/protocol.ts';
import { SECOND } from '../../../common/time.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { compareRanks, parseCursor, rankOf } from '../../../common/tokens/order.ts';
import { createMemoryLog } from '../../../realtime/feed-log/memory.ts';
import { serveCalls } from '../fanout/child.ts';
import { openLoadGateway, portOf } from '../fanout/targets.ts';
import { SOL_USD } from '../fanout/updates.ts';
import { createTokens } from '../filters/tokens.ts';

/** Every second update is of one of the newest tokens, as trades are: a list shows these. */
const NEWEST = 200;
/** Time between the creations of two tokens: 30 a minute. */
const LAUNCH_EVERY_MS = 2 * SECOND;
const TICK_MS = 100;

const clock = { now: Date.now };
const user = { id: 'load', username: 'load', isAdmin: false, hasSecondFactor: false };
/** Responses of the calls about the user. Any other call fails. */
const ofUser: Record<string, unknown> = {
  '/api/auth/me': user,
  '/api/alerts': [],
  '/api/presets': [],
  '/api/watchlists': [],
};

/** A market, newest token first, and a server of the built client with as much of the API as the list of tokens needs. */
function open(webRoot: string, count: number) {
  const { tokens, trade } = createTokens(count);
  const start = clock.now();
  for (const [number, token] of tokens.entries()) {
    const createdAt = new Date(start - number * LAUNCH_EVERY_MS).toISOString();
    tokens[number] = { ...token, createdAt, detectedAt: createdAt };
  }
  const feedLog = createMemoryLog({ clock });

  function stats() {
    const solUsd = { rate: SOL_USD, at: new Date(start).toISOString(), source: 'env' };
    const launches = Array.from({ length: 12 }, () => 0);
    return { total: count, newLastHour: 0, runners: 0, mightRun: 0, launches, simulated: true, solUsd };
  }

  function page(query: URLSearchParams): Token[] {
    const before = query.get('before');
    const after = before === null ? null : parseCursor(before);
    const rows = tokens.filter((token) => after === null || compareRanks(rankOf(token, 'detected'), after, 'desc') > 0);
    return rows.slice(0, Number(query.get('limit')));
  }

  /** Returns whether it has answered a call. */
  function answer({ url = '/' }: IncomingMessage, response: ServerResponse): boolean {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    if (!pathname.startsWith('/api/')) return false;
    const { epoch, seq } = feedLog.head();
    response.setHeader('Content-Type', 'application/json');
    response.setHeader(FEED_EPOCH_HEADER, epoch);
    response.setHeader(FEED_SEQ_HEADER, seq);
    if (pathname === '/api/tokens') {
      response.setHeader(TOTAL_COUNT_HEADER, count).end(JSON.stringify(page(searchParams)));
    } else if (pathname === '/api/tokens/stats') response.end(JSON.stringify(stats()));
    else if (Object.hasOwn(ofUser, pathname)) response.end(JSON.stringify(ofUser[pathname]));
    else {
      response.statusCode = 404;
      response.end('{"error":"The bench has no such call.","code":"not-found"}');
    }
    return true;
  }

  const files = new Koa().use(staticClient(webRoot)).use(clientPage(webRoot)).callback();
  const http = createServer((request, response) => {
    if (!answer(request, response)) void files(request, response);
  });
  openLoadGateway(http, feedLog);
  return { http, feedLog, tokens, trade };
}

let server: ReturnType<typeof open> | null = null;
let published = 0;

const calls = {
  async start({ webRoot, tokens }: { webRoot: string; tokens: number }) {
    server = open(webRoot, tokens);
    return portOf(server.http);
  },

  /** Publishes updates at this rate a second, and a new token every 2 s, until the process ends. */
  feed(rate: number) {
    if (server === null) throw new Error('no server was started');
    void publishTicks(server, (rate * TICK_MS) / SECOND);
  },

  /** Returns the number of updates published so far. */
  published: () => published,
};
export type ServerCalls = typeof calls;

async function publishTicks({ feedLog, tokens, trade }: ReturnType<typeof open>, perTick: number): Promise<void> {
  const start = performance.now();
  for (let tick = 1; ; tick += 1) {
    await wait(Math.max(0, start + tick * TICK_MS - performance.now()));
    const patches = Array.from({ length: perTick }, (_, index) =>
      trade(index % 2 === 0 ? Math.floor(Math.random() * NEWEST) : undefined),
    ).map(({ patch }) => patch);
    await feedLog.append([{ event: 'token-updates', payload: { at: clock.now(), solUsd: SOL_USD, patches } }]);
    published += patches.length;
    if ((tick * TICK_MS) % LAUNCH_EVERY_MS !== 0) continue;
    const token = presentToken(tokenRecord(tokens.length));
    tokens.unshift(token);
    await feedLog.append([{ event: 'new-token', payload: { token } }]);
  }
}

serveCalls(calls);
