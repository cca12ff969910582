import { describe, expect, test } from 'vitest';
import { noAddress, pumpSwapProgram } from '../programs.ts';
import { encodeEvent, frameOf, logsOf } from '../testing/encode.ts';
import { createEvent, expectedEvents, fixture, recordedFrames, someMint, tradeEvent } from '../testing/events.ts';
import { createFrames } from './frames.ts';
import { createPoolRegistry } from './pools.ts';

const times = { receivedAt: 1_783_165_101_000, shift: 0 };
const live = () => createFrames({ source: 'solana', cluster: 'mainnet' });
const create = encodeEvent(createEvent());
const buy = encodeEvent(tradeEvent());

describe('reads recorded frames', () => {
  test('a creation with its first buy', () => {
    const frame = live().read(fixture('logsNotification_create.json'), times);
    expect(frame).toMatchObject({
      kind: 'transaction',
      slot: 430_727_484,
      truncated: false,
      observations: [
        { kind: 'created', name: 'inudependence', address: someMint, chain: { index: 0 } },
        { kind: 'trade', side: 'buy', quoteAmount: 1_500_000_000, address: someMint },
      ],
    });
  });

  test('a buy and a sell', () => {
    const sides = ['logsNotification_buy.json', 'logsNotification_sell.json'].map((name) => {
      const frame = live().read(fixture(name), times);
      return frame.kind === 'transaction' ? frame.observations.map((one) => one.kind === 'trade' && one.side) : frame;
    });
    expect(sides).toEqual([['buy'], ['sell']]);
  });

  test('drops a failed transaction', () => {
    const frames = live();
    expect(frames.read(fixture('logsNotification_failed_noise.json'), times)).toMatchObject({ kind: 'failed' });
    expect(frames.counts()).toMatchObject({ failed: 1, events: 0 });
  });

  test('creates no coin from a look-alike', () => {
    const frames = live();
    const frame = frames.read(fixture('logsNotification_create_lookalike.json'), times);
    // Its real content: the creator's fees are shared out from now on.
    expect(frame).toMatchObject({ kind: 'transaction', observations: [{ kind: 'creator-changed', creator: null }] });
    expect(frames.counts().unknown).toBeGreaterThan(0);
  });

  test('the response to the subscription', () => {
    const frame = live().read(fixture('logsSubscribe_ack.json'), times);
    expect(frame).toEqual({ kind: 'response', id: 1, result: 13_117_691 });
  });

  test('every expected event of the recording once, in transaction order', () => {
    const frames = live();
    const observations = recordedFrames().flatMap(({ raw }) => {
      const frame = frames.read(raw, times);
      return frame.kind === 'transaction' ? frame.observations : [];
    });
    const bySignature = (events: { signature: string; mint: unknown; created: boolean }[]) =>
      events.toSorted((a, b) => a.signature.localeCompare(b.signature));
    expect(
      bySignature(
        observations.flatMap((one) =>
          'chain' in one && one.kind !== 'creator-changed'
            ? [{ signature: one.chain.signature, mint: one.address, created: one.kind === 'created' }]
            : [],
        ),
      ),
    ).toEqual(
      bySignature(
        expectedEvents().map(({ signature, event, fields }) => ({
          signature,
          mint: fields.mint,
          created: event === 'CreateEvent',
        })),
      ),
    );
    expect(frames.counts()).toMatchObject({ events: 57, duplicate: 0, garbage: 0 });
  });
});

test('the program on top of the call stack decides, through a router as well', () => {
  const pools = createPoolRegistry();
  const coin = { quote: 'SOL', isMain: true, coinIsBase: true, state: null } as const;
  pools.set('CLFHviiBfmdz6yHdcfgLohQj7fQ5ddssYHBqrCbcWJEz', { mint: 'Sold', ...coin });
  pools.set('Hgna4nV717JUbCRRXdVuXu9ptx3HFEJCebzzKZWPPXaY', { mint: 'Bought', ...coin });
  const frames = createFrames({ source: 'solana', cluster: 'mainnet', pools });
  const logs: string[] = JSON.parse(fixture('logs_route_through_two_pools.json'));
  expect(frames.read(frameOf({ signature: 'a', slot: 1, logs }), times)).toMatchObject({
    observations: [
      { address: 'Sold', side: 'sell', venue: 'pool', chain: { index: 1_000 } },
      { address: 'Bought', side: 'buy', venue: 'pool', chain: { index: 1_001 } },
    ],
  });
  // The same lines of other programs make nothing, although three programs share the discriminator of a trade.
  const forged = logs.map((line) => line.replaceAll(pumpSwapProgram, noAddress));
  expect(frames.read(frameOf({ signature: 'b', slot: 1, logs: forged }), times)).toMatchObject({ observations: [] });
  const launchLab = 'LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj';
  const alike = frames.read(frameOf({ signature: 'c', slot: 1, logs: logsOf([buy], launchLab) }), times);
  expect(alike).toMatchObject({ observations: [] });
});

