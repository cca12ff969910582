import { iso, isoOrNull } from '../../common/time.ts';
import type { CandlePage } from '../../common/tokens/candles/model.ts';
import { curveProgress } from '../../common/tokens/curve.ts';
import type { Risk, Sample, SolUsd, Token, TokenDetail, Trade } from '../../common/tokens/model.ts';
import { nameIsMissing, symbolIsMissing, withoutHidden } from '../../common/tokens/names.ts';
import type { RiskReason } from '../../common/tokens/risk/reason.ts';
import { isStandardLaunch, RISK_RULES_VERSION, type RiskContext, scoreRisk } from '../../common/tokens/risk/score.ts';
import { sparkSecond } from '../../common/tokens/spark.ts';
import {
  baseUnitsToTokens,
  LAUNCHPAD_DECIMALS,
  lamportsToSol,
  roundedOrNull,
  roundSignificant,
  solOrNull,
} from '../../common/tokens/units.ts';
import type { IndexedRecord, IndexedToken } from './list-index/columns.ts';
import type { ListedRecord, SampleRecord, TokenRecord, TradeRecord } from './record.ts';

let tick = { at: Number.NaN, text: '' };

/** Formats epoch ms as ISO 8601. All tokens of a tick have the same time, and formatting is a tenth of their presentation. */
function isoOfTick(at: number): string {
  if (tick.at !== at) tick = { at, text: iso(at) };
  return tick.text;
}

/**
 * Returns a record as lists and events carry it. Runs for every changed token of every tick, so it only copies and rounds. Every
 * field is named: with a spread, V8 would allocate 12 kB for each token instead of 0.7.
 */
export function presentToken(record: ListedRecord): Token {
  const indexed = presentIndexed(record);
  return {
    address: indexed.address,
    number: indexed.number,
    name: indexed.name,
    symbol: indexed.symbol,
    createdAt: indexed.createdAt,
    detectedAt: indexed.detectedAt,
    price: indexed.price,
    initialLiquidity: indexed.initialLiquidity,
    currentLiquidity: indexed.currentLiquidity,
    marketCap: indexed.marketCap,
    volume: indexed.volume,
    holderCount: indexed.holderCount,
    scamProbability: indexed.scamProbability,
    runner: indexed.runner,
    mightRun: indexed.mightRun,
    copyOf: indexed.copyOf,
    twins: record.twins ?? null,
    decimals: indexed.decimals,
    totalSupply: indexed.totalSupply,
    riskCoverage: indexed.riskCoverage,
    stage: indexed.stage,
    migratedAt: indexed.migratedAt,
    buys: indexed.buys,
    sells: indexed.sells,
    curveProgress: indexed.curveProgress,
    highestPrice: indexed.highestPrice,
    developerShare: indexed.developerShare,
    insiderShare: indexed.insiderShare,
    bundleShare: indexed.bundleShare,
    topTenShare: indexed.topTenShare,
    developerLaunches: indexed.developerLaunches,
    id: record._id,
    creatorAddress: record.creator,
    lastUpdated: isoOfTick(record.lastUpdated),
    riskReason: presentReason(record),
    growthScore: record.growthScore,
    spark: record.spark.map(({ at, price }) => [sparkSecond(at, record.detectedAt), roundSignificant(price)]),
    metadata: {
      source: record.launchpad,
      detectedBy: record.detectedBy,
      cluster: record.cluster,
      uri: record.uri,
      quote: record.quote,
    },
    version: record.version,
  };
}

/** Returns the sold share of the curve, percent, in steps of a tenth: finer ones would be sent with every trade. */
function presentCurve({ stage, reserves }: Pick<IndexedRecord, 'stage' | 'reserves'>): number | null {
  return stage === 'curve' && reserves ? tenths(curveProgress(reserves.realToken)) : null;
}

function share(fact: { value: number } | null | undefined): number | null {
  return fact ? tenths(fact.value) : null;
}

function tenths(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10) / 10;
}

/** Returns the figures of a record that decide its place in lists: a part of the token. */
export function presentIndexed(record: Omit<IndexedRecord, 'lastUpdated' | 'version'>): IndexedToken {
  const { facts = {} } = record;
  return {
    address: record._id,
    number: record.number,
    name: nameOf(record.name),
    symbol: symbolOf(record.symbol),
    createdAt: isoOrNull(record.createdAt),
    detectedAt: iso(record.detectedAt),
    price: roundedOrNull(record.price),
    initialLiquidity: sol(record.initialLiquidityLamports),
    currentLiquidity: sol(record.liquidityLamports),
    marketCap: roundedOrNull(record.marketCapUsd),
    volume: roundedOrNull(record.volumeUsd),
    holderCount: record.holderCount,
    scamProbability: presentScore(record),
    runner: record.runner,
    mightRun: record.mightRun,
    // The fact is an empty string when there is no older coin.
    copyOf: facts.symbolTwin?.value || null,
    twins: record.twins ?? null,
    decimals: record.decimals,
    totalSupply: record.totalSupply,
    riskCoverage: record.riskCoverage,
    stage: record.stage,
    migratedAt: isoOrNull(record.migratedAt ?? null),
    // Without the creation, earlier trades may be missing, so a count would be too low.
    buys: record.complete ? record.buys : null,
    sells: record.complete ? record.sells : null,
    curveProgress: presentCurve(record),
    highestPrice: roundedOrNull(record.peakPrice),
    developerShare: share(facts.creatorHolds),
    insiderShare: share(facts.insidersHold),
    bundleShare: share(facts.insidersBought),
    topTenShare: share(facts.topTen),
    developerLaunches: facts.creatorLaunches24h?.value ?? null,
    metadata: { source: record.launchpad },
  };
}

