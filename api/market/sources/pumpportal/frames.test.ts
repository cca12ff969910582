import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../../common/testing/effort.ts';
import { recordOf, testEngine } from '../../testing/market.ts';
import { address, created, START } from '../../testing/observations.ts';
import { createPortalFrames } from './frames.ts';

const NOW = 1_785_412_801_234;

function fixture(name: string): string {
  return readFileSync(path.join(import.meta.dirname, 'fixtures', name), 'utf8');
}

function read(raw: string) {
  return createPortalFrames().read(raw, NOW);
}

describe('launches', () => {
  test('of pump.fun, with the creator’s first buy in them', () => {
    expect(read(fixture('create.json'))).toEqual({
      kind: 'event',
      launched: '97QUsKyZ1tDbBkWzowCixaZHPfMHz3ME8LQzwa9Upump',
      observations: [
        {
          kind: 'listed',
          source: 'pumpportal',
          mayBegin: true,
          address: '97QUsKyZ1tDbBkWzowCixaZHPfMHz3ME8LQzwa9Upump',
          // Frames have no time, so the receive time counts.
          at: NOW,
          receivedAt: NOW,
          listing: {
            name: 'Smooth Like Butter',
            symbol: 'SLB',
            uri: 'https://ipfs.io/ipfs/bafkreic43ynnj6d2ck6yjzcw5jfal6zerujcnr2z4bjrn2fhbjltzclu34',
            creator: 'HpARLxzXXfsssHUqzKE1mDC7CNF19vwQArdAvKSbwoF3',
            createdAt: NOW,
            decimals: 6,
            totalSupply: '1000000000000000',
            bondingCurve: 'Cm7tEVsTyyTXtCqsAsEg5SBB3sjoqUbJEdb69vUwXqrj',
            launchpad: 'pump.fun',
            quote: 'SOL',
            stage: 'curve',
            price: { amount: 30.79012345499999 / 1_045_465_116.339853, in: 'SOL' },
            // The real side only: 30 SOL of the 30.79 are virtual.
            liquidityLamports: 790_123_455,
            initialLiquidityLamports: 790_123_455,
            facts: { metadataFile: true },
          },
        },
      ],
    });
  });

  test('of letsbonk.fun, whose frames have other fields', () => {
    expect(read(fixture('create_bonk.json'))).toMatchObject({
      observations: [
        {
          listing: {
            launchpad: 'letsbonk.fun',
            bondingCurve: null,
            liquidityLamports: 890_550_000,
            price: { amount: 2.972713613571716e-8, in: 'SOL' },
          },
        },
      ],
    });
  });

  test('of an unknown launchpad have neither supply nor price', () => {
    const frame = { ...JSON.parse(fixture('create_bonk.json')), pool: 'newpad' };
    expect(read(JSON.stringify(frame))).toMatchObject({
      observations: [{ listing: { launchpad: 'newpad', decimals: null, totalSupply: null, price: null } }],
    });
  });

  test('that name the quote mint as the coin are dropped', () => {
    const frames = createPortalFrames();
    expect(frames.read(fixture('create_usdc_quoted_anomaly.json'), NOW)).toEqual({ kind: 'dropped' });
    expect(frames.counts()).toMatchObject({ 'quote-mint': 1, launches: 0, malformed: 0 });
  });

  test('have unknown values for missing fields', () => {
    const { uri: _, name: __, symbol: ___, vSolInBondingCurve: ____, ...frame } = JSON.parse(fixture('create.json'));
    expect(read(JSON.stringify(frame))).toMatchObject({
      observations: [
        { listing: { name: null, symbol: null, uri: null, liquidityLamports: null, facts: { metadataFile: null } } },
      ],
    });
  });
});

test('a migration moves a known coin to a pool and creates none', () => {
  expect(read(fixture('migrate.json'))).toMatchObject({
    launched: null,
    observations: [{ kind: 'listed', mayBegin: false, listing: { stage: 'pool' } }],
  });
});

