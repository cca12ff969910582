import { afterEach, expect, test } from 'vitest';
import { decodeUpdates, tokenUpdateArraysSchema } from '../../common/live/token-updates.ts';
import { tokenOf } from '../../common/testing/tokens.ts';
import { oneOfEach, updateOf } from '../testing/events.ts';
import { numbers, refusal, startGateway, type TestGateway } from '../testing/gateway.ts';
import { createEncoder } from './encoding.ts';

let server: TestGateway;
afterEach(() => server?.stop());

const arrays = { encoding: 'arrays' } as const;

/** Returns an event as arrays clients should read it: its updates decoded, and named by number. */
function read({ event, payload }: { event: string; payload: unknown }) {
  return { event, payload: Array.isArray(payload) ? decodeUpdates(tokenUpdateArraysSchema.parse(payload)) : payload };
}

test('clients of both encodings get the same events, live and replayed [F1, F2]', async () => {
  server = await startGateway();
  const [named, inArrays] = await Promise.all([server.connect(), server.connect(arrays)]);
  const events = [...oneOfEach(), updateOf(2), updateOf(3)];
  const { epoch } = await server.publisher.publish(events);
  const replayed = await server.connect({ ...arrays, cursor: { epoch, seq: 0 } });
  const all = numbers(1, events.length);
  await expect.poll(() => [named.seqs(), inArrays.seqs(), replayed.seqs()]).toEqual([all, all, all]);
  expect(inArrays.of('token-updates').every(Array.isArray)).toBe(true);
  const byNumber = named.received.slice(1).map(({ event, payload }) => ({
    event,
    payload: JSON.parse(
      JSON.stringify(payload, (key, value) => (event === 'token-updates' && key === 'address' ? undefined : value)),
    ),
  }));
  expect(inArrays.received.slice(1).map(read)).toEqual(byNumber);
  expect(replayed.received.slice(1)).toEqual(inArrays.received.slice(1));
});

test('a client that asks for an unknown encoding is refused [L2]', async () => {
  server = await startGateway();
  const code = refusal(server.client({ auth: { protocol: 2, encoding: 'other' } }));
  expect(await code).toBe('protocol');
});

test('an event is encoded and framed once for each encoding in use', () => {
  const update = createEncoder({
    seq: 1,
    event: 'token-updates',
    payload: { seq: 1, at: 1, solUsd: null, patches: [] },
  });
  expect(update('arrays')).toBe(update('arrays'));
  expect(update('named')).toBe(update('named'));
  expect(update('named').packet).not.toBe(update('arrays').packet);
  // An event with one form is framed once for all.
  const added = createEncoder({ seq: 2, event: 'new-token', payload: { seq: 2, token: tokenOf(1) } });
  expect(added('arrays')).toBe(added('named'));
});
