import { base58Of } from '../../common/testing/base58.ts';
import { HOUR } from '../../common/time.ts';
import { noFacts, RISK_RULES_VERSION } from '../../common/tokens/risk/score.ts';
import type { SampleRecord, TokenRecord, TradeRecord } from '../tokens/record.ts';
import type { TokenMarket, TokenPage } from '../tokens/service.ts';

/** Base units for one whole token of six decimals. */
const ONE_TOKEN = 1_000_000;

/** A market with nothing in memory: every read is of stored tokens. */
export const nothingLive: Pick<TokenMarket, 'liveRecord' | 'unstored' | 'earlyWallets'> = {
  liveRecord: () => undefined,
  unstored: () => ({ trades: [], samples: [] }),
  earlyWallets: async () => null,
};

/** A valid-looking address for each number, always the same one. */
export function addressNumber(number: number): string {
  return `Mint${base58Of(number, 40)}`;
}

/** A stored token that was created at `createdAt`; everything else may be overridden. */
export function tokenRecord(number: number, overrides: Partial<TokenRecord> = {}): TokenRecord {
  const createdAt = overrides.createdAt ?? overrides.listedAt ?? Date.now();
  const address = addressNumber(number);
  return {
    _id: address,
    number: number + 1,
    version: 1,
    name: `Coin ${number}`,
    symbol: `C${number}`,
    uri: null,
    decimals: 6,
    totalSupply: String(1_000_000_000 * ONE_TOKEN),
    creator: addressNumber(number + 1_000_000),
    createdAt,
    createdSlot: null,
    detectedAt: createdAt,
    lastUpdated: createdAt,
    listedAt: createdAt,
    stage: 'curve',
    quote: 'SOL',
    launchpad: 'pump.fun',
    detectedBy: 'solana',
    cluster: 'mainnet',
    bondingCurve: null,
    pool: null,
    reserves: null,
    price: 0.000_000_028,
    initialLiquidityLamports: 1_000_000_000,
    liquidityLamports: 2_000_000_000,
    peakLiquidityLamports: 2_000_000_000,
    peakPrice: null,
    volumeByHour: [],
    volumeMinutes: [],
    marketCapUsd: null,
    volumeUsd: null,
    holderCount: 1,
    topHolders: [{ wallet: addressNumber(number + 2_000_000), amount: 5 * ONE_TOKEN }],
    buys: 1,
    sells: 0,
    complete: true,
    sinceCreation: true,
    facts: noFacts(),
    riskScore: null,
    riskCoverage: 0,
    riskReason: null,
    riskRulesVersion: RISK_RULES_VERSION,
    growthScore: null,
    outsideBuyers: null,
    runner: false,
    mightRun: false,
    rugged: false,
    drained: false,
    spark: [],
    openSample: null,
    fieldSources: {},
    lastTradeAt: null,
    lastSignature: null,
    storedAt: null,
    publishedAt: null,
    keepUntil: new Date(createdAt + 1000 * HOUR),
    ...overrides,
  };
}

/**
 * A token of the simulated market, which starts at the present when one is stored. Without, it plays eight hours before that, which
 * takes ten seconds of processor time.
 */
export const justLaunched = (): TokenRecord => tokenRecord(0, { detectedBy: 'simulator' });

export function tradeRecord(address: string, number: number, at: Date): TradeRecord {
  return {
    _id: `signature${number}:0`,
    address,
    at,
    side: 'buy',
    wallet: addressNumber(number),
    lamports: 1_000_000,
    amount: ONE_TOKEN,
    price: 0.000_001,
    signature: `signature${number}`,
    slot: number,
  };
}

export function sampleRecord(address: string, grain: SampleRecord['grain'], at: Date): SampleRecord {
  const expiresAt = new Date(at.getTime() + 100 * HOUR);
  const price = 0.000_001;
  const figures = { price, open: price, high: price, low: price, liquidityLamports: 1, volumeLamports: 2, holders: 3 };
  return { address, at, grain, ...figures, expiresAt };
}

/** A whole list of these tokens. */
export function tokenPage(records: TokenRecord[]): TokenPage {
  return { records, total: records.length, next: null, covered: null };
}
