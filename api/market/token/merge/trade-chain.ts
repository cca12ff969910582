import type { CreatedObservation, SourceName, TradeObservation } from '../../sources/observation.ts';
import { follows, followsDonation, hasGained, isChained } from '../../sources/reserve-chain.ts';
import type { MissedTrades } from '../../sources/source.ts';
import { type LiveToken, set, type TradeGap } from '../state/live-token.ts';
import { isChain } from './precedence.ts';

/** Receives gaps in the trades of coins, gaps that were closed afterwards, impossible trades, and donations, with their source. */
export interface ChainWatch {
  refused(source: SourceName): void;
  missed(source: SourceName, trades: MissedTrades): void;
  repaired(source: SourceName): void;
  /** Coins or quote were sent to the accounts of a pool without a trade, unless there are trades that the node has to list. */
  donated(source: SourceName, trades: MissedTrades): void;
}

export const noChainWatch: ChainWatch = {
  refused: () => undefined,
  missed: () => undefined,
  repaired: () => undefined,
  donated: () => undefined,
};

/** Open gaps remembered for one coin; those beyond stay counted, and cannot be closed. */
const MAX_GAPS = 8;

/**
 * Compares a trade with the reserves that its coin had before. Trades between two that were observed leave a gap: they are
 * counted, and the holders are no longer complete until the missing trades are read. Returns true for a trade that is older
 * than the known reserves, which must not replace them.
 */
export function checkChain(live: LiveToken, trade: TradeObservation, watch: ChainWatch): boolean {
  const { reserves } = live.record;
  if (!isComparable(live, trade) || reserves === null) {
    if (reserves === null && isExact(live, trade)) live.firstTrade = trade;
    return false;
  }
  const isOlder = isOlderThanReserves(live, trade);
  if (!isOlder && follows(trade, reserves)) {
    // The token side alone decides in a pool: a purchase and the sale of the same amount would go unnoticed.
    if (hasGained(trade, reserves)) doubt(live, { after: reserves, next: trade }, watch);
    return false;
  }
  // A trade of a later slot than the known reserves lies behind every gap.
  const gap = isOlder || trade.chain.slot === live.record.reservesSlot ? gapBefore(live, trade) : undefined;
  if (gap !== undefined) {
    fill(live, gap, trade, watch);
    return true;
  }
  if (isOlder) return true;
  if (followsDonation(trade, reserves)) {
    doubt(live, { after: reserves, next: trade }, watch);
    return false;
  }
  open(live, { after: reserves, next: trade });
  watch.missed(trade.source, missedTrades(live, trade));
  return false;
}

/** Returns whether a trade lies on the chain before the known reserves. Chain times are whole seconds, so the slot decides first. */
export function isOlderThanReserves(live: LiveToken, event: { at: number; chain: { slot: number | null } }): boolean {
  const { slot } = event.chain;
  const { reservesSlot } = live.record;
  if (slot !== null && reservesSlot != null) return slot < reservesSlot;
  return event.at < live.reservesAt;
}

/**
 * Connects a creation that comes after trades of its coin with the first of them. Without a gap in between the holders can be
 * counted after all, from the stored trades.
 */
export function connectCreation(live: LiveToken, created: CreatedObservation, watch: ChainWatch): void {
  const { record, firstTrade } = live;
  if (record.sinceCreation === true || firstTrade === null || !isExact(live, created)) return;
  set(live, 'sinceCreation', true);
  live.ledgerDue = true;
  live.firstTrade = null;
  if (!follows(firstTrade, created.reserves)) {
    open(live, { after: created.reserves, next: firstTrade });
    watch.missed(created.source, {
      address: record._id,
      account: created.bondingCurve,
      after: created.chain,
      before: firstTrade.chain.signature,
    });
  } else if ((record.tradesMissed ?? 0) === 0) {
    set(live, 'complete', true);
  }
}

/** Returns whether the reserves of an event are exact to the unit, and its place on the chain is known. */
export function isExact(
  { record }: LiveToken,
  { source, chain }: Pick<TradeObservation | CreatedObservation, 'source' | 'chain'>,
): boolean {
  return isChain(source) && chain.slot !== null && isChained(record.launchpad);
}

/** Returns whether reserves and trade are exact and of the same venue: a coin begins again in its pool. */
function isComparable(live: LiveToken, trade: TradeObservation): boolean {
  return live.areReservesExact && isExact(live, trade) && (live.record.reservesVenue ?? 'curve') === trade.venue;
}

type GapEnds = Omit<TradeGap, 'isDoubtful'>;

function open(live: LiveToken, gap: GapEnds): void {
  const { record } = live;
  set(live, 'tradesMissed', (record.tradesMissed ?? 0) + 1);
  set(live, 'complete', false);
  remember(live, { ...gap, isDoubtful: false });
}

/** Takes a gain of the pool for a donation, and asks for the trades in between, if there are any. */
function doubt(live: LiveToken, gap: GapEnds, watch: ChainWatch): void {
  const { next } = gap;
  watch.donated(next.source, { ...missedTrades(live, next), isDoubtful: true });
  remember(live, { ...gap, isDoubtful: true });
}

/** Remembers a gap; of the doubtful ones the newest only, and none in place of a counted one. */
function remember(live: LiveToken, gap: TradeGap): void {
  const gaps = live.gaps?.filter(({ isDoubtful }) => !isDoubtful) ?? [];
  if (gaps.length < MAX_GAPS) gaps.push(gap);
  live.gaps = gaps;
}

function gapBefore(live: LiveToken, trade: TradeObservation): TradeGap | undefined {
  return live.gaps?.find(({ after }) => follows(trade, after));
}

/** Moves the beginning of a gap behind a trade that was read afterwards; closes the gap when nothing is left of it. */
function fill(live: LiveToken, gap: TradeGap, trade: TradeObservation, watch: ChainWatch): void {
  gap.after = trade.reserves;
  const isClosed = follows(gap.next, gap.after) || followsDonation(gap.next, gap.after);
  if (!isClosed && !gap.isDoubtful) return;
  const { record } = live;
  live.gaps = live.gaps?.filter((other) => other !== gap) ?? null;
  if (!isClosed) {
    // No donation after all, and more trades are missing.
    open(live, { after: gap.after, next: gap.next });
    watch.missed(trade.source, { ...missedTrades(live, gap.next), after: trade.chain });
    return;
  }
  if (!gap.isDoubtful) {
    set(live, 'tradesMissed', Math.max(0, (record.tradesMissed ?? 0) - 1));
    watch.repaired(trade.source);
  }
  if (record.tradesMissed !== 0 || record.sinceCreation !== true) return;
  set(live, 'complete', true);
  // Counted again in the order of the chain, with the trades in their places.
  live.ledgerDue = true;
}

function missedTrades({ record }: LiveToken, trade: TradeObservation): MissedTrades {
  return {
    address: record._id,
    account: trade.venue === 'pool' ? record.pool : record.bondingCurve,
    after: { signature: record.lastSignature, slot: record.reservesSlot ?? null },
    before: trade.chain.signature,
  };
}
