import type { Connection } from 'mongoose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../common/time.ts';
import { isMightRun, isRunner } from '../../common/tokens/lists.ts';
import { ensureIndexes } from '../platform/database.ts';
import { connectTestDatabase } from '../testing/database.ts';
import { explainer } from '../testing/explain.ts';
import { addressNumber, nothingLive, tokenRecord } from '../testing/tokens.ts';
import { tokenModels } from '../tokens/model.ts';
import type { TokenRecord } from '../tokens/record.ts';
import { cacheTokenCounts, countTokens } from './token-counts.ts';

const NOW = Date.now();

let connection: Connection;
let tokens: ReturnType<typeof tokenModels>['tokens'];

beforeEach(async () => {
  connection = await connectTestDatabase({ monitorCommands: true });
  ({ tokens } = tokenModels(connection));
  await ensureIndexes(tokens);
});
afterEach(() => connection.close());

/** A token of `age` ms without figures. */
function token(number: number, age: number, overrides: Partial<TokenRecord> = {}): TokenRecord {
  const figures = { price: null, holderCount: null, liquidityLamports: null, outsideBuyers: 10 };
  return tokenRecord(number, { createdAt: NOW - age, ...figures, ...overrides });
}

/** A token with an unknown creation time. */
const undated = (number: number, overrides: Partial<TokenRecord>) => ({
  ...token(number, 0, { listedAt: NOW - MINUTE, ...overrides }),
  createdAt: null,
});

async function count(...records: TokenRecord[]) {
  await tokens.insertMany(records);
  return countTokens({ tokens, market: nothingLive }, NOW);
}

