import { expect, vi } from 'vitest';
import { z } from 'zod';
import { tokenSchema, tokenStatsSchema } from '../../../common/tokens/model.ts';
import { startTestServer } from '../../test-server.ts';
import { type Person, person, socketOf } from '../../testing/people.ts';
import type { TestServer } from '../../testing/server.ts';
import { tokenModels } from '../../tokens/model.ts';

const removalSchema = z.union([z.object({ addresses: z.array(z.string()) }), z.object({ all: z.literal(true) })]);

/** A server with a simulated market that launches tokens, and an administrator with an open page. */
export interface RunningMarket {
  server: TestServer;
  admin: Person;
  models: ReturnType<typeof tokenModels>;
  /** Returns the number of tokens in the statistics. */
  total(): Promise<number>;
  /** Returns the addresses in all lists. */
  listed(): Promise<string[]>;
  /** Subscribes to the token feed until the end of the test. */
  subscribe(): Promise<TokenFeed>;
}

/** The events of one page. */
interface TokenFeed {
  removals(): z.infer<typeof removalSchema>[];
  /** Waits for `count` events of this name after the last removal. Returns all events after it, as JSON. */
  afterRemoval(event: 'new-token' | 'token-updates', count: number): Promise<string>;
}

/** Starts a market at `rate` launches a minute. Resolves when more than `tokens` tokens exist. */
export async function startRunningMarket(rate: number, tokens: number): Promise<RunningMarket> {
  const server = await startTestServer({
    env: { MARKET: 'simulator', MARKET_RATE: String(rate), MARKET_SEED: '7' },
  });
  const admin = await person(server, 'Root', { isAdmin: true });
  const body = async (path: string) => {
    const reply = await admin.call(path);
    expect(reply).toMatchObject({ status: 200 });
    return reply.body;
  };
  const total = async () => tokenStatsSchema.parse(await body('/api/tokens/stats')).total;
  // Not expect.poll, which works only within a test.
  await vi.waitFor(async () => expect(await total()).toBeGreaterThan(tokens), { timeout: 60_000, interval: 200 });
  return {
    server,
    admin,
    models: tokenModels(server.connection),
    total,
    async listed() {
      const lists = ['?limit=500', '/new?limit=500', '/potential-runners', '/might-run', '/early-liquidity'];
      const found = await Promise.all(lists.map((list) => body(`/api/tokens${list}`)));
      return found.flatMap((list) => tokenSchema.array().parse(list)).map(({ address }) => address);
    },
    subscribe: () => subscribe(server, admin),
  };
}

async function subscribe(server: TestServer, admin: Person): Promise<TokenFeed> {
  const socket = await socketOf(server, admin);
  const received: { event: string; payload: unknown }[] = [];
  socket.onAny((event: string, payload: unknown) => received.push({ event, payload }));
  const isRemoval = ({ event }: { event: string }) => event === 'tokens-removed';
  return {
    removals: () => received.filter(isRemoval).map(({ payload }) => removalSchema.parse(payload)),
    async afterRemoval(event, count) {
      const later = () => received.slice(received.findLastIndex(isRemoval) + 1);
      await expect
        .poll(() => later().filter((one) => one.event === event).length, { timeout: 30_000 })
        .toBeGreaterThan(count);
      return JSON.stringify(later());
    },
  };
}