/** Returns a record as the detail page shows it. */
export function presentDetail(record: TokenRecord, solUsd: SolUsd | null): TokenDetail {
  const { facts } = record;
  return {
    ...presentToken(record),
    risk: presentRisk(record),
    creationSigner: record.creationUser ?? null,
    bondingCurve: record.bondingCurve,
    pool: record.pool,
    mintAuthority: authority(facts.mintAuthorityLive?.value),
    freezeAuthority: authority(facts.freezeAuthorityLive?.value),
    figuresAsOf: figuresAsOf(record, solUsd),
    tradesMissed: record.tradesMissed ?? 0,
    holdersFrom: holdersFrom(record),
    solUsd,
    times: {
      created: record.createdAt,
      received: record.detectedAt,
      stored: record.storedAt,
      published: record.publishedAt,
    },
  };
}

function holdersFrom({ complete, sinceCreation, holdersFrozen }: TokenRecord): TokenDetail['holdersFrom'] {
  if (complete || sinceCreation === true) return 'trades';
  return holdersFrozen === true ? 'past-trades' : 'accounts';
}

/** Returns the factors behind the score. Score, coverage and reason are the record's, so that all views of one version agree. */
export function presentRisk(record: TokenRecord): Risk {
  const judged = { score: presentScore(record), coverage: record.riskCoverage, reason: presentReason(record) };
  return { ...scoreRisk(record.facts, riskContext(record)), ...judged };
}

/**
 * Returns the risk score 0–100; null while unknown. A score of earlier rules is unknown until the market has computed it
 * again (market/operations/rescoring.ts), since it may call a coin safe that the present rules do not.
 */
export function presentScore(record: Pick<TokenRecord, 'riskScore' | 'riskRulesVersion'>): number | null {
  return record.riskRulesVersion === RISK_RULES_VERSION ? record.riskScore : null;
}

function presentReason({
  riskReason,
  riskRulesVersion,
}: Pick<TokenRecord, 'riskReason' | 'riskRulesVersion'>): RiskReason | null {
  return riskRulesVersion === RISK_RULES_VERSION ? riskReason : 'too-little-known';
}

/** Returns what decides the risk checks of a token. */
export function riskContext({
  stage,
  launchpad,
  mayhem = null,
}: Pick<TokenRecord, 'stage' | 'launchpad' | 'mayhem'>): RiskContext {
  return { stage, standard: isStandardLaunch(launchpad, mayhem) };
}

/** Returns a trade on the wire. `decimals` are the token's. */
export function presentTrade(record: TradeRecord, decimals: number | null): Trade {
  return {
    id: record._id,
    at: record.at.toISOString(),
    side: record.side,
    wallet: record.wallet,
    sol: solOrNull(record.lamports),
    tokens: baseUnitsToTokens(record.amount, decimals ?? LAUNCHPAD_DECIMALS),
    price: roundedOrNull(record.price),
    signature: record.signature,
    slot: record.slot,
  };
}

export function presentSample(record: SampleRecord): Sample {
  return {
    at: record.at.toISOString(),
    price: roundedOrNull(record.price),
    open: roundedOrNull(record.open),
    high: roundedOrNull(record.high),
    low: roundedOrNull(record.low),
    liquidity: sol(record.liquidityLamports),
    volume: roundSignificant(lamportsToSol(record.volumeLamports)),
    holders: record.holders,
  };
}

/** Returns candles, whose volumes are in lamports, on the wire. */
export function presentCandles(page: CandlePage): CandlePage {
  return {
    ...page,
    candles: page.candles.map(({ at, open, high, low, close, volume, bought }) => ({
      at,
      open: roundSignificant(open),
      high: roundSignificant(high),
      low: roundSignificant(low),
      close: roundSignificant(close),
      volume: sol(volume),
      bought: sol(bought),
    })),
  };
}

/**
 * Returns the times of the figures of a coin whose pool is not followed: each is that of its curve's end until a service reports a newer
 * one. All null for every other coin.
 */
function figuresAsOf(record: TokenRecord, solUsd: SolUsd | null): TokenDetail['figuresAsOf'] {
  const frozenAt = isoOrNull(endOfCurve(record));
  const { price = null, liquidityLamports = null } = record.reported ?? {};
  const isNewer = (report: { at: number } | null) => report !== null && report.at > (endOfCurve(record) ?? 0);
  // A price in dollars replaces nothing while no rate is known.
  const isPriced = isNewer(price) && (price?.value.in === 'SOL' || solUsd !== null);
  return {
    price: isPriced ? null : frozenAt,
    liquidity: isNewer(liquidityLamports) ? null : frozenAt,
    // Computed from the price.
    marketCap: isPriced ? null : frozenAt,
  };
}

/** Returns the time of the last figures of the curve, epoch ms; null while curve or pool is followed. */
function endOfCurve({ stage, reserves, reservesVenue, migratedAt, lastTradeAt }: TokenRecord): number | null {
  if (stage !== 'pool' || reserves === null || reservesVenue === 'pool') return null;
  return migratedAt ?? lastTradeAt;
}

export function nameOf(stored: string | null): string | null {
  const name = stored === null ? null : withoutHidden(stored);
  return nameIsMissing(name) ? null : name;
}

export function symbolOf(stored: string | null): string | null {
  const symbol = stored === null ? null : withoutHidden(stored);
  return symbolIsMissing(symbol) ? null : symbol;
}

function sol(lamports: number | null): number | null {
  return lamports === null ? null : roundSignificant(lamportsToSol(lamports));
}

function authority(live: boolean | undefined): 'live' | 'revoked' | null {
  if (live === undefined) return null;
  return live ? 'live' : 'revoked';
}
