import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pino } from 'pino';
import { test, vi } from 'vitest';
import { createMemoryLog } from '../../realtime/memoryLog.ts';
import { createPublisher } from '../../realtime/publisher.ts';
import { connectDatabase } from '../server/database.ts';
import { testDatabase } from '../testing/database.ts';
import { tokenModels } from '../tokens/model.ts';
import { createMarket } from './market.ts';
import { allTokens } from './removal.ts';
import type { Source } from './sources/source.ts';
import { created, trade } from './testing/observations.ts';

const A = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
function addr(n: number) { let s = ''; for (let i = 0; i < 8; i += 1) { s += A[n % 58]; n = Math.floor(n / 58); } return `${s}${'1'.repeat(32)}`.slice(0, 40); }

test('scratch', { timeout: 300_000 }, async () => {
  const log = pino({ level: 'warn' });
  const connection = await connectDatabase(testDatabase().uri, log);
  const clock = { now: Date.now };
  const feedLog = createMemoryLog({ clock });
  const source: Source = {
    name: 'pumpportal',
    async start(context) {
      const now = Date.now();
      const all = [];
      for (let i = 0; i < 20_000; i += 1) {
        const at = now - (i % 7_000_000);
        all.push(created({ address: addr(i + 1), at, receivedAt: now, source: 'pumpportal', chain: { signature: `s${i}`, index: 0, slot: 1 } } as never));
        all.push(trade({ address: addr(i + 1), at, receivedAt: now, source: 'pumpportal', chain: { signature: `t${i}`, index: 0, slot: 1 } } as never));
        all.push(trade({ address: addr(i + 1), at, receivedAt: now, source: 'pumpportal', chain: { signature: `u${i}`, index: 0, slot: 1 } } as never));
      }
      context.observe(all);
    },
    stop: async () => {},
    status: () => ({ state: 'live', lastEventAt: null }),
  };
  const market = createMarket({ sources: [source], connection, publisher: createPublisher(feedLog), clock, random: Math.random, log, solUsd: 150 } as never);
  await market.start();
  const { tokens } = tokenModels(connection);
  await vi.waitFor(async () => { if ((await tokens.countDocuments()) < 20_000) throw new Error('x'); }, { timeout: 200_000, interval: 500 });
  await new Promise((r) => setTimeout(r, 15_000));
  const h = monitorEventLoopDelay({ resolution: 5 });
  h.enable();
  const measure = async (name: string, work: () => Promise<unknown>) => {
    h.reset();
    const begun = performance.now();
    const answer = await work();
    const took = performance.now() - begun;
    console.log(name, Math.round(took), 'ms; loop max', Math.round(h.max / 1e6) - 5, 'p99', Math.round(h.percentile(99) / 1e6) - 5, JSON.stringify(answer));
  };
  await measure('idle', () => new Promise((r) => setTimeout(r, 3000)));
  await measure('analyze', () => market.analyze(() => {}, new AbortController().signal));
  await measure('analyze2', () => market.analyze(() => {}, new AbortController().signal));
  await measure('remove', () => market.remove(allTokens));
  await market.stop();
  await connection.close();
});
