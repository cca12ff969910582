import { beforeAll, describe, expect, test } from 'vitest';
import { ruleCalls } from '../../common/rules/http.ts';
import type { Configuration, StrategyType } from '../../common/strategies/model.ts';
import { type Preview, previewSchema } from '../../common/strategies/preview.ts';
import { HOUR, MINUTE } from '../../common/time.ts';
import { RISK_RULES_VERSION } from '../../common/tokens/risk/score.ts';
import { startTestServer, testServer } from '../test-server.ts';
import { addressNumber, sampleRecord, tokenRecord } from '../testing/tokens.ts';
import { tokenModels } from '../tokens/model.ts';
import type { TokenRecord } from '../tokens/record.ts';

const SOL = 1_000_000_000;
const now = Date.now();
/** Detection time of the tokens. */
const detected = now - 2 * HOUR;

let cookie: string;

/** Returns a sample `at` minutes after detection. */
function minute(number: number, at: number, price: number | null, liquidity: number | null, holders: number | null) {
  const record = sampleRecord(addressNumber(number), 'minute', new Date(detected + at * MINUTE));
  return { ...record, price, liquidityLamports: liquidity === null ? null : liquidity * SOL, holders };
}

function token(number: number, overrides: Partial<TokenRecord>): TokenRecord {
  return tokenRecord(number, {
    createdAt: detected,
    lastUpdated: detected,
    initialLiquidityLamports: null,
    price: null,
    liquidityLamports: null,
    holderCount: null,
    ...overrides,
  });
}

const stored = [
  // Falls, then doubles. Low risk.
  token(1, { riskScore: 20, initialLiquidityLamports: SOL }),
  // Rises slowly with a thin pool. High risk.
  token(2, { riskScore: 80, initialLiquidityLamports: 0.1 * SOL }),
  // All figures are unknown: its score is of earlier rules.
  token(3, { riskScore: 0, riskRulesVersion: RISK_RULES_VERSION - 1 }),
  // Older than the time span.
  token(4, { createdAt: now - 9 * HOUR, listedAt: now - 9 * HOUR, riskScore: 0 }),
];
const samples = [
  minute(1, 1, 0.000_1, 1, 1),
  minute(1, 2, 0.000_05, 2, 10),
  minute(1, 3, 0.000_06, 5, 13),
  minute(1, 30, 0.000_1, 4, 50),
  minute(1, 40, 0.000_07, 3, 49),
  minute(2, 1, 0.000_2, 0.2, 2),
  minute(2, 20, 0.000_21, 0.3, 5),
  minute(2, 40, 0.000_22, 0.4, null),
];

const server = await testServer();
beforeAll(async () => {
  cookie = await server.register('Trader');
  const models = tokenModels(server.connection);
  await models.tokens.insertMany(stored);
  await models.samples.insertMany(samples);
});

/** Amounts of a strategy or rule. */
const orders = { buyAmount: 0.1, maxSlippage: 5 };
/** Fields of a strategy that buys whatever the risk. */
const anyRisk = { buyUnknownRisk: true };

async function preview(
  type: StrategyType,
  configuration: Configuration,
  fields: Record<string, number | boolean> = {},
  as = cookie,
): Promise<Preview> {
  const json = { ...orders, type, configuration, ...fields };
  const reply = await server.fetchJson('/api/buying-strategies/preview', { method: 'POST', json, cookie: as });
  expect(reply).toMatchObject({ status: 200 });
  return previewSchema.parse(reply.body);
}

/** Returns token number and minutes after detection of each purchase, newest first, such as `3 at 1.5`. */
function bought({ buys }: Preview): string[] {
  const numberOf = (address: string) => stored.findIndex(({ _id }) => _id === address) + 1;
  return buys.map(({ address, at }) => `${numberOf(address)} at ${(Date.parse(at) - detected) / MINUTE}`);
}

function iso(minutes: number): string {
  return new Date(detected + minutes * MINUTE).toISOString();
}

