import type { Model } from 'mongoose';
import { symbolIsMissing } from '../../common/tokens/names.ts';
import { lamportsToSol } from '../../common/tokens/units.ts';
import type { TokenRecord } from '../tokens/record.ts';
import { MAX_ROWS, noTotals, Tally, type TallyRow, type Totals } from './tally.ts';

const fields = {
  symbol: 1,
  decimals: 1,
  totalSupply: 1,
  price: 1,
  marketCapUsd: 1,
  volumeUsd: 1,
  liquidityLamports: 1,
  holderCount: 1,
  growthScore: 1,
  runner: 1,
  mightRun: 1,
  version: 1,
  createdAt: 1,
  listedAt: 1,
  spark: { $slice: 1 },
} as const;

type Loaded = Pick<TokenRecord, '_id' | Exclude<keyof typeof fields, never>>;

/** The tokens of the store: the newest ones by themselves, older ones by what they count for. */
export async function loadTally(tokens: Model<TokenRecord>, maxRows = MAX_ROWS): Promise<Tally> {
  const rows: TallyRow[] = [];
  let oldest: Loaded | null = null;
  // Index: listedAt.
  const newestFirst = tokens.find({}, fields).sort({ listedAt: -1, _id: -1 }).limit(maxRows).lean<Loaded[]>();
  for await (const record of newestFirst.cursor()) {
    rows.push(rowOfRecord(record));
    oldest = record;
  }
  const tally = new Tally(
    oldest === null || rows.length < maxRows ? noTotals : await totalsAfter(tokens, oldest),
    maxRows,
  );
  // Oldest first, so that the oldest ones are the first to leave.
  for (const row of rows.reverse()) tally.add(row);
  return tally;
}

function rowOfRecord(record: Loaded): TallyRow {
  const { _id, symbol, liquidityLamports, marketCapUsd, volumeUsd, spark, ...same } = record;
  return {
    address: _id,
    symbol: symbolIsMissing(symbol) ? null : symbol,
    decimals: same.decimals,
    totalSupply: same.totalSupply,
    price: same.price,
    marketCap: marketCapUsd,
    volume: volumeUsd,
    currentLiquidity: liquidityLamports === null ? null : lamportsToSol(liquidityLamports),
    holderCount: same.holderCount,
    growthScore: same.growthScore,
    runner: same.runner,
    mightRun: same.mightRun,
    version: same.version,
    createdAt: same.createdAt,
    firstPrice: spark[0]?.price ?? same.price,
  };
}

/** What those beyond the last one read count for: as `count` in tally.ts, by MongoDB. Index: listedAt. */
async function totalsAfter(tokens: Model<TokenRecord>, { listedAt, _id }: Loaded): Promise<Totals> {
  const above = (field: string) => ({ $gt: [`$${field}`, 0] });
  const sum = (condition: unknown) => ({ $sum: { $cond: [condition, 1, 0] } });
  const [totals] = await tokens.aggregate<Totals>([
    { $match: { $or: [{ listedAt: { $lt: listedAt } }, { listedAt, _id: { $lt: _id } }] } },
    {
      $group: {
        _id: null,
        totalTokens: { $sum: 1 },
        withCreationDate: sum({ $ne: ['$createdAt', null] }),
        mightRunInDb: sum('$mightRun'),
        runnerInDb: sum('$runner'),
        withVolume: sum(above('volumeUsd')),
        withMarketCap: sum(above('marketCapUsd')),
        withBoth: sum({ $and: [above('volumeUsd'), above('marketCapUsd')] }),
        withHolders: sum(above('holderCount')),
        withPriceChange: sum(above('price')),
        withLiquidity: sum(above('liquidityLamports')),
      },
    },
    { $unset: '_id' },
  ]);
  return totals ?? noTotals;
}
