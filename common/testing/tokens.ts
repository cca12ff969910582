import type { Token } from '../tokens/model.ts';
import { base58Of } from './base58.ts';

/** Returns a token with few known values, a different one for every number. */
export function tokenOf(number: number, overrides: Partial<Token> = {}): Token {
  const at = new Date(1_700_000_000_000 + number).toISOString();
  return {
    id: String(number),
    address: base58Of(number, 40),
    number: number + 1,
    name: `Token ${number}`,
    symbol: `T${number}`,
    copyOf: null,
    twins: null,
    decimals: 6,
    totalSupply: '1000000000000000',
    creatorAddress: null,
    createdAt: at,
    detectedAt: at,
    lastUpdated: at,
    price: null,
    initialLiquidity: null,
    currentLiquidity: null,
    marketCap: null,
    volume: null,
    holderCount: null,
    scamProbability: null,
    riskCoverage: 0,
    riskReason: null,
    growthScore: null,
    runner: false,
    mightRun: false,
    stage: 'curve',
    migratedAt: null,
    buys: null,
    sells: null,
    curveProgress: null,
    highestPrice: null,
    developerShare: null,
    insiderShare: null,
    bundleShare: null,
    topTenShare: null,
    developerLaunches: null,
    spark: [],
    metadata: { source: 'test', detectedBy: 'test', cluster: null, uri: null, quote: 'SOL' },
    version: 1,
    ...overrides,
  };
}
