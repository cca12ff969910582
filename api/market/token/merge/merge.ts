import type { SampleRecord, TradeRecord } from '../../../tokens/record.ts';
import type {
  CreatedObservation,
  CreatorChangedObservation,
  FactsObservation,
  MigratedObservation,
  Observation,
  RateObservation,
  ReservesObservation,
  SymbolsObservation,
  TradeObservation,
} from '../../sources/observation.ts';
import { isChained } from '../../sources/reserve-chain.ts';
import { advance, beginPoolPeaks, raisePeaks } from '../lifecycle.ts';
import { followPrice } from '../state/follow-price.ts';
import { createLedger } from '../state/holder-ledger.ts';
import { AT_ONCE, isInsiderTrade, type LiveToken, noteInsiderSale, set, touch } from '../state/live-token.ts';
import { samplesBefore, widenSamples } from '../state/samples.ts';
import { addVolume, type VolumeTrade } from '../state/volume.ts';
import {
  dropReportedShares,
  mergeCreationFacts,
  mergeLaunchFacts,
  mergeLiquidityWithdrawn,
  mergeMigrationFacts,
  mergeReadFacts,
  supplyOf,
} from './facts.ts';
import { mergeListed, setListedAt } from './merge-listing.ts';
import { isChain } from './precedence.ts';
import { prefer, preferOrigin, recordSource, sourceOf } from './preferred-fields.ts';
import { priceInSol, toLamports } from './price.ts';
import { type ChainWatch, checkChain, connectCreation, isExact, isOlderThanReserves } from './trade-chain.ts';

/** Observations about one token. */
export type TokenObservation = Exclude<Observation, RateObservation | SymbolsObservation>;

/** Context of the merges of one tick. */
export interface MergeContext extends ChainWatch {
  /** Time of the tick, epoch ms. */
  now: number;
  /** Dollars for 1 SOL; null when unknown. */
  solUsd: number | null;
  /** Receive the rows to store beside the token. */
  trade(live: LiveToken, record: TradeRecord, observation: TradeObservation): void;
  sample(record: SampleRecord): void;
}

/** Decimals that a launchpad gives every coin, so that a coin first observed by a trade has a price at once. */
const DECIMALS_OF_LAUNCHPAD: Readonly<Record<string, number>> = { 'pump.fun': 6 };

/** Merges an observation into its token. The caller has dropped duplicates. Returns true when something changed. */
export function merge(live: LiveToken, observation: TokenObservation, context: MergeContext): boolean {
  live.touchedAt = context.now;
  const changed = mergeKind(live, observation, context);
  if (changed) touch(live, context.now);
  return changed;
}

function mergeKind(live: LiveToken, observation: TokenObservation, context: MergeContext): boolean {
  switch (observation.kind) {
    case 'created':
      return mergeCreated(live, observation, context);
    case 'trade':
      return mergeTrade(live, observation, context);
    case 'completed':
      return advance(live, 'complete');
    case 'migrated':
      return mergeMigrated(live, observation, context);
    case 'reserves':
      return mergeReserves(live, observation, context);
    case 'creator-changed':
      return mergeCreatorChanged(live, observation);
    case 'liquidity-withdrawn':
      return mergeLiquidityWithdrawn(live, observation, context.solUsd);
    case 'facts':
      return mergeFacts(live, observation);
    case 'listed':
      return mergeListed(live, observation);
  }
}

