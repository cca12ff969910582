import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { createListIndex } from '../../../api/tokens/list-index/list-index.ts';
import { createListWatch } from '../../../api/tokens/live-lists/list-watch.ts';
import { createMemoryLog } from '../../../realtime/feed-log/memory.ts';
import { processFigures, serveCalls } from '../fanout/child.ts';
import { openLoadGateway, portOf } from '../fanout/targets.ts';
import { SOL_USD } from '../fanout/updates.ts';
import { createTokens } from './tokens.ts';

const clock = { now: Date.now };
const now = () => Number(process.hrtime.bigint()) / 1e6;

/** The measured gateway of this process, with its index and the watch of filtered lists. */
function open(count: number) {
  const { tokens, live, trade } = createTokens(count);
  const index = Object.assign(createListIndex(), { ready: () => Promise.resolve() });
  for (const token of tokens) index.put(token, clock.now());
  const watch = createListWatch({
    index,
    context: () => ({ now: clock.now(), solUsd: SOL_USD }),
    liveToken: (address) => live.get(address) ?? null,
    readTokens: async () => [],
    log: pino({ level: 'silent' }),
  });
  const feedLog = createMemoryLog({ clock });
  const http = createServer((_request, response) => response.writeHead(404).end());
  openLoadGateway(http, feedLog, { lists: watch });
  return { http, feedLog, index, trade };
}

let server: ReturnType<typeof open> | null = null;

const calls = {
  async start(tokens: number) {
    server = open(tokens);
    return portOf(server.http);
  },

  ...processFigures,

  /**
   * Publishes `perTick` trades in each of `ticks` ticks, as the market does: to the feed, then to the index. Resolves with the
   * monotonic time, ms, that each number of the feed was due at.
   */
  async feed({ ticks, perTick, tickMs }: { ticks: number; perTick: number; tickMs: number }) {
    if (server === null) throw new Error('no server was started');
    const { feedLog, index, trade } = server;
    const due: [seq: number, at: number][] = [];
    const start = now();
    for (let tick = 1; tick <= ticks; tick += 1) {
      await wait(Math.max(0, start + tick * tickMs - now()));
      const trades = Array.from({ length: perTick }, () => trade());
      const at = clock.now();
      const payload = { at, solUsd: SOL_USD, patches: trades.map(({ patch }) => patch) };
      const published = feedLog.append([{ event: 'token-updates', payload }]);
      for (const { token } of trades) index.put(token, at);
      due.push([(await published).seq, start + tick * tickMs]);
    }
    return due;
  },
};
export type ServerCalls = typeof calls;

serveCalls(calls);
