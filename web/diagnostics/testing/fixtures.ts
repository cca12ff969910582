import type { DetectionStats } from '../../../common/diagnostics/model.ts';

export const ADDRESS = 'So11111111111111111111111111111111111111112';
/** Statistics of a server with two streams. */
export const stats: DetectionStats = {
  at: '2026-01-02T03:04:05.000Z',
  tokenStats: { totalTokens: 200, withCreationDate: 190 },
  flagged: { mightRunInDb: 1, runnerInDb: 9 },
  byAge: { within30Min: 10, within1Hour: 20, within2Hours: 50, within8Hours: 100 },
  metrics: {
    withVolume: 180,
    withMarketCap: 170,
    withBoth: 160,
    withHolders: 150,
    withPriceChange: 140,
    withLiquidity: 130,
  },
  potential: { meetMightRunCriteria: 4, meetRunnerCriteria: 10, inMightRunTimeframe: 30 },
  sampleMightRunTokens: [
    {
      symbol: 'CAT',
      address: ADDRESS,
      age: 5_400_000,
      marketCap: 500_000,
      volume: 1_300_000,
      volumeToMarketCapRatio: 2.6,
    },
  ],
  sampleRunnerTokens: [
    {
      symbol: null,
      address: ADDRESS,
      liquidity: 12.5,
      volume: 9_000,
      priceChange: 42.5,
      holders: 77,
      marketCap: null,
    },
  ],
  coverage: {
    sources: ['solana', 'pumpportal'],
    minutes: [{ at: '2026-01-02T03:04:00.000Z', both: 3, only: { solana: 1 }, backfill: 2 }],
    bySource: [
      {
        source: 'solana',
        seen: 40,
        missed: 0,
        backfilled: 2,
        latencyP50: 420,
        latencyP99: 2_100,
        fromBlockTime: true,
        slotsMissed: 3,
        transactionsLost: 2,
        transactionsUnreadable: 6,
        unreadableVersions: [2],
        tradesMissed: 4,
        decodeErrors: 1,
        refused: 5,
      },
      {
        source: 'pumpportal',
        seen: 39,
        missed: 1,
        backfilled: 0,
        latencyP50: null,
        latencyP99: null,
        fromBlockTime: false,
        slotsMissed: null,
        transactionsLost: null,
        transactionsUnreadable: null,
        unreadableVersions: [],
        tradesMissed: 0,
        decodeErrors: 0,
        refused: 0,
      },
    ],
    missed: [
      {
        address: ADDRESS,
        symbol: 'DOG',
        source: 'pumpportal',
        seenBy: 'solana',
        at: '2026-01-02T03:04:01.000Z',
        why: 'not connected at the time',
      },
    ],
  },
};
