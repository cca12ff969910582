import { type Connection, type Model, Schema } from 'mongoose';
import { z } from 'zod';
import { sourceNames } from '../../../common/sources/model.ts';
import type { TradeObservation } from '../sources/observation.ts';
import type { LiveToken, RecordPath } from '../token/state/live-token.ts';

/**
 * The trades that one tick merged, in their order, stored before its changes are published. What follows from trades alone is
 * written later (`figures`), and a start after a crash merges these trades again (operations/recovery.ts).
 */
export interface JournalEntry {
  /** Position: rises with every entry, across restarts. */
  _id: number;
  /** Time of the tick, epoch ms, and dollars for 1 SOL; null when unknown. */
  at: number;
  solUsd: number | null;
  /** JSON of trade observations: MongoDB takes one text at half the cost of as many documents. */
  trades: string;
  /** True in the last entry of a run that stopped after it had stored everything. */
  isEnd?: boolean;
}

const reservesSchema = z.object({
  virtualQuote: z.number(),
  virtualToken: z.number(),
  realQuote: z.number(),
  realToken: z.number(),
});
const tradesSchema = z.array(
  z.object({
    kind: z.literal('trade'),
    source: z.enum([...sourceNames, 'rpc', 'env']),
    at: z.number(),
    receivedAt: z.number(),
    chain: z.object({ signature: z.string(), index: z.number(), slot: z.number().nullable() }),
    address: z.string(),
    side: z.enum(['buy', 'sell']),
    wallet: z.string(),
    quote: z.enum(['SOL', 'USDC', 'other']),
    quoteAmount: z.number(),
    tokenAmount: z.number(),
    reserves: reservesSchema,
    creator: z.string().nullable(),
    launchpad: z.string(),
    cluster: z.enum(['mainnet', 'devnet', 'local']).nullable(),
    venue: z.enum(['curve', 'pool']),
    before: reservesSchema.pick({ virtualQuote: true, virtualToken: true }).exactOptional(),
    totalSupply: z.string().exactOptional(),
  }),
);

/** Returns the trades of an entry. Throws when it is damaged. */
export function tradesOf({ trades }: Pick<JournalEntry, 'trades'>): TradeObservation[] {
  return tradesSchema.parse(JSON.parse(trades));
}

const schema = new Schema<JournalEntry>(
  { _id: { type: Number, required: true } },
  { strict: false, versionKey: false, id: false, minimize: false, collection: 'journal' },
);

/** Returns the journal's collection on a connection. It has no index beside its position. */
export function journalModel(connection: Connection): Model<JournalEntry> {
  return connection.model<JournalEntry>('JournalEntry', schema);
}

/**
 * Fields that follow from the trades of a token and from the time. All others are facts: they are written before their change is
 * published.
 */
const figures: ReadonlySet<RecordPath> = new Set<RecordPath>([
  'version',
  'lastUpdated',
  'storedAt',
  'publishedAt',
  'journaled',
  'totalSupply',
  'fieldSources.totalSupply',
  'reserves',
  'reservesSlot',
  'price',
  'liquidityLamports',
  'peakLiquidityLamports',
  'peakPrice',
  'volumeByHour',
  'volumeMinutes',
  'runningMinute',
  'marketCapUsd',
  'volumeUsd',
  'holderCount',
  'topHolders',
  'buys',
  'sells',
  'riskScore',
  'riskCoverage',
  'riskReason',
  'growthScore',
  'outsideBuyers',
  'drained',
  'spark',
  'openSample',
  'lastTradeAt',
  'insiderSoldAt',
  'lastSignature',
  'facts.maturity',
  'facts.developerBought',
  'facts.creatorHolds',
  'facts.developerSold',
  'facts.developerSoldEarly',
  'facts.insiderWallets',
  'facts.insidersBought',
  'facts.insidersHold',
  'facts.insidersSold',
  'facts.unboughtSales',
  'facts.topTen',
  'facts.largestWallet',
  'facts.liquidity',
  'facts.drawdown',
  'facts.priceFall',
  'facts.drained',
  'facts.buysWithoutSell',
  'facts.holders',
]);

/** Returns whether a token has changes that its trades can't bring back: they are written before they are published. */
export function hasNewFacts({ stored, observed, dirty }: LiveToken): boolean {
  if (!stored || observed) return true;
  for (const path of dirty) if (!figures.has(path)) return true;
  return false;
}
