import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createMemoryLog } from '../feed-log/memory.ts';
import { refusal, startGateway } from '../testing/gateway.ts';
import { rawClient } from '../testing/raw-client.ts';

test('while the feed is away sockets are closed and refused, so that clients poll; then they are admitted [F10]', async () => {
  let time = Date.now();
  let isFollowing = true;
  const clock = { now: () => time };
  const feedLog = { ...createMemoryLog({ clock }), isFollowing: () => isFollowing };
  const server = await startGateway({ feedLog, clock, limits: { awayMs: 60_000, sweepMs: 5 } });
  onTestFinished(server.stop);
  const client = await rawClient(server.port);
  const closed = once(client.websocket, 'close');
  isFollowing = false;
  // A short absence closes and refuses nothing.
  time += 59_000;
  const newcomer = await server.connect();
  expect(await newcomer.send('echo', {})).toEqual({ ok: true });
  time += 2_000;
  const [code, reason] = await closed;
  expect([code, String(reason)]).toEqual([4010, 'unavailable']);
  expect(await refusal(server.client())).toBe('unavailable');
  isFollowing = true;
  await expect.poll(() => refusalOrHello(server)).toBe('hello');
});

/** Resolves with the outcome of a new connection. */
async function refusalOrHello(server: Awaited<ReturnType<typeof startGateway>>): Promise<string> {
  return server.connect().then(
    () => 'hello',
    () => 'refused',
  );
}