function mergeCreated(live: LiveToken, created: CreatedObservation, context: MergeContext): boolean {
  const { record } = live;
  let changed = false;
  if (prefer(live, 'name', created.name, created)) changed = true;
  if (prefer(live, 'symbol', created.symbol, created)) changed = true;
  for (const isChanged of [
    prefer(live, 'uri', created.uri === '' ? null : created.uri, created),
    prefer(live, 'creator', created.creator, created),
    set(live, 'creationUser', created.user ?? record.creationUser ?? null),
    set(live, 'mayhem', created.mayhem),
    prefer(live, 'decimals', created.decimals, created),
    prefer(live, 'totalSupply', created.totalSupply, created),
    prefer(live, 'bondingCurve', created.bondingCurve, created),
    prefer(live, 'createdAt', created.at, created),
    ...origin(live, created),
    set(live, 'lastSignature', record.lastSignature ?? created.chain.signature),
  ]) {
    changed ||= isChanged;
  }
  setListedAt(live);
  if (record.lastTradeAt === null && applyReserves(live, created, context)) changed = true;
  setInitialLiquidity(live, created, context);
  live.creationSignature = created.chain.signature;
  if (created.chain.slot !== null) set(live, 'createdSlot', created.chain.slot);
  if (created.slotMs !== null) set(live, 'slotMs', created.slotMs);
  if (!record.complete && record.buys + record.sells === 0 && record.lastTradeAt === null) {
    // No trade came before the creation, so from now on every wallet is counted.
    set(live, 'complete', true);
    set(live, 'sinceCreation', true);
    live.ledger = createLedger(record);
    dropReportedShares(live);
  } else {
    connectCreation(live, created, context);
    // A repeated creation may name the signer that the first one lacked.
    if (created.user !== null) live.ledger?.addDeveloper(created.user);
  }
  if (mergeCreationFacts(live, created)) changed = true;
  return changed;
}

/** Merges launchpad, quote and cluster of a chain event. */
function origin(live: LiveToken, event: CreatedObservation | TradeObservation): boolean[] {
  return [
    preferOrigin(live, 'launchpad', event.launchpad, event),
    preferOrigin(live, 'quote', event.quote, event),
    preferOrigin(live, 'cluster', event.cluster, event),
  ];
}

function mergeTrade(live: LiveToken, trade: TradeObservation, context: MergeContext): boolean {
  const { record } = live;
  if (exceedsSupply(live, trade)) {
    context.refused(trade.source);
    return false;
  }
  const lamports = toLamports(trade.quote, trade.quoteAmount, context.solUsd);
  if (record.version === 0 || !isChain(record.detectedBy)) origin(live, trade);
  // A simulated coin that was put on the local chain since.
  if (trade.cluster !== null && record.cluster === null) set(live, 'cluster', trade.cluster);
  if (trade.creator !== null && record.creator === null) prefer(live, 'creator', trade.creator, trade);
  const decimals = DECIMALS_OF_LAUNCHPAD[record.launchpad];
  if (record.decimals === null && decimals !== undefined) set(live, 'decimals', decimals);
  if (trade.venue === 'pool') advance(live, 'pool');
  if (trade.totalSupply !== undefined) prefer(live, 'totalSupply', trade.totalSupply, trade);

  samplesBefore(live, trade.at, context);
  const priceBefore = record.price;
  const isLate = checkChain(live, trade, context);
  if (!isLate) applyReserves(live, trade, context);
  addInitialLiquidity(live, trade, context);
  const { side, wallet, at } = trade;
  live.ledger?.apply({ side, wallet, at, amount: trade.tokenAmount, lamports, slot: trade.chain.slot });
  const isInsider = isInsiderTrade(live, wallet, trade.chain.slot);
  live.momentum.add({ at, side, wallet, lamports, priceBefore, priceAfter: record.price }, isInsider);
  if (isInsider && side === 'sell') noteInsiderSale(live, at);
  if (trade.side === 'buy') set(live, 'buys', record.buys + 1);
  else set(live, 'sells', record.sells + 1);
  countVolume(live, { at, quote: trade.quote, quoteAmount: trade.quoteAmount, lamports }, context.solUsd);
  if (!isLate && (record.lastTradeAt === null || trade.at >= record.lastTradeAt)) {
    set(live, 'lastTradeAt', trade.at);
    set(live, 'lastSignature', trade.chain.signature);
  }
  followPrice(live, trade.at);
  const stored = storedTrade(live, trade, context.solUsd);
  widenSamples(live, at, stored.price);
  context.trade(live, stored, trade);
  return true;
}

function countVolume(live: LiveToken, trade: VolumeTrade, solUsd: number | null): void {
  const { record } = live;
  if (addVolume(record, trade, solUsd)) live.dirty.add('volumeMinutes');
  live.dirty.add('volumeByHour');
  live.dirty.add('runningMinute');
  live.due.values = AT_ONCE;
  live.sampleLamports += trade.lamports ?? 0;
  live.sampleDue = true;
}

