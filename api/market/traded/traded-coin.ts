import type { Cluster, Stage } from '../../../common/tokens/model.ts';
import { presentScore } from '../../tokens/present.ts';
import type { QuoteKind, Reserves, SourceName } from '../../tokens/record.ts';
import { isChained } from '../sources/reserve-chain.ts';
import type { LiveToken } from '../token/state/live-token.ts';

/** A token as trading reads it: a copy of the present figures. Amounts are integers, times epoch ms; unknown is null. */
export interface TradedCoin {
  readonly address: string;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
  /** Base units, decimal string. */
  readonly totalSupply: string | null;
  readonly stage: Stage;
  readonly quote: QuoteKind;
  /** null: on no chain. */
  readonly cluster: Cluster;
  readonly launchpad: string;
  readonly detectedBy: SourceName;
  /** Wallet that earns the creator's fees: the creator, or its successor. */
  readonly creator: string | null;
  /** Missing in a coin that did not come from the market. */
  readonly createdAt?: number | null;
  readonly mayhem: boolean | null;
  /** SOL for one whole token. */
  readonly price: number | null;
  /** Reserves after the last event, in units of the quote; on the curve unless `reservesVenue` is `pool`. */
  readonly reserves: Readonly<Reserves> | null;
  readonly reservesVenue: 'curve' | 'pool';
  /** True when the reserves are those of a chain event, exact to the unit. */
  readonly areReservesExact: boolean;
  /** Time of the reserves. */
  readonly reservesAt: number | null;
  /** Slot of the reserves; null also for reserves of an earlier run. */
  readonly reservesSlot: number | null;
  readonly liquidityLamports: number | null;
  /** 0–100. */
  readonly riskScore: number | null;
  /** Whether another coin had the symbol before; false also when that is not known. */
  readonly hasCopiedSymbol: boolean;
  readonly lastTradeAt: number | null;
  /** True while the source of the reserves is live and the market merges its observations in time. */
  readonly isLive: boolean;
}

/** Returns the view of a token. `isLive` receives the source that reported the reserves. */
export function tradedCoin(live: LiveToken, isLive: (source: SourceName) => boolean): TradedCoin {
  const { record } = live;
  return {
    address: record._id,
    name: record.name,
    symbol: record.symbol,
    decimals: record.decimals,
    totalSupply: record.totalSupply,
    stage: record.stage,
    quote: record.quote,
    cluster: record.cluster,
    launchpad: record.launchpad,
    detectedBy: record.detectedBy,
    creator: record.feeCreator ?? record.creator,
    createdAt: record.createdAt,
    mayhem: record.mayhem ?? null,
    price: record.price,
    reserves: record.reserves && { ...record.reserves },
    reservesVenue: record.reservesVenue ?? 'curve',
    areReservesExact: record.reserves !== null && live.areReservesExact && isChained(record.launchpad),
    reservesAt: record.reserves === null ? null : live.reservesAt,
    reservesSlot: record.reservesSlot ?? null,
    liquidityLamports: record.liquidityLamports,
    riskScore: presentScore(record),
    hasCopiedSymbol: (record.facts.symbolTwin?.value ?? '') !== '',
    lastTradeAt: record.lastTradeAt,
    isLive: isLive(live.reservesSource),
  };
}
