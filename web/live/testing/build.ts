import { base58Of } from '../../../common/testing/base58.ts';
import type { Token, TokenDetail, TokenStats, Trade } from '../../../common/tokens/model.ts';
import type { CreatorRecord } from '../../../common/tokens/wallets/creator.ts';

/** A well-formed address, the same for the same number. */
export function address(number: number): string {
  return base58Of(number, 4) + 'x'.repeat(40);
}

/** The time of all tests, epoch ms. */
export const NOON = Date.parse('2025-06-01T12:00:00.000Z');

/** A token of the simulated market, created `number` minutes before noon by default. */
export function token(number: number, fields: Partial<Token> = {}): Token {
  const createdAt = new Date(NOON - number * 60_000).toISOString();
  return {
    id: address(number),
    address: address(number),
    number: number + 1,
    name: `Token ${number}`,
    symbol: `T${number}`,
    copyOf: null,
    twins: null,
    decimals: 6,
    totalSupply: '1000000000000000',
    creatorAddress: address(number + 50_000),
    createdAt,
    detectedAt: createdAt,
    lastUpdated: createdAt,
    price: 0.000000031,
    initialLiquidity: 2,
    currentLiquidity: 3.25,
    marketCap: 5_200,
    volume: 950,
    holderCount: 24,
    scamProbability: 42,
    riskCoverage: 80,
    riskReason: null,
    growthScore: 12,
    runner: false,
    mightRun: false,
    stage: 'curve',
    migratedAt: null,
    buys: 31,
    sells: 12,
    curveProgress: 31.5,
    highestPrice: 0.000000034,
    developerShare: 1.5,
    insiderShare: 3,
    bundleShare: 6.5,
    topTenShare: 22,
    developerLaunches: 2,
    spark: [
      [0, 0.000000028],
      [60, 0.00000003],
      [120, 0.000000031],
    ],
    metadata: { source: 'simulator', detectedBy: 'simulator', cluster: null, uri: null, quote: 'SOL' },
    version: 1,
    ...fields,
  };
}

export function stats(fields: Partial<TokenStats> = {}): TokenStats {
  return {
    total: 1_234,
    newLastHour: 56,
    runners: 3,
    mightRun: 2,
    launches: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    simulated: true,
    solUsd: { rate: 150, at: new Date(NOON).toISOString(), source: 'env' },
    ...fields,
  };
}

export function trade(number: number, fields: Partial<Trade> = {}): Trade {
  return {
    id: `trade-${number}`,
    at: new Date(NOON + number * 1_000).toISOString(),
    side: 'buy',
    wallet: address(90_000 + number),
    sol: 0.5,
    tokens: 12_345,
    price: 0.000000032,
    signature: null,
    slot: null,
    ...fields,
  };
}

export function detail(number: number, fields: Partial<TokenDetail> = {}): TokenDetail {
  return {
    ...token(number),
    risk: {
      score: 42,
      coverage: 80,
      reason: 'developerStake',
      rulesVersion: 1,
      known: 8,
      total: 10,
      factors: [
        {
          id: 'creatorHolds',
          label: 'Creator holds much of the supply',
          state: 'risk',
          points: 12,
          maxPoints: 20,
          evidence: 'Creator holds 12.4 % of the supply (limit 10 %).',
          source: address(number + 50_000),
          readAt: new Date(NOON).toISOString(),
          hard: false,
          standard: false,
        },
        {
          id: 'mintAuthority',
          label: 'Mint authority is live',
          state: 'clear',
          points: 0,
          maxPoints: 25,
          evidence: 'The mint authority is revoked.',
          source: 'mint account',
          readAt: new Date(NOON).toISOString(),
          hard: true,
          standard: false,
        },
        {
          id: 'topTen',
          label: 'Ten wallets hold much of the supply',
          state: 'unknown',
          points: 0,
          maxPoints: 15,
          evidence: 'Not read yet.',
          source: null,
          readAt: null,
          hard: false,
          standard: false,
        },
      ],
    },
    creationSigner: address(number + 50_000),
    bondingCurve: address(number + 60_000),
    pool: null,
    mintAuthority: 'revoked',
    freezeAuthority: null,
    figuresAsOf: { price: null, liquidity: null, marketCap: null },
    tradesMissed: 0,
    holdersFrom: 'trades',
    solUsd: { rate: 150, at: new Date(NOON).toISOString(), source: 'env' },
    times: { created: NOON, received: NOON + 120, stored: NOON + 180, published: NOON + 190 },
    ...fields,
  };
}

/** A creator without other coins. */
export const noCoins: CreatorRecord = {
  wallet: address(7),
  launched: 0,
  hasMore: false,
  migrated: 0,
  drained: 0,
  drainedWithinHour: 0,
  coins: [],
};