/** Returns a merged trade as it is stored: with the price right after it, even when newer reserves are known. */
export function storedTrade({ record }: LiveToken, trade: TradeObservation, solUsd: number | null): TradeRecord {
  const isNewest = record.reserves === trade.reserves;
  return {
    _id: `${trade.chain.signature}:${trade.chain.index}`,
    address: trade.address,
    at: new Date(trade.at),
    side: trade.side,
    wallet: trade.wallet,
    lamports: toLamports(trade.quote, trade.quoteAmount, solUsd),
    amount: trade.tokenAmount,
    price: isNewest ? record.price : priceInSol(trade.reserves, trade.quote, record.decimals, solUsd),
    // No chain has the transaction of a simulated trade.
    signature: trade.cluster === null ? null : trade.chain.signature,
    slot: trade.chain.slot,
  };
}

function mergeMigrated(live: LiveToken, migrated: MigratedObservation, context: MergeContext): boolean {
  const { at, quoteAmount, reserves } = migrated;
  const { quote } = live.record;
  const opening = quoteAmount === null ? null : toLamports(quote, quoteAmount, context.solUsd);
  if (live.record.migratedAt == null) beginPoolPeaks(live, opening);
  let changed = advance(live, 'pool');
  if (live.record.migratedAt == null && set(live, 'migratedAt', at)) changed = true;
  // Trades of the pool in the same second may be merged before the move itself.
  const isNewest = changed || live.reservesAt < at;
  if (prefer(live, 'pool', migrated.pool, migrated)) changed = true;
  if (reserves !== undefined) {
    if (isNewest && applyReserves(live, { ...migrated, reserves, quote, venue: 'pool' }, context)) changed = true;
  } else if (quoteAmount !== null && live.reservesAt <= at) {
    if (set(live, 'liquidityLamports', opening)) changed = true;
    raisePeaks(live);
  }
  if (mergeMigrationFacts(live, migrated)) changed = true;
  return changed;
}

/** Merges reserves that changed without a trade. */
function mergeReserves(live: LiveToken, observation: ReservesObservation, context: MergeContext): boolean {
  const { at, burned, venue } = observation;
  const { totalSupply } = live.record;
  if (venue === 'pool') advance(live, 'pool');
  samplesBefore(live, at, context);
  const applied = applyReserves(live, observation, context);
  if (applied) {
    live.sampleDue = true;
    widenSamples(live, at, live.record.price);
  }
  if (burned === 0 || totalSupply === null) return applied;
  const left = BigInt(totalSupply) - BigInt(burned);
  return prefer(live, 'totalSupply', String(left < 0n ? 0n : left), observation) || applied;
}

/**
 * Merges a change of the account that earns the creator's fees. The creator of the creation stays, as it launched the coin; a
 * coin first observed by a trade takes the wallet before the change.
 */
function mergeCreatorChanged(live: LiveToken, observation: CreatorChangedObservation): boolean {
  const { creator } = live.record;
  const { previous, creator: next } = observation;
  const named = creator === null && prefer(live, 'creator', previous ?? next, observation);
  for (const wallet of [live.record.creator, next]) if (wallet !== null) live.ledger?.addDeveloper(wallet);
  const later = next === live.record.creator ? null : next;
  return ((live.record.feeCreator ?? null) !== later && set(live, 'feeCreator', later)) || named;
}

function mergeFacts(live: LiveToken, observation: FactsObservation): boolean {
  const { facts } = observation;
  const decimals = prefer(live, 'decimals', facts.decimals ?? null, observation);
  const supply = prefer(live, 'totalSupply', facts.totalSupply ?? null, observation);
  // Price and market cap depend on both.
  if (decimals || supply) live.due.values = AT_ONCE;
  const launch = mergeLaunchFacts(live, observation);
  const read = mergeReadFacts(live, observation);
  return decimals || supply || launch || read;
}

/** Most trades of one slot that are kept until their coin's creation arrives. */
const TRADES_KEPT = 32;

/** Dollars for 1 SOL; null when unknown. */
type Rate = { solUsd: number | null };

