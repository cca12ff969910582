import { type FilteredToken, isLaterTwin } from '../../../common/tokens/filters.ts';
import { marketCapOfSupply } from '../../../common/tokens/market-cap.ts';
import type { Token, TokenPatch } from '../../../common/tokens/model.ts';
import { listedAt } from '../../../common/tokens/order.ts';
import type { PatchContext } from '../../../common/tokens/patch.ts';
import type { Fact } from '../../../common/tokens/risk/score.ts';
import { baseUnitsToTokens } from '../../../common/tokens/units.ts';
import type { Reserves, TokenRecord } from '../record.ts';

/** Fields of a token that decide its place in lists; amounts as on the wire. */
export type IndexedToken = FilteredToken &
  Pick<Token, 'number' | 'initialLiquidity' | 'runner' | 'mightRun' | 'migratedAt'>;

const recordFields = {
  number: 1,
  name: 1,
  symbol: 1,
  createdAt: 1,
  detectedAt: 1,
  decimals: 1,
  totalSupply: 1,
  price: 1,
  peakPrice: 1,
  initialLiquidityLamports: 1,
  liquidityLamports: 1,
  marketCapUsd: 1,
  volumeUsd: 1,
  holderCount: 1,
  complete: 1,
  buys: 1,
  sells: 1,
  stage: 1,
  migratedAt: 1,
  launchpad: 1,
  riskScore: 1,
  riskCoverage: 1,
  riskRulesVersion: 1,
  runner: 1,
  mightRun: 1,
  twins: 1,
  version: 1,
  lastUpdated: 1,
} as const;

/** Fields of a stored token that the index needs, as a projection. */
export const indexedFields = {
  ...recordFields,
  'reserves.realToken': 1,
  'facts.symbolTwin.value': 1,
  'facts.creatorHolds.value': 1,
  'facts.insidersHold.value': 1,
  'facts.insidersBought.value': 1,
  'facts.topTen.value': 1,
  'facts.creatorLaunches24h.value': 1,
} as const;

/** An unknown fact is null in memory, and absent in a projection. */
type ProjectedFact<Value> = Pick<Fact<Value>, 'value'> | null | undefined;

/** Those fields and the address. */
export interface IndexedRecord extends Pick<TokenRecord, '_id' | keyof typeof recordFields> {
  reserves?: Pick<Reserves, 'realToken'> | null;
  facts?: {
    symbolTwin?: ProjectedFact<string>;
    creatorHolds?: ProjectedFact<number>;
    insidersHold?: ProjectedFact<number>;
    insidersBought?: ProjectedFact<number>;
    topTen?: ProjectedFact<number>;
    creatorLaunches24h?: ProjectedFact<number>;
  };
}

/** Columns of figures; unknown ones are NaN. Times in epoch ms, the supply in whole tokens and in base units. */
const columnNames = [
  'number',
  'price',
  'liquidity',
  'marketCap',
  'volume',
  'holders',
  'risk',
  'detected',
  'migrated',
  'initialLiquidity',
  'createdAt',
  'supply',
  'units',
  'decimals',
  'highestPrice',
  'buys',
  'sells',
  'curve',
  'checks',
  'developer',
  'topTen',
  'insiders',
  'bundle',
  'launches',
] as const;
type Column = (typeof columnNames)[number];

/** Bits of a row's flags. */
export const RUNNER = 1;
export const MIGHT_RUN = 2;
/** The score is of earlier rules. */
export const OUTDATED = 4;
/** An older coin has its symbol. */
export const COPY = 8;
/** It trades in a pool. */
export const IN_POOL = 16;
/** An earlier coin of its day has its symbol or its name. */
export const LATER_TWIN = 32;

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
      number: of(),
      price: of(),
      liquidity: of(),
      marketCap: of(),
      volume: of(),
      holders: of(),
      risk: of(),
      detected: of(),
      migrated: of(),
      initialLiquidity: of(),
      createdAt: of(),
      supply: of(),
      units: of(),
      decimals: of(),
      highestPrice: of(),
      buys: of(),
      sells: of(),
      curve: of(),
      checks: of(),
      developer: of(),
      topTen: of(),
      insiders: of(),
      bundle: of(),
      launches: of(),
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

