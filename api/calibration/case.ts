import type { CalibrationMarket } from '../../common/calibration/model.ts';
import { marketOf } from '../../common/calibration/rules.ts';
import type { Stage, Token } from '../../common/tokens/model.ts';
import { lamportsToSol, roundSignificant } from '../../common/tokens/units.ts';
import { presentScore } from '../tokens/present.ts';
import type { TokenRecord } from '../tokens/record.ts';

/** A coin of one of the markets, with the figures that a snapshot keeps. Liquidity in SOL, price in SOL for one token; null where unknown. */
export interface CoinState {
  address: string;
  market: CalibrationMarket;
  /** Creation on chain, epoch ms. */
  createdAt: number;
  /** Risk 0–100. */
  score: number | null;
  /** Percent 0–100 of the checks that are known. */
  coverage: number;
  growth: number | null;
  runner: boolean;
  mightRun: boolean;
  liquidity: number | null;
  price: number | null;
  stage: Stage;
  /** False once a trade since the creation was missed: then the extremes may be wrong. */
  complete: boolean;
}

/**
 * A coin at one of the recorded ages, and the extremes of the hour that runs since: a document of `calibrationcases` until it is
 * settled. Times are epoch ms.
 */
export interface OpenCase extends Readonly<Omit<CoinState, 'createdAt' | 'liquidity' | 'complete'>> {
  /** `<address>:<age>`. */
  readonly _id: string;
  readonly rulesVersion: number;
  /** ms. */
  readonly age: number;
  readonly takenAt: number;
  readonly settlesAt: number;
  readonly liquidity: number;
  lowestLiquidity: number;
  highestPrice: number | null;
  /** True once the coin has left the curve that it was on. */
  graduated: boolean;
  complete: boolean;
}

/** Reasons why a snapshot gives no case, see `leftOutSchema`. */
export type LeftOutReason = 'small' | 'interrupted' | 'incomplete';

/** A snapshot that gave no case, or whose case came to nothing. */
export interface LeftOutCase extends Pick<OpenCase, 'market' | 'rulesVersion' | 'age' | 'takenAt'> {
  reason: LeftOutReason;
}

/** Returns the state of a coin; null when it belongs to no market or its creation is unknown. */
export function coinState(token: Token, complete: boolean): CoinState | null {
  const market = marketOf(token);
  if (market === null || token.createdAt === null) return null;
  return {
    address: token.address,
    market,
    createdAt: Date.parse(token.createdAt),
    score: token.scamProbability,
    coverage: token.riskCoverage,
    growth: token.growthScore,
    runner: token.runner,
    mightRun: token.mightRun,
    liquidity: token.currentLiquidity,
    price: token.price,
    stage: token.stage,
    complete,
  };
}

/** Fields of a stored token that its state is made of, as a projection. */
export const coinFields = {
  detectedBy: 1,
  cluster: 1,
  createdAt: 1,
  riskScore: 1,
  riskRulesVersion: 1,
  riskCoverage: 1,
  growthScore: 1,
  runner: 1,
  mightRun: 1,
  liquidityLamports: 1,
  price: 1,
  stage: 1,
  complete: 1,
} as const satisfies Partial<Record<keyof TokenRecord, 1>>;

/** Those fields and the address. */
export type CoinRecord = Pick<TokenRecord, '_id' | keyof typeof coinFields>;

/** Returns the state of a stored token, equal to the one that `coinState` gives for its wire form; null as there. */
export function storedCoinState(record: CoinRecord): CoinState | null {
  const { createdAt, detectedBy, cluster, liquidityLamports, price } = record;
  const market = marketOf({ metadata: { detectedBy, cluster } });
  if (market === null || createdAt === null) return null;
  return {
    address: record._id,
    market,
    createdAt,
    score: presentScore(record),
    coverage: record.riskCoverage,
    growth: record.growthScore,
    runner: record.runner,
    mightRun: record.mightRun,
    liquidity: liquidityLamports === null ? null : roundSignificant(lamportsToSol(liquidityLamports)),
    price: price === null ? null : roundSignificant(price),
    stage: record.stage,
    complete: record.complete,
  };
}