/** Sets the real quote side right after the creation, unless a chain event has set it before. */
function setInitialLiquidity(live: LiveToken, created: CreatedObservation, { solUsd }: Rate): void {
  const recorded = sourceOf(live, 'initialLiquidityLamports');
  // The developer's purchase in the same transaction counts, also when it came before the creation.
  const own = live.earliestTrades
    .filter(({ chain }) => chain.signature === created.chain.signature)
    .reduce<TradeObservation | CreatedObservation>(
      (last, one) => (one.chain.index > last.chain.index ? one : last),
      created,
    );
  live.earliestTrades = [];
  const lamports = toLamports(created.quote, own.reserves.realQuote, solUsd);
  if (live.record.initialLiquidityLamports !== null && (recorded === undefined || isChain(recorded.source))) return;
  // The source is recorded only where the value replaces a service's.
  if (recorded === undefined) set(live, 'initialLiquidityLamports', lamports);
  else prefer(live, 'initialLiquidityLamports', lamports, created);
}

/**
 * Counts liquidity added within the creation's transaction as initial, however late it arrives. While the creation has not
 * arrived, the trades of the earliest slot are kept, which may be part of it.
 */
function addInitialLiquidity(live: LiveToken, trade: TradeObservation, { solUsd }: Rate): void {
  const { slot, signature } = trade.chain;
  if (signature === live.creationSignature) {
    set(live, 'initialLiquidityLamports', toLamports(trade.quote, trade.reserves.realQuote, solUsd));
    recordSource(live, 'initialLiquidityLamports', trade);
  }
  if (slot === null || live.record.createdSlot !== null) return;
  const earliest = live.earliestTrades[0]?.chain.slot ?? Number.POSITIVE_INFINITY;
  if (slot < earliest) live.earliestTrades = [trade];
  else if (slot === earliest && live.earliestTrades.length < TRADES_KEPT)
    live.earliestTrades = [...live.earliestTrades, trade];
}

/** An event that left these reserves; without a venue on the curve. */
type ReserveEvent = Pick<TradeObservation, 'at' | 'source' | 'chain' | 'reserves' | 'quote'> & {
  venue?: 'curve' | 'pool';
};

/** Applies the reserves of an event unless newer ones are known. `solUsd`: dollars for 1 SOL; null when unknown. Returns true when applied. */
function applyReserves(live: LiveToken, event: ReserveEvent, { solUsd }: { solUsd: number | null }): boolean {
  const { record } = live;
  if (isOlderThanReserves(live, event)) return false;
  // A late trade on the curve: the pool makes the price now. A stage that only a service reported does not count.
  const hasLeftCurve = record.stage === 'pool' && (record.reservesVenue === 'pool' || record.migratedAt != null);
  if (hasLeftCurve && event.venue === 'curve') return false;
  live.reservesAt = event.at;
  set(live, 'reservesSlot', event.chain.slot);
  live.reservesSource = event.source;
  live.areReservesExact = isExact(live, event);
  set(live, 'reserves', event.reserves);
  set(live, 'reservesVenue', event.venue ?? 'curve');
  set(live, 'price', priceInSol(event.reserves, event.quote, record.decimals, solUsd));
  const liquidity = toLamports(event.quote, event.reserves.realQuote, solUsd);
  set(live, 'liquidityLamports', liquidity);
  raisePeaks(live);
  live.due.values = AT_ONCE;
  return true;
}

/** In mayhem mode an agent mints as many tokens again. */
const MAYHEM_SUPPLY = 2;

/** Returns whether the supply comes from the chain or the mint account: services may report whole tokens. */
function isSupplyRead(live: LiveToken): boolean {
  const source = sourceOf(live, 'totalSupply')?.source;
  return source === undefined || source === 'rpc' || isChain(source);
}

/** Returns whether a trade moves, or leaves in curve or pool, more tokens than there are. */
function exceedsSupply(live: LiveToken, { tokenAmount, reserves }: TradeObservation): boolean {
  const supply = supplyOf(live);
  if (supply === null || !isChained(live.record.launchpad) || !isSupplyRead(live)) return false;
  const most = live.record.mayhem === true ? supply * MAYHEM_SUPPLY : supply;
  return tokenAmount > most || reserves.realToken > most;
}
