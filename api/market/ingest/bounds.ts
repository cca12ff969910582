import { MINUTE } from '../../../common/time.ts';
import type {
  MigratedObservation,
  Observation,
  QuoteKind,
  Reserves,
  TradeObservation,
} from '../sources/observation.ts';
import { isChained } from '../sources/reserve-chain.ts';

/** Greatest lead of a chain time over its receipt, ms: a later one would keep a coin new, or its price fixed, for ever. */
const MAX_LEAD = MINUTE;
/** Base units of a coin of pump.fun: 10^15, and as many again that its agent mints in mayhem mode. */
const MAX_SUPPLY = 2_000_000_000_000_000;
/** Virtual tokens of a curve exceed the supply by 73,000,000 tokens. */
const MAX_VIRTUAL_TOKENS = 1.1 * MAX_SUPPLY;
/** Supply of a standard coin, base units; prices are judged by it. */
const STANDARD_SUPPLY = 1_000_000_000_000_000;
/** All SOL in lamports (620 million SOL in 2026), and as many millionths of USDC, ten times all of it. */
const MAX_WORTH = 620_000_000_000_000_000;

/**
 * Returns whether an observation is possible: its time is not in the future, and its reserves and amounts are what a curve or
 * pool can hold. Others are refused, since one of them would spoil the figures of its coin.
 */
export function isPossible(observation: Observation): boolean {
  const { at, receivedAt } = observation;
  if (!Number.isFinite(at) || at > receivedAt + MAX_LEAD) return false;
  switch (observation.kind) {
    case 'created':
      return areReservesPossible(observation.reserves, observation.quote, observation.launchpad);
    case 'trade':
      return isTradePossible(observation);
    case 'reserves':
      return isAmount(observation.burned) && areReservesPossible(observation.reserves, observation.quote, null);
    case 'migrated':
      return isMigrationPossible(observation);
    case 'liquidity-withdrawn':
      return isAmount(observation.quoteAmount);
    default:
      return true;
  }
}

function isMigrationPossible({ quoteAmount, reserves }: MigratedObservation): boolean {
  if (quoteAmount !== null && !isAmount(quoteAmount)) return false;
  // Only coins of pump.fun are reported with the reserves of their pool, whose quote is SOL or USDC.
  return reserves === undefined || areReservesPossible(reserves, 'SOL', 'pump.fun');
}

function isTradePossible({ tokenAmount, quoteAmount, reserves, quote, launchpad }: TradeObservation): boolean {
  if (!isAmount(tokenAmount) || !isAmount(quoteAmount)) return false;
  if (isChained(launchpad) && tokenAmount > MAX_SUPPLY) return false;
  return areReservesPossible(reserves, quote, launchpad);
}

/** `launchpad`: null when the observation does not name it. */
function areReservesPossible(reserves: Reserves, quote: QuoteKind, launchpad: string | null): boolean {
  const { virtualQuote, virtualToken, realQuote, realToken } = reserves;
  if (![virtualQuote, virtualToken, realQuote, realToken].every(isAmount)) return false;
  if (launchpad !== null && isChained(launchpad)) {
    if (virtualToken > MAX_VIRTUAL_TOKENS || realToken > MAX_SUPPLY || realToken > virtualToken) return false;
  }
  // A price that would make the coin worth more than all money of its quote; an unknown quote has no such bound.
  return quote === 'other' || virtualToken === 0 || (virtualQuote / virtualToken) * STANDARD_SUPPLY <= MAX_WORTH;
}

function isAmount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