describe('the preview of a strategy', () => {
  test.each<[StrategyType, Configuration, string[]]>([
    ['time_based', { timeConfig: { option: 'buy_immediately' } }, ['3 at 0', '2 at 0', '1 at 0']],
    [
      'time_based',
      { timeConfig: { option: 'buy_after_duration', duration: 90 } },
      ['3 at 1.5', '2 at 1.5', '1 at 1.5'],
    ],
    ['time_based', { timeConfig: { option: 'buy_at_time', targetTime: iso(-1) } }, []],
    [
      'time_based',
      { timeConfig: { option: 'buy_within_timeframe', startTime: iso(10), endTime: iso(20) } },
      ['3 at 10', '2 at 10', '1 at 10'],
    ],
    ['price_based', { priceConfig: { option: 'buy_at_fixed_price', targetPrice: 0.000_06 } }, ['1 at 2']],
    [
      'price_based',
      { priceConfig: { option: 'buy_at_percentage_from_low', percentageFromLow: 10 } },
      ['2 at 40', '1 at 3'],
    ],
    ['price_based', { priceConfig: { option: 'buy_at_uptrend', trendPercentage: 20, trendDuration: 60 } }, ['1 at 3']],
    [
      'price_based',
      { priceConfig: { option: 'buy_at_downtrend', trendPercentage: 30, trendDuration: 600 } },
      ['1 at 2'],
    ],
    [
      'liquidity_based',
      { liquidityConfig: { option: 'buy_at_minimum_liquidity', targetLiquidity: 0.3 } },
      ['2 at 20', '1 at 0'],
    ],
    [
      'liquidity_based',
      { liquidityConfig: { option: 'buy_at_liquidity_increase', percentageChange: 150, monitorDuration: 60 } },
      ['1 at 3'],
    ],
    [
      'liquidity_based',
      { liquidityConfig: { option: 'buy_at_liquidity_decrease', percentageChange: 40, monitorDuration: 3600 } },
      ['1 at 40'],
    ],
    ['holder_based', { holderConfig: { option: 'buy_at_minimum_holders', minHolders: 13 } }, ['1 at 3']],
    [
      'holder_based',
      { holderConfig: { option: 'buy_at_holder_increase_rate', increaseRatePercentage: 30, monitorDuration: 60 } },
      // The window includes the value at its start, however old.
      ['2 at 20', '1 at 2'],
    ],
    [
      'mixed',
      {
        timeConfig: { option: 'buy_after_duration', duration: 150 },
        priceConfig: { option: 'buy_at_fixed_price', targetPrice: 0.000_07 },
        requireAllConditions: true,
      },
      ['1 at 2.5'],
    ],
    [
      'mixed',
      {
        liquidityConfig: { option: 'buy_at_minimum_liquidity', targetLiquidity: 5 },
        holderConfig: { option: 'buy_at_minimum_holders', minHolders: 5 },
      },
      ['2 at 20', '1 at 2'],
    ],
    ['mixed', {}, []],
    ['price_based', { priceConfig: { option: 'buy_at_fixed_price' } }, []],
  ])('simulates %s %o [S3-39]', async (type, configuration, purchases) => {
    const found = await preview(type, configuration, anyRisk);
    expect(bought(found)).toEqual(purchases);
    expect(found).toMatchObject({ total: purchases.length, checked: 3, leftOut: 0 });
    expect(Date.parse(found.to) - Date.parse(found.from)).toBe(8 * HOUR);
  });

  test('leaves out a token of unknown risk unless the strategy allows it [D43]', async () => {
    const configuration: Configuration = { timeConfig: { option: 'buy_immediately' } };
    const [careful, bold] = [
      await preview('time_based', configuration),
      await preview('time_based', configuration, anyRisk),
    ];
    expect([careful.total, careful.unknown, bold.total, bold.unknown]).toEqual([2, 1, 3, 0]);
    expect([careful.refusedByRisk, bold.refusedByRisk]).toEqual([1, 0]);
  });

  test('applies the limits of the strategy, which need known values [S3-44]', async () => {
    const configuration: Configuration = { timeConfig: { option: 'buy_immediately' } };
    const byRisk = await preview('time_based', configuration, { maxScamProbability: 20 });
    expect([bought(byRisk), byRisk.unknown]).toEqual([['1 at 0'], 1]);
    // Both would be bought whatever their risk: 80 %, and unknown.
    expect(byRisk.refusedByRisk).toBe(2);
    const byLiquidity = await preview('time_based', configuration, { minLiquidity: 0.2 });
    expect([bought(byLiquidity), byLiquidity.unknown]).toEqual([['2 at 1', '1 at 0'], 1]);
    expect(byLiquidity.refusedByRisk).toBe(0);
    const both = await preview('time_based', configuration, { minLiquidity: 2, maxScamProbability: 50 });
    expect([bought(both), both.unknown]).toEqual([['1 at 2'], 1]);
  });

  test('returns the outcome of a purchase', async () => {
    const priceConfig = { option: 'buy_at_percentage_from_low', percentageFromLow: 20 } as const;
    const held = await preview('price_based', { priceConfig });
    expect(held.buys).toEqual([
      {
        address: addressNumber(1),
        name: 'Coin 1',
        symbol: 'C1',
        at: iso(3),
        price: 0.000_06,
        priceNow: 0.000_07,
        change: 16.6667,
        best: 66.6667,
        worst: 0,
        sold: null,
        // These prices belong to no curve.
        feesLamports: null,
        resultLamports: null,
      },
    ]);
    const profit = await preview('price_based', { priceConfig }, { takeProfit: 50, stopLoss: 10 });
    expect(profit.buys[0]?.sold).toEqual({ by: 'take profit', at: iso(30), change: 66.6667 });
    const all = await preview(
      'time_based',
      { timeConfig: { option: 'buy_immediately' } },
      { ...anyRisk, stopLoss: 50 },
    );
    expect(all.buys.map(({ price, change, worst, sold }) => [price, change, worst, sold])).toEqual([
      [null, null, null, null],
      [0.000_2, 10, 0, null],
      // The price at detection is unknown: the purchase pays the first known one.
      [0.000_1, -30, -50, { by: 'stop loss', at: iso(2), change: -50 }],
    ]);
  });
});

