import { pino } from 'pino';
import { expect, test } from 'vitest';
import { listNameOf, listUpdatesSchema } from '../../../common/live/lists.ts';
import { rooms } from '../../../common/live/rooms.ts';
import { rounds } from '../../../common/testing/effort.ts';
import type { ListChoice } from '../../../common/tokens/http.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { applyPatch } from '../../../common/tokens/patch.ts';
import { startGateway, type TestClient } from '../../../realtime/testing/gateway.ts';
import { between, seeded } from '../../alerts/testing/tokens.ts';
import { addressNumber, tokenRecord } from '../../testing/tokens.ts';
import { createListIndex } from '../list-index/list-index.ts';
import { presentToken } from '../present.ts';
import { createListWatch } from './list-watch.ts';

const TOKENS = 60;
const choices: ListChoice[] = [
  { f: 'liquidity:5-' },
  { f: 'holders:2-6,liquidity:1-8' },
  { q: 'coin 1', f: 'buys:3-' },
];

/** The list of a client: its snapshot with the events since, by the rules F3 and F5. */
function heldList(client: TestClient, name: string, snapshot: { seq: number; tokens: Token[] }) {
  const held = new Map(snapshot.tokens.map((token) => [token.number, token]));
  let seq = snapshot.seq;
  for (const payload of client.of('list-updates')) {
    const { list, from, to, at, solUsd, patches, entered, left } = listUpdatesSchema.parse(payload);
    if (list !== name || to < seq) continue;
    expect(from).toBeLessThanOrEqual(seq);
    for (const number of left) held.delete(number);
    for (const token of entered) held.set(token.number, token);
    for (const patch of patches) {
      const token = held.get(patch.number);
      if (token) held.set(patch.number, applyPatch(token, patch, { at, solUsd }));
    }
    seq = to;
  }
  return { seq, tokens: [...held.values()].sort((a, b) => a.number - b.number) };
}

test('after quiet, the filtered lists of clients equal those of the index, for any changes over the socket [F3, F4, F5]', async () => {
  const index = Object.assign(createListIndex(), { ready: () => Promise.resolve() });
  const live = new Map<string, Token>();
  const context = () => ({ now: Date.now(), solUsd: 150 });
  const watch = createListWatch({
    index,
    context,
    liveToken: (address) => live.get(address) ?? null,
    readTokens: async () => [],
    log: pino({ level: 'silent' }),
  });
  const server = await startGateway({ lists: watch, limits: { emptyListMs: 20, eventsPerSecond: 1_000 } });
  const random = seeded(11);

  /** Publishes a change of a token as the market does: to the feed, then to the index. */
  async function change(number: number): Promise<void> {
    const address = addressNumber(number);
    const before = live.get(address);
    if (before && random() < 0.1) {
      live.delete(address);
      index.remove([address]);
      await server.publisher.publish([{ event: 'tokens-removed', payload: { addresses: [address] } }]);
      return;
    }
    const base = before ?? presentToken(tokenRecord(number));
    const figures = {
      currentLiquidity: between(random, 0, 9),
      holderCount: between(random, 0, 9),
      buys: between(random, 0, 9),
    };
    const token: Token = { ...base, ...figures, version: base.version + 1 };
    live.set(address, token);
    const patch = { address, number: token.number, version: token.version, ...figures };
    const published = server.publisher.publish([
      before
        ? { event: 'token-updates', payload: { at: Date.parse(token.lastUpdated), solUsd: 150, patches: [patch] } }
        : { event: 'new-token', payload: { token } },
    ]);
    index.put(token, Date.now());
    await published;
  }
  const snapshot = (choice: ListChoice) => {
    const { addresses } = index.page({ ...choice, sort: 'detected', order: 'desc', limit: TOKENS }, context());
    return { seq: server.feedLog.head().seq, tokens: addresses.flatMap((address) => live.get(address) ?? []) };
  };

  const clients: { client: TestClient; choice: ListChoice; name: string; first: ReturnType<typeof snapshot> }[] = [];
  for (let step = 0; step < rounds(400); step += 1) {
    for (let burst = between(random, 1, 5); burst > 0; burst -= 1) await change(between(random, 0, TOKENS - 1));
    if (step % 4 === 0) await new Promise(setImmediate);
    if (step % 5 !== 0 || clients.length >= 12) continue;
    const client = await server.connect();
    const choice = choices[clients.length % choices.length] ?? {};
    const name = listNameOf(choice);
    await client.send('unsubscribe', { topic: rooms.tokens });
    expect(await client.send('subscribe', { topic: rooms.list(name) })).toEqual({ ok: true });
    await change(between(random, 0, TOKENS - 1));
    clients.push({ client, choice, name, first: snapshot(choice) });
  }
  const { seq } = server.feedLog.head();
  for (const { client, choice, name, first } of clients) {
    await expect.poll(() => heldList(client, name, first).seq).toBe(seq);
    const expected = snapshot(choice).tokens.toSorted((a, b) => a.number - b.number);
    expect(heldList(client, name, first).tokens).toEqual(expected);
    expect(client.of('list-updates').at(-1)).toMatchObject({ total: expected.length });
  }
  await server.stop();
});