describe('countTokens', () => {
  test('counts nothing without tokens', async () => {
    const counts = await count();
    expect(counts).toMatchObject({ tokenStats: { totalTokens: 0, withCreationDate: 0 }, sampleRunnerTokens: [] });
  });

  test('counts tokens, flags, and ages within 30 min, 1 h, 2 h and 8 h [S3-54, S9-09]', async () => {
    const ages = [29, 30, 31, 60, 61, 120, 121, 480, 481].map((minutes, index) => token(index, minutes * MINUTE));
    const { tokenStats, flagged, byAge } = await count(
      ...ages,
      undated(20, { runner: true }),
      undated(21, { mightRun: true }),
    );
    expect(tokenStats).toEqual({ totalTokens: 11, withCreationDate: 9 });
    expect(flagged).toEqual({ mightRunInDb: 1, runnerInDb: 1 });
    expect(byAge).toEqual({ within30Min: 2, within1Hour: 4, within2Hours: 6, within8Hours: 8 });
  });

  test('counts tokens by figure; unknown and 0 do not count [S3-55]', async () => {
    const zero = { volumeUsd: 0, marketCapUsd: 0, holderCount: 0, liquidityLamports: 0 };
    const { metrics } = await count(
      token(1, MINUTE),
      token(2, MINUTE, zero),
      token(3, MINUTE, { volumeUsd: 5, lastTradeAt: NOW - 23 * HOUR }),
      // Stored a day ago: nothing was traded in the 24 hours since.
      token(7, 30 * HOUR, { volumeUsd: 5, lastTradeAt: NOW - 25 * HOUR }),
      token(4, MINUTE, { marketCapUsd: 5, price: 2, spark: [{ at: NOW, price: 1 }] }),
      token(5, MINUTE, {
        volumeUsd: 1,
        lastTradeAt: NOW,
        marketCapUsd: 1,
        holderCount: 3,
        liquidityLamports: 100,
        price: 1,
      }),
      token(6, MINUTE, { price: 1, spark: [{ at: NOW, price: 0 }] }),
    );
    expect(metrics).toEqual({
      withVolume: 2,
      withMarketCap: 2,
      withBoth: 1,
      withHolders: 1,
      withPriceChange: 2,
      withLiquidity: 1,
    });
  });

  test('finds the tokens that meet the criteria, flagged or not, with samples [S3-56, S3-57, S3-58]', async () => {
    const figures = { marketCapUsd: 500_000, volumeUsd: 1_250_000, symbol: 'RUN' };
    const runner = { growthScore: 31, price: 3, liquidityLamports: 7e9, holderCount: 9, symbol: ' ' };
    const { potential, sampleMightRunTokens, sampleRunnerTokens } = await count(
      token(1, 90 * MINUTE, figures),
      token(2, 90 * MINUTE, { ...figures, volumeUsd: 1_249_999 }),
      token(3, 121 * MINUTE, figures),
      token(4, MINUTE, { ...runner, spark: [{ at: NOW, price: 2 }] }),
      token(5, MINUTE, { growthScore: 30 }),
    );
    expect(potential).toEqual({ meetMightRunCriteria: 1, meetRunnerCriteria: 1, inMightRunTimeframe: 2 });
    expect(sampleMightRunTokens).toEqual([
      {
        symbol: 'RUN',
        address: addressNumber(1),
        age: 90 * MINUTE,
        marketCap: 500_000,
        volume: 1_250_000,
        volumeToMarketCapRatio: 2.5,
      },
    ]);
    expect(sampleRunnerTokens).toEqual([
      {
        symbol: null,
        address: addressNumber(4),
        liquidity: 7,
        volume: null,
        priceChange: 50,
        holders: 9,
        marketCap: null,
      },
    ]);
  });

  test('shows samples with the figures in memory, which are newer than the stored ones', async () => {
    const figures = { marketCapUsd: 500_000, volumeUsd: 1_250_000 };
    const runner = { growthScore: 31, price: 3, spark: [{ at: NOW, price: 2 }] };
    const stored = [token(1, 90 * MINUTE, figures), token(2, MINUTE, runner)];
    await tokens.insertMany(stored);
    const newer = { marketCapUsd: 600_000, volumeUsd: 1_800_000, price: 8, holderCount: 9 };
    const live = new Map(stored.map((record) => [record._id, { ...record, ...newer }]));
    const market = { liveRecord: (address: string) => live.get(address) };
    const { sampleMightRunTokens, sampleRunnerTokens } = await countTokens({ tokens, market }, NOW);
    expect(sampleMightRunTokens).toMatchObject([
      { address: addressNumber(1), age: 90 * MINUTE, marketCap: 600_000, volumeToMarketCapRatio: 3 },
    ]);
    expect(sampleRunnerTokens).toMatchObject([{ address: addressNumber(2), holders: 9, priceChange: 300 }]);
  });

  test('applies the same criteria as the lists', async () => {
    const ages = [0.9, 59, 60, 58, 61, 119, 120, 121].map((minutes) => minutes * MINUTE);
    const caps = [null, 399_999, 400_000, 1_000_000, 1_000_001];
    const records = [...ages, null].flatMap((age, row) =>
      caps.map((marketCapUsd, column) => {
        const volumeUsd = (marketCapUsd ?? 0) * 2.5 - (column === 3 ? row % 2 : 0);
        const figures = {
          marketCapUsd,
          volumeUsd,
          growthScore: column === 0 ? null : 29 + column,
          outsideBuyers: 9 + (row % 4),
          drained: row === 5,
        };
        const number = row * caps.length + column;
        return age === null ? undated(number, figures) : token(number, age, figures);
      }),
    );
    const { potential } = await count(...records);
    expect(potential).toMatchObject({
      meetMightRunCriteria: records.filter((record) => isMightRun(record, NOW)).length,
      meetRunnerCriteria: records.filter((record) => isRunner(record, NOW)).length,
    });
    expect(potential.meetMightRunCriteria).toBeGreaterThan(4);
    expect(potential.meetRunnerCriteria).toBeGreaterThan(4);
  });

  test('returns the newest tokens as samples, read by an index', async () => {
    await tokens.insertMany(
      Array.from({ length: 50 }, (_, number) => token(number, MINUTE + number * SECOND, { growthScore: 90 })),
    );
    const plans = await explainer(connection).plans(() => countTokens({ tokens, market: nothingLive }, NOW));
    expect(plans).toHaveLength(3);
    expect(plans.filter((stages) => stages.includes('IXSCAN') && !stages.includes('SORT'))).toHaveLength(2);
    const { sampleRunnerTokens } = await countTokens({ tokens, market: nothingLive }, NOW);
    expect(sampleRunnerTokens.map(({ address }) => address)).toEqual(
      Array.from({ length: 10 }, (_, number) => addressNumber(number)),
    );
  });
});

describe('cacheTokenCounts', () => {
  test('reuses the counts until they are cleared', async () => {
    const counts = cacheTokenCounts({ tokens, market: nothingLive }, { now: () => NOW });
    const total = async () => (await counts.read()).tokenStats.totalTokens;
    expect(await total()).toBe(0);
    await tokens.create(token(1, HOUR));
    expect(await total()).toBe(0);
    counts.clear();
    expect(await total()).toBe(1);
  });
});
