import { expect, test } from 'vitest';
import type { Observation } from '../../observation.ts';
import type { StoredToken } from '../../source.ts';
import { createResume } from './stored-filter.ts';

function known(address: string, lastSignature: string | null): StoredToken {
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

test('everything of a token up to its stored signature is dropped, the rest is told', () => {
  const resume = createResume([known('A', 's2'), known('B', 's1')], () => true);
  const told = [
    resume.fresh('s1', [event('A', 's1'), event('B', 's1'), event('C', 's1')]),
    resume.fresh('s2', [event('A', 's2'), event('B', 's2')]),
    resume.fresh('s3', [event('A', 's3')]),
  ].map((events) => events.map((one) => ('address' in one ? one.address : '')));
  expect(told).toEqual([['C'], ['B'], ['A']]);
});

test('a token whose stored signature does not come is told whole', () => {
  const resume = createResume([known('A', 'elsewhere'), known('B', null)], (signature) => signature === 's1');
  const events = [event('A', 's1'), event('B', 's1')];
  expect(resume.fresh('s1', events)).toEqual(events);
});
