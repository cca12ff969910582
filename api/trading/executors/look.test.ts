import { expect, test } from 'vitest';
import { RpcError } from '../../chain/rpc-error.ts';
import { sentAttempt } from '../testing/order-record.ts';
import { createLook } from './look.ts';

const attempt = (signature: string) => sentAttempt({ signature });

test('reports a verdict that it cannot read once for each signature, and no node that is away', async () => {
  const reported: [signature: string, name: string][] = [];
  const look = createLook({
    node: {
      finalized: async () => ({ height: 1, slot: 1 }),
      sightings: async (signatures) => ({
        seen: new Map(signatures.map((signature) => [signature, { isSettled: true, error: null }])),
        slot: 1,
      }),
      transaction: async (signature) => {
        if (signature === 'away') throw new RpcError('network');
        throw signature === 'odd' ? new RangeError('out of range') : new TypeError('not a transaction');
      },
    },
    blocksOfLag: 0,
    resultOf: () => null,
    onUnreadable: (error, { signature }) =>
      reported.push([signature, error instanceof Error ? error.constructor.name : '']),
  });
  for (let time = 0; time < 3; time += 1) {
    expect(await look([attempt('away'), attempt('odd'), attempt('broken')])).toEqual(new Map());
  }
  expect(reported).toEqual([
    ['odd', 'RangeError'],
    ['broken', 'TypeError'],
  ]);
});
