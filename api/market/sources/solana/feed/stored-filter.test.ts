import { expect, test } from 'vitest';
import type { Observation } from '../../observation.ts';
import { storedToken } from '../../testing/stored-token.ts';
import { createStoredFilter } from './stored-filter.ts';

const stored = (address: string, lastSignature: string | null) => storedToken(0, { address, lastSignature });

function event(address: string, signature: string): Observation {
  const chain = { signature, index: 0, slot: 1 };
  return { kind: 'completed', source: 'replay', at: 1, receivedAt: 1, address, chain };
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
