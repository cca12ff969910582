import type { Observation, TradeObservation } from '../../../api/market/sources/observation.ts';
import { HOUR } from '../../../common/time.ts';
import { SOL_USD } from './engine-without-storage.ts';

/** Dollar millionths and lamports in one unit. */
const USDC_UNITS = 1_000_000;
const SOL_UNITS = 1_000_000_000;
/** A coin is drained with at most this share left of a peak of at least this many SOL. */
const DRAINED_SHARE = 0.25;
const DRAINED_MIN_PEAK = 2;

/** The true state of a coin by the events of the simulator, independent of the figures that the product computes. */
export interface Truth {
  readonly address: string;
  /** Creation in simulated time, epoch ms. */
  readonly createdAt: number;
  readonly fate: string;
  /** Present real liquidity and its peak, SOL. */
  liquidity: number;
  peakLiquidity: number;
  /** Present price in quote units per base unit; null before the first trade. */
  price: number | null;
  isGraduated: boolean;
  /** Spans of an hour that are still running. */
  spans: Span[];
}

/** The hour after a moment of a coin: its figures then, and the extremes since. */
export interface Span {
  readonly from: number;
  /** SOL, and the least since. */
  readonly liquidity: number;
  lowestLiquidity: number;
  /** Quote units per base unit; null when no trade had happened. The highest since; null without a price. */
  readonly price: number | null;
  highestPrice: number | null;
}

/** The coins of a run and what becomes of them. */
export interface Outcomes {
  launch(address: string, fate: string, at: number): Truth;
  observe(observation: Observation): void;
  get(address: string): Truth | undefined;
  values(): Iterable<Truth>;
  /** Begins to follow the hour after `at`. */
  follow(truth: Truth, at: number): Span;
}

export function createOutcomes(): Outcomes {
  const truths = new Map<string, Truth>();
  return {
    launch(address, fate, createdAt) {
      const truth: Truth = {
        address,
        createdAt,
        fate,
        liquidity: 0,
        peakLiquidity: 0,
        price: null,
        isGraduated: false,
        spans: [],
      };
      truths.set(address, truth);
      return truth;
    },
    observe(observation) {
      if (!('address' in observation)) return;
      const truth = truths.get(observation.address);
      if (truth === undefined) return;
      if (observation.kind === 'trade') applyTrade(truth, observation);
      else if (observation.kind === 'completed' || observation.kind === 'migrated') truth.isGraduated = true;
    },
    get: (address) => truths.get(address),
    values: () => truths.values(),
    follow(truth, from) {
      const { liquidity, price } = truth;
      const span: Span = { from, liquidity, lowestLiquidity: liquidity, price, highestPrice: price };
      truth.spans.push(span);
      return span;
    },
  };
}

/** Returns whether at least three quarters of a peak of at least 2 SOL are gone. */
export function isDrained({ liquidity, peakLiquidity }: Truth): boolean {
  return peakLiquidity >= DRAINED_MIN_PEAK && liquidity <= peakLiquidity * DRAINED_SHARE;
}

function applyTrade(truth: Truth, { reserves, quote, receivedAt }: TradeObservation): void {
  truth.liquidity = quote === 'SOL' ? reserves.realQuote / SOL_UNITS : reserves.realQuote / USDC_UNITS / SOL_USD;
  truth.peakLiquidity = Math.max(truth.peakLiquidity, truth.liquidity);
  truth.price = reserves.virtualQuote / reserves.virtualToken;
  for (const span of truth.spans) {
    if (receivedAt > span.from + HOUR) continue;
    span.lowestLiquidity = Math.min(span.lowestLiquidity, truth.liquidity);
    if (span.highestPrice !== null) span.highestPrice = Math.max(span.highestPrice, truth.price);
  }
}