describe('the preview of a rule', () => {
  test('buys at once with enough liquidity and a low enough risk', async () => {
    const json = { ...orders, minLiquidity: 2, maxRisk: 20 };
    const reply = await server.fetchJson(ruleCalls.preview.path, { method: 'POST', json, cookie });
    const found = previewSchema.parse(reply.body);
    expect(bought(found)).toEqual(['1 at 2']);
    expect(found).toMatchObject({ checked: 3, unknown: 1, total: 1 });
  });

  test('refuses an invalid rule and a caller who is not signed in', async () => {
    const bad = await server.fetchJson(ruleCalls.preview.path, {
      method: 'POST',
      json: { ...orders, minLiquidity: -1 },
      cookie,
    });
    expect(bad).toMatchObject({ status: 400, body: { code: 'invalid-input' } });
    const json = { ...orders, minLiquidity: 1, maxRisk: 20 };
    const anonymous = await server.fetchJson(ruleCalls.preview.path, { method: 'POST', json });
    expect(anonymous).toMatchObject({ status: 401 });
  });
});

test('skips blacklisted tokens, and exempts whitelisted ones from the risk limit, for their user only', async () => {
  const other = await server.register('Lister');
  const put = (list: string, number: number) =>
    server.fetchJson(`/api/watchlists/${list}/${addressNumber(number)}`, { method: 'PUT', cookie: other });
  expect((await put('black', 1)).status).toBe(200);
  expect((await put('white', 2)).status).toBe(200);
  const configuration: Configuration = { timeConfig: { option: 'buy_immediately' } };
  const limits = { maxScamProbability: 20 };
  const found = await preview('time_based', configuration, limits, other);
  expect([bought(found), found.checked]).toEqual([['2 at 0'], 2]);
  expect(bought(await preview('time_based', configuration, limits))).toEqual(['1 at 0']);
  // The liquidity limit still applies.
  expect(bought(await preview('time_based', configuration, { ...limits, minLiquidity: 9 }, other))).toEqual([]);
});

test('finds purchases in a running market [S3-39]', async () => {
  const started = Date.now();
  const running = await startTestServer({ env: { MARKET: 'simulator', MARKET_SEED: '7', MARKET_RATE: '60' } });
  try {
    const trader = await running.register('Trader');
    const { tokens } = tokenModels(running.connection);
    // The simulator first reports the hours before the start: a launch after it shows that they are stored.
    const launched = () => tokens.countDocuments({ createdAt: { $gt: started } });
    await expect.poll(launched, { timeout: 50_000 }).toBeGreaterThan(0);
    const json = {
      ...orders,
      type: 'price_based',
      configuration: { priceConfig: { option: 'buy_at_percentage_from_low', percentageFromLow: 20 } },
      takeProfit: 10,
    };
    const reply = await running.fetchJson('/api/buying-strategies/preview', { method: 'POST', json, cookie: trader });
    const found = previewSchema.parse(reply.body);
    expect(found.total).toBeGreaterThan(0);
    expect(found.total).toBeLessThan(found.checked);
    expect(found.buys.length).toBe(Math.min(50, found.total));
    expect(found.uncomputed).toBeLessThan(found.total);
    expect(found.sums.feesLamports).toBeGreaterThan(0);
    expect(found.buys.some(({ sold }) => sold?.by === 'take profit')).toBe(true);
    for (const { price, at } of found.buys) {
      expect(price).toBeGreaterThan(0);
      expect(Date.parse(at)).toBeLessThanOrEqual(Date.parse(found.to));
    }
    expect(found.buys.map(({ at }) => at)).toEqual(
      found.buys
        .map(({ at }) => at)
        .toSorted()
        .reverse(),
    );
  } finally {
    await running.stop();
  }
}, 60_000);
