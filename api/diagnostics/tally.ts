import type { DetectionStats } from '../../common/diagnostics/model.ts';
import { isMightRun, isRunner, MIGHT_RUN_MAX_AGE, MIGHT_RUN_MIN_AGE } from '../../common/tokens/lists.ts';
import { marketCapOf } from '../../common/tokens/market-cap.ts';
import type { Token, TokenPatch } from '../../common/tokens/model.ts';

/** What the statistics need of a token. `createdAt` in epoch ms; units as on the wire. */
export interface TallyRow
  extends Pick<
    Token,
    | 'address'
    | 'symbol'
    | 'decimals'
    | 'totalSupply'
    | 'price'
    | 'marketCap'
    | 'volume'
    | 'currentLiquidity'
    | 'holderCount'
    | 'growthScore'
    | 'runner'
    | 'mightRun'
    | 'version'
  > {
  createdAt: number | null;
  /** The oldest price that is known: what a change is counted from. */
  firstPrice: number | null;
}

/** The part of the statistics that is counted over tokens. */
export type TokenCounts = Omit<DetectionStats, 'at' | 'coverage'>;

/** What is counted of every token, whatever its age. */
export interface Totals {
  totalTokens: number;
  withCreationDate: number;
  mightRunInDb: number;
  runnerInDb: number;
  withVolume: number;
  withMarketCap: number;
  withBoth: number;
  withHolders: number;
  withPriceChange: number;
  withLiquidity: number;
}

