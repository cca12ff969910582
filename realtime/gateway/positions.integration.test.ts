import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { updateOf } from '../testing/events.ts';
import { startGateway, type TestGateway } from '../testing/gateway.ts';
import { rawClient } from '../testing/raw-client.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Starts a gateway that compares with its position of a minute ago, by a clock that the test moves. */
async function start() {
  let time = Date.now();
  const gateway = await startGateway({ clock: { now: () => time }, limits: { behindMs: 60_000, markMs: 5 } });
  stops.push(gateway.stop);
  /** Lets a minute pass, within which the present position was remembered. */
  const pass = async (position: { seq: number }) => {
    for (let step = 0; step < 2; step += 1) {
      // Two marks at least: the intervals of the client's events are longer than the gateway's.
      for (let echo = 0; echo < 10; echo += 1) await settle(gateway);
      time += 60_000;
    }
    return { epoch: gateway.feedLog.head().epoch, ...position };
  };
  return { gateway, pass };
}

async function settle(gateway: TestGateway): Promise<void> {
  await fetch(`${gateway.url}/nothing`);
}

test('a live client that is behind without a sign is closed with a code of its own [F9]', async () => {
  const { gateway, pass } = await start();
  const client = await rawClient(gateway.port);
  await gateway.publisher.publish([updateOf(1), updateOf(2)]);
  const closed = once(client.websocket, 'close');
  const position = await pass({ seq: 1 });
  client.websocket.send(`42${JSON.stringify(['echo', { position }])}`);
  const [code, reason] = await closed;
  expect([code, String(reason)]).toEqual([4009, 'behind']);
});

test('a live client that stays on a former epoch is closed [F9]', async () => {
  const { gateway, pass } = await start();
  const client = await rawClient(gateway.port);
  await gateway.publisher.publish([updateOf(1)]);
  const { epoch } = gateway.feedLog.head();
  await gateway.feedLog.begin(() => true);
  await gateway.publisher.publish([updateOf(1)]);
  const closed = once(client.websocket, 'close');
  await pass({ seq: 1 });
  client.websocket.send(`42${JSON.stringify(['echo', { position: { epoch, seq: 1 } }])}`);
  const [code, reason] = await closed;
  expect([code, String(reason)]).toEqual([4009, 'behind']);
});

test('a client that is up to date, of the epoch of the mark or a newer one, or without a position stays [F9]', async () => {
  const { gateway, pass } = await start();
  const client = await gateway.connect();
  await gateway.publisher.publish([updateOf(1), updateOf(2)]);
  const position = await pass({ seq: 2 });
  await gateway.feedLog.begin(() => true);
  for (const input of [{ position }, { position: gateway.feedLog.head() }, {}]) {
    expect(await client.send('echo', input)).toEqual({ ok: true });
  }
  expect(await client.send('unsubscribe', { topic: 'tokens' })).toEqual({ ok: true });
  // Outside the feed its position does not matter.
  expect(await client.send('echo', { position: { ...position, seq: 1 } })).toEqual({ ok: true });
  expect(await client.send('echo', {})).toEqual({ ok: true });
});