/** Writes the figures of a token to a row. */
export function writeRow(
  { figures, flags, changedAt }: Columns,
  row: number,
  token: IndexedToken,
  at: number,
  isOutdated: boolean,
): void {
  figures.number[row] = token.number;
  figures.price[row] = known(token.price);
  figures.liquidity[row] = known(token.currentLiquidity);
  figures.marketCap[row] = known(token.marketCap);
  figures.volume[row] = known(token.volume);
  figures.holders[row] = known(token.holderCount);
  figures.risk[row] = known(token.scamProbability);
  figures.detected[row] = listedAt(token);
  figures.migrated[row] = timeOf(token.migratedAt);
  figures.initialLiquidity[row] = known(token.initialLiquidity);
  figures.createdAt[row] = timeOf(token.createdAt);
  figures.units[row] = Number(token.totalSupply ?? Number.NaN);
  figures.decimals[row] = known(token.decimals);
  figures.supply[row] = supplyAt(figures, row);
  figures.highestPrice[row] = known(token.highestPrice);
  figures.buys[row] = known(token.buys);
  figures.sells[row] = known(token.sells);
  figures.curve[row] = known(token.curveProgress);
  figures.checks[row] = token.riskCoverage;
  figures.developer[row] = known(token.developerShare);
  figures.topTen[row] = known(token.topTenShare);
  figures.insiders[row] = known(token.insiderShare);
  figures.bundle[row] = known(token.bundleShare);
  figures.launches[row] = known(token.developerLaunches);
  flags[row] =
    (token.runner ? RUNNER : 0) |
    (token.mightRun ? MIGHT_RUN : 0) |
    (isOutdated ? OUTDATED : 0) |
    (token.copyOf === null ? 0 : COPY) |
    (isLaterTwin(token.twins) ? LATER_TWIN : 0) |
    (token.stage === 'pool' ? IN_POOL : 0);
  changedAt[row] = at;
}

/** Columns of figures, each with the field of a patch that it shows. */
const patchedColumns = [
  ['price', 'price'],
  ['liquidity', 'currentLiquidity'],
  ['volume', 'volume'],
  ['holders', 'holderCount'],
  ['risk', 'scamProbability'],
  ['initialLiquidity', 'initialLiquidity'],
  ['decimals', 'decimals'],
  ['highestPrice', 'highestPrice'],
  ['buys', 'buys'],
  ['sells', 'sells'],
  ['curve', 'curveProgress'],
  ['checks', 'riskCoverage'],
  ['developer', 'developerShare'],
  ['topTen', 'topTenShare'],
  ['insiders', 'insiderShare'],
  ['bundle', 'bundleShare'],
  ['launches', 'developerLaunches'],
] as const satisfies (readonly [Column, keyof TokenPatch])[];

/** Changes the figures of a row that a patch names. A price without a market cap implies one at the rate of the event. */
export function patchRow(columns: Columns, row: number, patch: TokenPatch, { at, solUsd }: PatchContext): void {
  const { figures, flags, changedAt } = columns;
  for (const [name, field] of patchedColumns) {
    const value = patch[field];
    if (value !== undefined) figures[name][row] = known(value);
  }
  if (patch.createdAt != null) figures.createdAt[row] = figures.detected[row] = Date.parse(patch.createdAt);
  if (patch.migratedAt !== undefined) figures.migrated[row] = timeOf(patch.migratedAt);
  if (patch.totalSupply !== undefined) figures.units[row] = Number(patch.totalSupply ?? Number.NaN);
  figures.supply[row] = supplyAt(figures, row);
  if (patch.marketCap !== undefined) figures.marketCap[row] = known(patch.marketCap);
  else if (patch.price !== undefined) figures.marketCap[row] = impliedMarketCap(figures, row, solUsd);
  const before = flags[row] ?? 0;
  const keep = (flag: number, value: boolean | undefined) => ((value ?? (before & flag) !== 0) ? flag : 0);
  flags[row] =
    keep(RUNNER, patch.runner) |
    keep(MIGHT_RUN, patch.mightRun) |
    keep(COPY, patch.copyOf === undefined ? undefined : patch.copyOf !== null) |
    keep(LATER_TWIN, patch.twins === undefined ? undefined : isLaterTwin(patch.twins)) |
    keep(IN_POOL, patch.stage === undefined ? undefined : patch.stage === 'pool');
  changedAt[row] = at;
}

/** Returns the supply of a row in whole tokens; NaN while unknown. */
function supplyAt({ units, decimals }: Columns['figures'], row: number): number {
  return baseUnitsToTokens(units[row] ?? Number.NaN, decimals[row] ?? Number.NaN);
}

/** Returns the market cap that follows from the other figures of a row; NaN when one of them is unknown. */
function impliedMarketCap({ price, supply }: Columns['figures'], row: number, solUsd: number | null): number {
  return marketCapOfSupply(price[row] ?? Number.NaN, supply[row] ?? Number.NaN, solUsd ?? Number.NaN);
}

function known(value: number | null): number {
  return value ?? Number.NaN;
}

/** Returns an ISO 8601 time in epoch ms; NaN while unknown. */
function timeOf(value: string | null): number {
  return value === null ? Number.NaN : Date.parse(value);
}

/** Copies a row over another one. */
export function copyRow({ figures, flags, changedAt }: Columns, from: number, to: number): void {
  for (const name of columnNames) figures[name].copyWithin(to, from, from + 1);
  flags.copyWithin(to, from, from + 1);
  changedAt.copyWithin(to, from, from + 1);
}