export const noTotals: Readonly<Totals> = {
  totalTokens: 0,
  withCreationDate: 0,
  mightRunInDb: 0,
  runnerInDb: 0,
  withVolume: 0,
  withMarketCap: 0,
  withBoth: 0,
  withHolders: 0,
  withPriceChange: 0,
  withLiquidity: 0,
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Rows in each of the two samples. */
const SAMPLES = 10;
/** Rows kept at most: the newest. Those beyond it count by what was known of them when they left. */
export const MAX_ROWS = 50_000;

/** The row of a token as events carry it. */
export function rowOf(token: Token): TallyRow {
  const { address, symbol, decimals, totalSupply, price, marketCap, volume, currentLiquidity } = token;
  const { holderCount, growthScore, runner, mightRun, version, createdAt, spark } = token;
  return {
    address,
    symbol,
    decimals,
    totalSupply,
    price,
    marketCap,
    volume,
    currentLiquidity,
    holderCount,
    growthScore,
    runner,
    mightRun,
    version,
    createdAt: createdAt === null ? null : Date.parse(createdAt),
    firstPrice: spark[0] ?? price,
  };
}

/** Percent since the oldest known price; null while there is none to compare with. */
function priceChangeOf({ price, firstPrice }: TallyRow): number | null {
  return price === null || firstPrice === null || firstPrice === 0 ? null : (price / firstPrice - 1) * 100;
}

/** Adds what one token counts for; `sign` −1 takes it away. */
export function count(totals: Totals, row: TallyRow, sign: 1 | -1 = 1): void {
  const hasVolume = row.volume !== null && row.volume > 0;
  const hasCap = row.marketCap !== null && row.marketCap > 0;
  totals.totalTokens += sign;
  if (row.createdAt !== null) totals.withCreationDate += sign;
  if (row.mightRun) totals.mightRunInDb += sign;
  if (row.runner) totals.runnerInDb += sign;
  if (hasVolume) totals.withVolume += sign;
  if (hasCap) totals.withMarketCap += sign;
  if (hasVolume && hasCap) totals.withBoth += sign;
  if (row.holderCount !== null && row.holderCount > 0) totals.withHolders += sign;
  if (priceChangeOf(row) !== null) totals.withPriceChange += sign;
  if (row.currentLiquidity !== null && row.currentLiquidity > 0) totals.withLiquidity += sign;
}

/**
 * The tokens in memory, as far as the statistics need them: totals are kept up with every change, and what depends on the
 * time of the question is counted when it is asked, for 20,000 tokens in a few milliseconds.
 */
export class Tally {
  readonly #rows = new Map<string, TallyRow>();
  /** Goes on where it was: a new one would have to skip all places that were left empty before. */
  readonly #oldestFirst = this.#rows.keys();
  readonly #totals: Totals;
  readonly #maxRows: number;
  /** Some tokens count without being in memory. */
  #hasOlder: boolean;

  /** `older`: what the tokens count for that are not given one by one. */
  constructor(older: Readonly<Totals> = noTotals, maxRows = MAX_ROWS) {
    this.#totals = { ...older };
    this.#maxRows = maxRows;
    this.#hasOlder = older.totalTokens > 0;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Takes a token in, oldest first; one that is known already only when this is a newer version of it. */
  add(row: TallyRow): void {
    const known = this.#rows.get(row.address);
    if (known && known.version >= row.version) return;
    if (known) count(this.#totals, known, -1);
    this.#rows.set(row.address, row);
    count(this.#totals, row);
    if (this.#rows.size <= this.#maxRows) return;
    // A map lists its keys in the order they came: the first is the oldest. It goes on counting as it is.
    const { value: oldest } = this.#oldestFirst.next();
    if (oldest !== undefined) this.#rows.delete(oldest);
    this.#hasOlder = true;
  }

  /** Takes a change in. False when the token is not in memory. `solUsd`: of the event, for a market cap that follows. */
  patch(patch: TokenPatch, solUsd: number | null): boolean {
    const row = this.#rows.get(patch.address);
    if (!row) return false;
    if (patch.version <= row.version) return true;
    count(this.#totals, row, -1);
    changeRow(row, patch, solUsd);
    count(this.#totals, row);
    return true;
  }

  list(address: string, list: 'runner' | 'mightRun', active: boolean): void {
    const row = this.#rows.get(address);
    if (!row || row[list] === active) return;
    count(this.#totals, row, -1);
    row[list] = active;
    count(this.#totals, row);
  }

  /** False when the token is not in memory, and may be one that counts nevertheless. */
  remove(address: string): boolean {
    const row = this.#rows.get(address);
    if (!row) return !this.#hasOlder;
    this.#rows.delete(address);
    count(this.#totals, row, -1);
    return true;
  }

  /** All tokens are no more. */
  clear(): void {
    this.#rows.clear();
    Object.assign(this.#totals, noTotals);
    this.#hasOlder = false;
  }

  /** `now`: epoch ms. */
  counts(now: number): TokenCounts {
    const ages = { within30Min: 0, within1Hour: 0, within2Hours: 0, within8Hours: 0 };
    const potential = { meetMightRunCriteria: 0, meetRunnerCriteria: 0, inMightRunTimeframe: 0 };
    const mightRun: TallyRow[] = [];
    const runners: TallyRow[] = [];
    for (const row of this.#rows.values()) {
      countAge(ages, row, now);
      const { createdAt, marketCap, volume } = row;
      if (isRunner(row, now)) {
        potential.meetRunnerCriteria += 1;
        runners.push(row);
      }
      if (createdAt === null || now - createdAt < MIGHT_RUN_MIN_AGE || now - createdAt > MIGHT_RUN_MAX_AGE) continue;
      potential.inMightRunTimeframe += 1;
      if (!isMightRun({ createdAt, marketCapUsd: marketCap, volumeUsd: volume }, now)) continue;
      potential.meetMightRunCriteria += 1;
      mightRun.push(row);
    }
    const { totalTokens, withCreationDate, mightRunInDb, runnerInDb, ...metrics } = this.#totals;
    return {
      tokenStats: { totalTokens, withCreationDate },
      flagged: { mightRunInDb, runnerInDb },
      byAge: ages,
      metrics,
      potential,
      sampleMightRunTokens: newest(mightRun).map((row) => mightRunSample(row, now)),
      sampleRunnerTokens: newest(runners).map(runnerSample),
    };
  }
}

function changeRow(row: TallyRow, patch: TokenPatch, solUsd: number | null): void {
  row.version = patch.version;
  if (patch.symbol !== undefined) row.symbol = patch.symbol;
  if (patch.decimals !== undefined) row.decimals = patch.decimals;
  if (patch.totalSupply !== undefined) row.totalSupply = patch.totalSupply;
  if (patch.volume !== undefined) row.volume = patch.volume;
  if (patch.currentLiquidity !== undefined) row.currentLiquidity = patch.currentLiquidity;
  if (patch.holderCount !== undefined) row.holderCount = patch.holderCount;
  if (patch.growthScore !== undefined) row.growthScore = patch.growthScore;
  if (patch.runner !== undefined) row.runner = patch.runner;
  if (patch.mightRun !== undefined) row.mightRun = patch.mightRun;
  if (patch.createdAt !== undefined) row.createdAt = patch.createdAt === null ? null : Date.parse(patch.createdAt);
  if (patch.price !== undefined) {
    row.price = patch.price;
    row.firstPrice ??= patch.price;
  }
  if (patch.marketCap !== undefined) row.marketCap = patch.marketCap;
  else if (patch.price !== undefined) row.marketCap = marketCapOf(row, solUsd);
}

/** Each bucket includes the ones before it: 'within'. A creation that is not known is in none. */
function countAge(ages: TokenCounts['byAge'], { createdAt }: TallyRow, now: number): void {
  if (createdAt === null) return;
  const age = now - createdAt;
  if (age <= 30 * MINUTE) ages.within30Min += 1;
  if (age <= HOUR) ages.within1Hour += 1;
  if (age <= 2 * HOUR) ages.within2Hours += 1;
  if (age <= 8 * HOUR) ages.within8Hours += 1;
}

function newest(rows: TallyRow[]): TallyRow[] {
  return rows.sort((one, other) => (other.createdAt ?? 0) - (one.createdAt ?? 0)).slice(0, SAMPLES);
}

function mightRunSample(row: TallyRow, now: number): TokenCounts['sampleMightRunTokens'][number] {
  const { symbol, address, createdAt, marketCap, volume } = row;
  const ratio = marketCap === null || volume === null || marketCap === 0 ? null : volume / marketCap;
  return { symbol, address, age: now - (createdAt ?? now), marketCap, volume, volumeToMarketCapRatio: ratio };
}

function runnerSample(row: TallyRow): TokenCounts['sampleRunnerTokens'][number] {
  const { symbol, address, currentLiquidity, volume, holderCount, marketCap } = row;
  const priceChange = priceChangeOf(row);
  return { symbol, address, liquidity: currentLiquidity, volume, priceChange, holders: holderCount, marketCap };
}
