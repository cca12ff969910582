import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type NumberedPatch, patchableFields } from '../tokens/model.ts';
import { riskReasonSchema } from '../tokens/risk/reason.ts';
import {
  bitFields,
  decodeUpdates,
  encodeUpdates,
  isUpdateArrays,
  type NumberedUpdates,
  tokenUpdateArraysSchema,
} from './token-updates.ts';

const positive = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const text = fc.option(fc.string());
// JSON has no negative zero.
const figure = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0));
const percent = fc.double({ min: 0, max: 100, noNaN: true }).map((value) => value + 0);

const patch: fc.Arbitrary<NumberedPatch> = fc.record(
  {
    number: positive,
    version: positive,
    name: text,
    symbol: text,
    copyOf: text,
    twins: fc.option(fc.tuple(fc.integer({ min: 1 }), fc.integer({ min: 2 }))),
    decimals: fc.option(fc.nat()),
    totalSupply: fc.option(fc.bigInt({ min: 0n }).map(String)),
    creatorAddress: text,
    createdAt: fc.option(fc.date({ noInvalidDate: true }).map((date) => date.toISOString())),
    price: figure,
    initialLiquidity: figure,
    currentLiquidity: figure,
    marketCap: figure,
    volume: figure,
    holderCount: fc.option(fc.nat()),
    scamProbability: fc.option(percent),
    riskCoverage: percent,
    riskReason: fc.option(fc.constantFrom(...riskReasonSchema.options)),
    growthScore: fc.option(percent),
    runner: fc.boolean(),
    mightRun: fc.boolean(),
    stage: fc.constantFrom('curve', 'complete', 'pool'),
    migratedAt: fc.option(fc.date({ noInvalidDate: true }).map((date) => date.toISOString())),
    buys: fc.option(fc.nat()),
    sells: fc.option(fc.nat()),
    curveProgress: fc.option(percent),
    highestPrice: figure,
    developerShare: fc.option(percent),
    insiderShare: fc.option(percent),
    bundleShare: fc.option(percent),
    topTenShare: fc.option(percent),
    developerLaunches: fc.option(fc.nat()),
    metadata: fc.record({
      source: fc.string(),
      detectedBy: fc.string(),
      cluster: fc.option(fc.constantFrom('mainnet', 'devnet', 'local')),
      uri: text,
      quote: fc.constantFrom('SOL', 'USDC', 'other'),
    }),
  },
  { requiredKeys: ['number', 'version'] },
);

const updates: fc.Arbitrary<NumberedUpdates> = fc.record({
  seq: positive,
  at: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  solUsd: fc.option(fc.double({ min: 0.001, max: 1e6, noNaN: true })),
  patches: fc.array(patch),
});

test('every field of a patch has its bit', () => {
  expect([...bitFields].sort()).toEqual([...patchableFields].sort());
  expect(new Set(bitFields).size).toBe(bitFields.length);
  // Bits are read as integers of 32 bits.
  expect(bitFields.length).toBeLessThanOrEqual(32);
});

test('updates of any fields are the same after the way over the wire', () => {
  fc.assert(
    fc.property(updates, (event) => {
      const wire: unknown = JSON.parse(JSON.stringify(encodeUpdates(event)));
      expect(isUpdateArrays(wire)).toBe(true);
      expect(decodeUpdates(tokenUpdateArraysSchema.parse(wire))).toEqual(event);
    }),
  );
});

test('an undefined field counts as absent, and a bit of a later version is left out', () => {
  const event = { seq: 1, at: 2, solUsd: null, patches: [{ number: 3, version: 4, price: undefined, volume: null }] };
  const encoded = encodeUpdates(event);
  expect(encoded).toEqual([1, 2, null, [[3, 4, 4, null]]]);
  encoded[3][0] = [3, 4, 4 + 2 ** 32, null, 'later'];
  expect(decodeUpdates(encoded).patches).toEqual([{ number: 3, version: 4, volume: null }]);
});

test('a trade takes less than 60 bytes', () => {
  const { patches } = {
    patches: [
      {
        number: 512_345,
        version: 1_234,
        price: 2.81234e-8,
        currentLiquidity: 12.3456,
        volume: 12_345.6,
        holderCount: 123,
      },
    ],
  };
  const [bytes] = encodeUpdates({ seq: 1, at: 2, solUsd: null, patches })[3].map((one) => JSON.stringify(one).length);
  expect(bytes).toBeLessThan(60);
});
