import { expect, onTestFinished, test } from 'vitest';
import { defaultChannels } from '../../../common/alerts/rules/model.ts';
import { MINUTE } from '../../../common/time.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { createEventBus } from '../../events/bus.ts';
import { fakeClock } from '../../market/testing/market.ts';
import { addressNumber, tokenRecord } from '../../testing/tokens.ts';
import { detectedToken } from '../testing/tokens.ts';
import { createTargetWatch, type TargetRule } from './target-watch.ts';

const address = addressNumber(1);

/** A watch of one coin at a price of 1 SOL with a supply of 1,000 tokens, and events about it. */
function setUp() {
  const clock = fakeClock();
  const bus = createEventBus((error) => {
    throw error;
  });
  const found: string[] = [];
  let rate = 100;
  const watch = createTargetWatch({
    ...{ bus, clock },
    market: {
      liveRecord: () => tokenRecord(1, { price: 1, totalSupply: '1000000', decimals: 3 }),
      solUsd: () => ({ rate, at: '', source: '' }),
    },
    found: ({ id }) => void found.push(id),
  });
  onTestFinished(watch.stop);
  return {
    ...{ clock, watch },
    put(id: string, value: number, fields: Partial<TargetRule> = {}) {
      const rule = { id, address, userId: 'user', channels: defaultChannels, direction: 'up' as const };
      const target = { unit: 'price' as const, value };
      watch.put({ ...rule, target, createdAt: new Date(clock.now()), ...fields });
    },
    /** A trade so many ms from now. */
    trade(price: number, ms = 0) {
      const at = new Date(clock.now() + ms).toISOString();
      const trade = { id: '1', side: 'buy' as const, wallet: 'w', sol: 1, tokens: 1, signature: null, slot: null };
      bus.emit('trade', { address, trades: [{ ...trade, price, at }] });
    },
    change(fields: Partial<Token>, number = 1) {
      const token = detectedToken(number, clock.now(), fields);
      bus.emit('token-changed', { at: clock.now(), changes: [{ token, isNew: false, isComplete: true }] });
    },
    setRate(changed: number) {
      rate = changed;
      watch.advance();
    },
    found: () => found.splice(0),
  };
}

const marketCap = (value: number) => ({ target: { unit: 'market-cap' as const, value } });

test('a price or market cap that changes without a trade reaches a target, of its coin alone', () => {
  const { put, change, found } = setUp();
  put('price', 2);
  put('cap', 0, marketCap(150_000));
  change({ price: 3, marketCap: 300_000 }, 2);
  change({ price: null, marketCap: null });
  change({ price: 1.9, marketCap: 149_999 });
  expect(found()).toEqual([]);
  change({ price: 2, marketCap: 149_999 });
  expect(found()).toEqual(['price']);
  change({ price: 2, marketCap: 150_000 });
  expect(found()).toEqual(['cap']);
});

test('a change of the SOL rate reaches a target in dollars', () => {
  const { put, setRate, found } = setUp();
  put('price', 1.2);
  put('cap', 0, marketCap(150_000));
  put('fall', 0, { ...marketCap(90_000), direction: 'down' });
  setRate(149);
  expect(found()).toEqual([]);
  setRate(150);
  expect(found()).toEqual(['cap']);
  setRate(90);
  expect(found()).toEqual(['fall']);
});

test('a late trade from before the alert was set up does not reach it', () => {
  const { clock, put, trade, found } = setUp();
  clock.pass(MINUTE);
  put('one', 2);
  trade(3, -1_001);
  expect(found()).toEqual([]);
  clock.pass(MINUTE);
  trade(3, -30_000);
  expect(found()).toEqual(['one']);
});

test('a found alert is compared again only after a rest, and not after it was removed', () => {
  const { clock, watch, put, trade, found } = setUp();
  put('one', 2);
  trade(2);
  trade(2);
  expect(found()).toEqual(['one']);
  watch.rest('one');
  clock.pass(MINUTE - 1);
  trade(2);
  expect(found()).toEqual([]);
  clock.pass(1);
  trade(2);
  expect(found()).toEqual(['one']);
  watch.remove('one');
  watch.rest('one');
  clock.pass(MINUTE);
  trade(2);
  expect(found()).toEqual([]);
});
