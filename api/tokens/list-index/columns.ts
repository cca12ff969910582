import type { Token } from '../../../common/tokens/model.ts';
import { listedAt, type SortField } from '../../../common/tokens/order.ts';
import type { TokenRecord } from '../record.ts';

/** Figures of a token that decide its place in lists; amounts as on the wire. */
export type IndexedToken = Pick<
  Token,
  | 'address'
  | 'name'
  | 'symbol'
  | 'createdAt'
  | 'detectedAt'
  | 'price'
  | 'initialLiquidity'
  | 'currentLiquidity'
  | 'marketCap'
  | 'volume'
  | 'holderCount'
  | 'scamProbability'
  | 'runner'
  | 'mightRun'
>;

/** Fields of a stored token that the index needs, as a projection. */
export const indexedFields = {
  name: 1,
  symbol: 1,
  createdAt: 1,
  detectedAt: 1,
  price: 1,
  initialLiquidityLamports: 1,
  liquidityLamports: 1,
  marketCapUsd: 1,
  volumeUsd: 1,
  holderCount: 1,
  riskScore: 1,
  riskRulesVersion: 1,
  runner: 1,
  mightRun: 1,
  lastUpdated: 1,
} as const;

/** Those fields and the address. */
export type IndexedRecord = Pick<TokenRecord, '_id' | keyof typeof indexedFields>;

/** A column of figures; unknown ones are NaN. Times in epoch ms. */
type Column = SortField | 'initialLiquidity' | 'createdAt';
const columnNames = [
  'price',
  'liquidity',
  'marketCap',
  'volume',
  'holders',
  'risk',
  'detected',
  'initialLiquidity',
  'createdAt',
] as const satisfies readonly Column[];

/** Bits of a row's flags. */
export const RUNNER = 1;
export const MIGHT_RUN = 2;
/** The score is of earlier rules. */
export const OUTDATED = 4;

/** Rows of numbers in typed arrays: a hundredth of the garbage of objects, and scanned in one go. */
export interface Columns {
  readonly figures: Readonly<Record<Column, Float64Array>>;
  readonly flags: Uint8Array;
  /** Time of the last change of a row, epoch ms. */
  readonly changedAt: Float64Array;
}

export function createColumns(capacity: number): Columns {
  const of = () => new Float64Array(capacity);
  return {
    figures: {
      price: of(),
      liquidity: of(),
      marketCap: of(),
      volume: of(),
      holders: of(),
      risk: of(),
      detected: of(),
      initialLiquidity: of(),
      createdAt: of(),
    },
    flags: new Uint8Array(capacity),
    changedAt: of(),
  };
}

/** Returns the columns with room for `capacity` rows. */
export function grownColumns(before: Columns, capacity: number): Columns {
  const after = createColumns(capacity);
  for (const name of columnNames) after.figures[name].set(before.figures[name]);
  after.flags.set(before.flags);
  after.changedAt.set(before.changedAt);
  return after;
}

export function writeRow(
  { figures, flags, changedAt }: Columns,
  row: number,
  token: IndexedToken,
  at: number,
  isOutdated: boolean,
): void {
  figures.price[row] = token.price ?? Number.NaN;
  figures.liquidity[row] = token.currentLiquidity ?? Number.NaN;
  figures.marketCap[row] = token.marketCap ?? Number.NaN;
  figures.volume[row] = token.volume ?? Number.NaN;
  figures.holders[row] = token.holderCount ?? Number.NaN;
  figures.risk[row] = token.scamProbability ?? Number.NaN;
  figures.detected[row] = listedAt(token);
  figures.initialLiquidity[row] = token.initialLiquidity ?? Number.NaN;
  figures.createdAt[row] = token.createdAt === null ? Number.NaN : Date.parse(token.createdAt);
  flags[row] = (token.runner ? RUNNER : 0) | (token.mightRun ? MIGHT_RUN : 0) | (isOutdated ? OUTDATED : 0);
  changedAt[row] = at;
}

/** Copies a row over another one. */
export function copyRow({ figures, flags, changedAt }: Columns, from: number, to: number): void {
  for (const name of columnNames) figures[name].copyWithin(to, from, from + 1);
  flags.copyWithin(to, from, from + 1);
  changedAt.copyWithin(to, from, from + 1);
}
