import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { noteProof } from '../../api/testing/proof.ts';
import { healthSchema } from '../../common/health/http.ts';
import { sized } from '../../common/testing/effort.ts';
import { rawClient } from '../../realtime/testing/raw-client.ts';
import { cookieOf, post, productScene } from './product.ts';
import { createFollower, type Follower, gapsOf } from './testing/follower.ts';

/** Clients that each lose their connection once, for a time between these two, ms. */
const CLIENTS = sized({ landing: 20, full: 100, soak: 1_000 });
const SHORTEST_MS = 1_000;
const LONGEST_MS = sized({ landing: 3_000, full: 10_000, soak: 90_000 });
/** Clients that stop reading, for this time, ms. */
const STALLED = sized({ landing: 5, full: 20, soak: 100 });
const STALLED_MS = sized({ landing: 3_000, full: 10_000, soak: 60_000 });
/** Fewer than a user may have. */
const CONNECTIONS_PER_USER = 40;
const SOON = { timeout: 60_000, interval: 200 };

/** Launches a minute. All followers are one process, which has to read what each of them receives. */
const RATE = 120;
/** Enough that more is sent in the time of a soak than the kernel takes for a client that does not read. */
const RATE_OF_STALLED = sized({ landing: 120, full: 120, soak: 1_200 });

const sceneOfCut = await productScene({ MARKET_RATE: String(RATE), MARKET_SEED: '3' });
const sceneOfStalled = await productScene({ MARKET_RATE: String(RATE_OF_STALLED), MARKET_SEED: '3' });

/** Registers enough users for so many connections. Returns the cookie of each connection. */
async function cookiesFor(url: string, connections: number, name: string): Promise<string[]> {
  const users = Math.ceil(connections / CONNECTIONS_PER_USER);
  const cookies: string[] = [];
  for (let number = 0; number < users; number += 1) {
    const account = { username: `${name}-${number}`, password: 'long-enough' };
    cookies.push(cookieOf(await post(url, '/api/auth/register', account, `10.1.0.${number}`)));
  }
  return Array.from({ length: connections }, (_, index) => cookies[index % users] ?? '');
}

/** Waits until every follower has the newest event of this moment. Returns its number. */
async function expectCaughtUp(url: string, followers: readonly Follower[]): Promise<number> {
  const { feed } = healthSchema.parse(await (await fetch(`${url}/api/health`)).json());
  await vi.waitFor(() => {
    const late = followers.filter(({ numbers }) => (numbers.at(-1) ?? 0) < feed.seq);
    expect(late.length).toBe(0);
  }, SOON);
  return feed.seq;
}

test(`${CLIENTS} clients that lose their connection for up to ${LONGEST_MS / 1_000} s miss and double no event`, {
  timeout: 300_000,
}, async () => {
  const { url, stop } = await sceneOfCut.start();
  // From addresses of their own: the limit of one address is for one that opens them all at once.
  const followers = (await cookiesFor(url, CLIENTS, 'cut')).map((cookie, index) =>
    createFollower(url, cookie, `10.2.${index >> 8}.${index & 255}`),
  );
  await vi.waitFor(() => expect(followers.every((follower) => follower.isConnected())).toBe(true), SOON);
  await expectCaughtUp(url, followers);

  // Evenly over the range, so that each run has the same times.
  const times = followers.map((_, index) => SHORTEST_MS + ((LONGEST_MS - SHORTEST_MS) * index) / CLIENTS);
  await Promise.all(
    followers.map(async (follower, index) => {
      follower.cut();
      await pause(times[index]);
      follower.reconnect();
    }),
  );
  await vi.waitFor(() => expect(followers.every((follower) => follower.isConnected())).toBe(true), SOON);
  await expectCaughtUp(url, followers);

  const gaps = followers.map(({ numbers }) => gapsOf(numbers));
  const missing = gaps.reduce((sum, gap) => sum + gap.missing, 0);
  const doubled = gaps.reduce((sum, gap) => sum + gap.doubled, 0);
  expect({ missing, doubled }).toEqual({ missing: 0, doubled: 0 });
  // The log holds ten minutes: none of them had to start again.
  expect(followers.map(({ resyncs }) => resyncs())).toEqual(followers.map(() => 0));
  noteProof(
    'clients disconnected',
    { clients: CLIENTS, longestSeconds: LONGEST_MS / 1_000 },
    {
      eventsLost: missing,
      eventsDoubled: doubled,
    },
  );
  for (const follower of followers) follower.cut();
  expect(await stop()).toBe(0);
});

test(`${STALLED} clients that stop reading for ${STALLED_MS / 1_000} s cost the others no event`, {
  timeout: 300_000,
}, async () => {
  const { url, stop } = await sceneOfStalled.start();
  const [cookie = ''] = await cookiesFor(url, 1, 'reader');
  const reader = createFollower(url, cookie);
  const stalled = await Promise.all(
    (await cookiesFor(url, STALLED, 'stalled')).map((each) =>
      rawClient(Number(new URL(url).port), { headers: { cookie: each } }),
    ),
  );
  await expectCaughtUp(url, [reader]);
  for (const { pause: stopReading } of stalled) stopReading();
  await pause(STALLED_MS);
  for (const { resume } of stalled) resume();
  const last = await expectCaughtUp(url, [reader]);
  // Each has everything in order, got a resync, or was closed as too slow.
  await vi.waitFor(() => {
    const behind = stalled.filter(
      ({ websocket, seqs }) => websocket.readyState === WebSocket.OPEN && (seqs().at(-1) ?? 0) < last,
    );
    expect(behind.length).toBe(0);
  }, SOON);
  const gaps = stalled.map(({ seqs, received }) =>
    received.some(([event]) => event === 'resync') ? { missing: 0, doubled: 0 } : gapsOf(seqs()),
  );
  gaps.push(gapsOf(reader.numbers));
  const missing = gaps.reduce((sum, gap) => sum + gap.missing, 0);
  const doubled = gaps.reduce((sum, gap) => sum + gap.doubled, 0);
  expect({ missing, doubled }).toEqual({ missing: 0, doubled: 0 });
  noteProof(
    'clients stalled',
    { clients: STALLED, seconds: STALLED_MS / 1_000 },
    {
      eventsLost: missing,
      eventsDoubled: doubled,
    },
  );
  reader.cut();
  for (const { websocket } of stalled) websocket.terminate();
  expect(await stop()).toBe(0);
});
