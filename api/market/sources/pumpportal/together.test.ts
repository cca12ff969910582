import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { recordOf, testEngine } from '../../testing/market.ts';
import { address, created, START } from '../../testing/observations.ts';
import { createPortalFrames } from './frames.ts';

const raw = readFileSync(path.join(import.meta.dirname, 'fixtures/create.json'), 'utf8');

/** The launch as PumpPortal tells it, of the coin that `created()` makes. */
function launch(receivedAt: number) {
  const frame = createPortalFrames().read(raw.replace(/"mint": *"\w+"/, `"mint":"${address(1)}"`), receivedAt);
  if (frame.kind !== 'event') throw new Error('no event');
  return frame.observations;
}

test.each(['PumpPortal', 'the chain'])(
  'a launch that %s tells first is one coin, as the chain tells it',
  async (first) => {
    const { see, store } = testEngine();
    const late = launch(START + 1_500);
    if (first === 'PumpPortal') {
      await see(...late);
      // It tells no trades, so that nobody knows who holds the coin.
      expect(recordOf(store)).toMatchObject({ complete: false, holderCount: null, createdAt: START + 1_500 });
    }
    await see(created());
    if (first === 'the chain') await see(...late);
    expect(store.records.size).toBe(1);
    expect(recordOf(store)).toMatchObject({ name: 'Pepe Coin', createdAt: START, complete: true, holderCount: 0 });
  },
);