describe('trades', () => {
  const sell = fixture('trade_sell_2026_shape.json');

  test('have the reserves afterwards', () => {
    expect(read(sell)).toMatchObject({
      observations: [
        {
          kind: 'trade',
          source: 'pumpportal',
          side: 'sell',
          wallet: 'C5L6s5E8zU8iZbYjPcZnYZzNvD2yZQeh2kyGq72qxmu6',
          quoteAmount: 1_250_000_000,
          tokenAmount: 40_787_339_576_274,
          reserves: {
            virtualQuote: 30_790_123_455,
            virtualToken: 1_045_465_116_339_853,
            realQuote: 790_123_455,
            realToken: 765_565_116_339_853,
          },
        },
      ],
    });
  });

  test('are two in one transaction, and one when repeated', () => {
    const frames = createPortalFrames();
    const second = JSON.stringify({ ...JSON.parse(sell), vSolInBondingCurve: 30.5 });
    expect([sell, second, sell].map((raw) => frames.read(raw, NOW).kind)).toEqual(['event', 'event', 'dropped']);
    expect(frames.counts()).toMatchObject({ trades: 2, duplicate: 1 });
  });

  test('are malformed without amounts, as in older frames, and unusable in a pool', () => {
    const frames = createPortalFrames();
    expect(frames.read(fixture('trade_buy.json'), NOW).kind).toBe('malformed');
    expect(frames.read(JSON.stringify({ ...JSON.parse(sell), pool: 'pump-amm' }), NOW).kind).toBe('dropped');
    expect(frames.counts()).toMatchObject({ malformed: 1, unusable: 1 });
  });
});

test('reads acknowledgements and notices', () => {
  expect(read(fixture('ack_subscribeNewToken.json'))).toEqual({ kind: 'accepted' });
  expect(read(fixture('ack_subscribeMigration.json'))).toEqual({ kind: 'accepted' });
  expect(read(fixture('error_trade_needs_funded_key.json'))).toMatchObject({ kind: 'notice' });
});

test('reads every launch of a recorded session except those with USDC as the coin', () => {
  const frames = createPortalFrames();
  const lines: { raw: string }[] = fixture('session_excerpt.jsonl')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  for (const { raw } of [...lines, ...lines]) frames.read(raw, NOW);
  expect(frames.counts()).toEqual({
    launches: 24,
    migrations: 4,
    trades: 0,
    duplicate: 28,
    'quote-mint': 2,
    unusable: 0,
    malformed: 0,
  });
});

test('throws for no frame and counts malformed ones', () => {
  const create = JSON.parse(fixture('create.json'));
  const broken = fc.tuple(fc.constantFrom(...Object.keys(create)), fc.jsonValue());
  const raws = fc.oneof(
    fc.string(),
    fc.json(),
    broken.map(([key, value]) => JSON.stringify({ ...create, [key]: value })),
  );
  const frames = createPortalFrames();
  let malformed = 0;
  fc.assert(
    fc.property(raws, (raw) => {
      if (frames.read(raw, NOW).kind === 'malformed') malformed += 1;
      expect(frames.counts().malformed).toBe(malformed);
    }),
    { numRuns: rounds(500) },
  );
});

/** Returns PumpPortal's launch of the coin that `created()` makes. */
function launch(receivedAt: number) {
  const raw = fixture('create.json').replace(/"mint": *"\w+"/, `"mint":"${address(1)}"`);
  const frame = createPortalFrames().read(raw, receivedAt);
  if (frame.kind !== 'event') throw new Error('no event');
  return frame.observations;
}

test.each(['PumpPortal', 'the chain'])('merges a launch first reported by %s into one coin', async (first) => {
  const { see, store } = testEngine();
  const late = launch(START + 1_500);
  if (first === 'PumpPortal') {
    await see(...late);
    // Without trades the holders are unknown.
    expect(recordOf(store)).toMatchObject({ complete: false, holderCount: null, createdAt: START + 1_500 });
  }
  await see(created());
  if (first === 'the chain') await see(...late);
  expect(store.records.size).toBe(1);
  expect(recordOf(store)).toMatchObject({ name: 'Pepe Coin', createdAt: START, complete: true, holderCount: 0 });
});
