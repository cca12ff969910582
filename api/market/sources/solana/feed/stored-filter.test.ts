import { expect, test } from 'vitest';
import type { Observation } from '../../observation.ts';
import type { StoredToken } from '../../source.ts';
import { createStoredFilter } from './stored-filter.ts';

function stored(address: string, lastSignature: string | null): StoredToken {
  return {
    address,
    lastSignature,
    symbol: null,
    creator: null,
    createdAt: 1,
    lastTradeAt: 2,
    stage: 'curve',
    reserves: null,
  };
}

function event(address: string, signature: string): Observation {
  return {
    kind: 'completed',
    source: 'replay',
    at: 1,
    receivedAt: 1,
    address,
    chain: { signature, index: 0, slot: 1 },
  };
}

test('drops everything of a token up to its stored signature', () => {
  const filter = createStoredFilter([stored('A', 's2'), stored('B', 's1')], () => true);
  const passed = [
    filter.apply('s1', [event('A', 's1'), event('B', 's1'), event('C', 's1')]),
    filter.apply('s2', [event('A', 's2'), event('B', 's2')]),
    filter.apply('s3', [event('A', 's3')]),
  ].map((events) => events.map((one) => ('address' in one ? one.address : '')));
  expect(passed).toEqual([['C'], ['B'], ['A']]);
});

test('keeps everything of a token whose stored signature is not read again', () => {
  const filter = createStoredFilter([stored('A', 'elsewhere'), stored('B', null)], (signature) => signature === 's1');
  const events = [event('A', 's1'), event('B', 's1')];
  expect(filter.apply('s1', events)).toEqual(events);
});