describe('returns each event once', () => {
  test('for a repeated frame', () => {
    const frames = live();
    const raw = frameOf({ signature: 'a', slot: 1, logs: logsOf([create, buy]) });
    expect(frames.read(raw, times)).toMatchObject({ observations: [{ kind: 'created' }, { kind: 'trade' }] });
    expect(frames.read(raw, times)).toMatchObject({ observations: [] });
    expect(frames.counts()).toMatchObject({ events: 2, duplicate: 2 });
  });

  test('but two equal events of one transaction twice', () => {
    const frame = live().read(frameOf({ signature: 'a', slot: 1, logs: logsOf([buy, buy]) }), times);
    expect(frame).toMatchObject({ observations: [{ chain: { index: 0 } }, { chain: { index: 1 } }] });
  });

  test('for truncated logs followed by the fetched transaction', () => {
    const frames = live();
    const logs = logsOf([create, buy, buy]);
    const cut = frames.read(frameOf({ signature: 'a', slot: 1, logs: [...logs.slice(0, 2), 'Log truncated'] }), times);
    expect(cut).toMatchObject({ truncated: true, observations: [{ kind: 'created', chain: { index: 0 } }] });
    expect(frames.isRead('a')).toBe(false);
    const rest = frames.readTransaction('a', { slot: 1, meta: { err: null, logMessages: logs } }, times);
    expect(rest).toMatchObject([{ chain: { index: 1 } }, { chain: { index: 2 } }]);
    expect(frames.isRead('a')).toBe(true);
  });

  test('treats missing logs as truncated logs', () => {
    const frame = live().read(frameOf({ signature: 'a', slot: 1, logs: null }), times);
    expect(frame).toMatchObject({ kind: 'transaction', truncated: true, observations: [] });
  });

  test('forgets the oldest events beyond its limit', () => {
    const frames = createFrames({ source: 'solana', cluster: 'mainnet', limit: 3 });
    const read = (signature: string) => {
      const frame = frames.read(frameOf({ signature, slot: 1, logs: logsOf([buy]) }), times);
      return frame.kind === 'transaction' ? frame.observations.length : -1;
    };
    expect(['a', 'b', 'c', 'a'].map(read)).toEqual([1, 1, 1, 0]);
    expect(['d', 'a'].map(read)).toEqual([1, 1]);
  });
});

describe('never throws', () => {
  test.each([
    '',
    'not JSON',
    'null',
    '[]',
    '{}',
    '42',
    '{"method":"logsNotification"}',
    '{"method":"logsNotification","params":{"result":{"context":{"slot":-1},"value":{"signature":"a","err":null,"logs":[]}}}}',
    '{"method":"logsNotification","params":{"result":{"context":{"slot":1},"value":{"signature":"a","err":null,"logs":[1]}}}}',
    '{"__proto__":{"method":"x"}}',
  ])('%s is garbage', (raw) => {
    const frames = live();
    expect(frames.read(raw, times)).toEqual({ kind: 'garbage' });
    expect(frames.counts().garbage).toBe(1);
  });

  test('keeps the code of a refusal', () => {
    const raw = '{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params"},"id":1}';
    expect(live().read(raw, times)).toEqual({ kind: 'error', id: 1, code: -32_602, message: 'Invalid params' });
  });

  test('ignores another notification', () => {
    expect(live().read('{"jsonrpc":"2.0","method":"slotNotification","params":{}}', times)).toEqual({ kind: 'other' });
  });
});
