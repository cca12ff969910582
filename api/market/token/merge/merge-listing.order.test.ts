import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../../../../common/testing/effort.ts';
import type { ListedObservation, SourceName } from '../../sources/observation.ts';
import { comparable, recordOf, testEngine } from '../../testing/market.ts';
import { listed, rate, START } from '../../testing/observations.ts';

const sources: SourceName[] = [
  'pumpportal',
  'jupiter',
  'solana-tracker',
  'solscan',
  'dexscreener',
  'rugcheck',
  'solanafm',
];
const maybe = <Value>(...values: Value[]) => fc.option(fc.constantFrom(...values));

const listing = fc.record({
  name: maybe('One', 'Two'),
  symbol: maybe('ONE', 'TWO'),
  uri: maybe('https://one.test', ''),
  creator: maybe('creator1', 'creator2'),
  createdAt: maybe(START - 1_000, START - 90_000_000, START + 9_000_000),
  decimals: maybe(6, 9),
  totalSupply: maybe('1000000000000000', '5'),
  launchpad: maybe('pump.fun', 'raydium'),
  quote: maybe('SOL' as const, 'USDC' as const),
  stage: maybe('curve' as const, 'pool' as const),
  pool: maybe('pool1', 'pool2'),
  price: maybe({ amount: 0.5, in: 'SOL' as const }, { amount: 3, in: 'USD' as const }),
  liquidityLamports: maybe(5_000_000_000, 0),
  initialLiquidityLamports: maybe(1, 2),
  marketCapUsd: maybe(1_000, 2_000),
  volumeUsd: maybe(0, 10_000),
  holderCount: maybe(3, 400),
  facts: fc.record({
    mintAuthority: maybe('live' as const, 'revoked' as const),
    metadataMutable: maybe(true, false),
    metadataFile: maybe(true, false),
    topTen: maybe(10, 80),
    creatorHolds: maybe(0, 30),
    creatorRugged: maybe(0, 3),
  }),
});
/** Reports of each source at different times, as it is polled once at a time. */
const anyReports = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...sources), fc.constantFrom(0, 60_000, 400_000), listing), {
    minLength: 2,
    maxLength: 6,
    selector: ([source, after]) => `${source}${after}`,
  })
  .map((all) =>
    all.map(([source, after, listing]) => listed(listing, { source, at: START + after, receivedAt: START + 500_000 })),
  );

async function merged(reports: readonly ListedObservation[]) {
  const { store, see, tick } = testEngine({ solUsd: null });
  await see(rate(100), ...reports);
  for (let ticks = 0; ticks < 12; ticks += 1) await tick(1_000);
  return comparable(recordOf(store));
}

test('the order of reports of data services does not matter', async () => {
  const shuffled = anyReports.chain((reports) =>
    fc.tuple(
      fc.constant(reports),
      fc.shuffledSubarray(reports, { minLength: reports.length, maxLength: reports.length }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(shuffled, async ([reports, otherwise]) => {
      expect(await merged(otherwise)).toEqual(await merged(reports));
    }),
    { numRuns: rounds(60), seed: 4 },
  );
});
