import type { ChainCluster } from '../../../common/client-config/model.ts';
import { isoOrNull } from '../../../common/time.ts';
import type { ServerTrading, TradingAccount, TradingMode } from '../../../common/trading/account.ts';
import { bookOn, dayOf } from '../../../common/trading/limits/book.ts';
import { type Lock, locksOf } from '../../../common/trading/limits/locks.ts';
import type { LockView } from '../../../common/trading/limits/protections.ts';
import type { StoppedRecord, TradingAccountRecord } from './model.ts';
import { limitedAccountOf, protectionsOf } from './money-hold.ts';
import { presetsOf } from './presets.ts';

/** Returns the modes that a user may choose on a server, its own one first. */
export function modesOf(server: ServerTrading): TradingMode[] {
  if (server === 'off') return [];
  return server === 'paper' ? ['paper'] : [server, 'paper'];
}

/** Where the server trades: its switch, and the network of real money; null until its node was checked. */
export interface Venue {
  server: ServerTrading;
  liveCluster: ChainCluster | null;
}

/**
 * Returns the mode of a user's next order; null while trading is off. Real money only when chosen, and consented to for this
 * network (any one is refused until the node was checked). A choice that the server no longer offers counts as none.
 */
export function modeOf(
  { server, liveCluster }: Venue,
  { mode: chosen, live }: Pick<TradingAccountRecord, 'mode' | 'live'>,
): TradingMode | null {
  if (server === 'off') return null;
  const other = server === 'local' ? 'local' : 'paper';
  if (chosen === null || !modesOf(server).includes(chosen)) return other;
  if (chosen !== 'live') return chosen;
  const isConsented = live && (liveCluster === null || live.cluster === liveCluster);
  return isConsented ? 'live' : other;
}

/** What an account is presented with, besides its record. */
export interface PresentFacts {
  stoppedAll: StoppedRecord | null;
  /** Orders of the user in the present mode without a verdict in time. */
  unknownOrders: number;
  /** Epoch ms. */
  now: number;
}

/** Returns an account as REST and events carry it. */
export function presentTradingAccount(
  record: TradingAccountRecord,
  { stoppedAll, unknownOrders, now, ...venue }: Venue & PresentFacts,
): TradingAccount {
  const { limits, defaults, bot, stopped, paper, version } = record;
  const mode = modeOf(venue, record);
  const { server } = venue;
  const book = mode && bookOn(record.books[mode], dayOf(now));
  return {
    server,
    modes: modesOf(server),
    mode,
    limits,
    defaults: { exits: defaults.exits },
    presets: presetsOf(record),
    bot,
    protections: protectionsOf(record),
    locks: mode === null ? [] : locksOf(limitedAccountOf(record, { mode }, unknownOrders), now).map(presentLock),
    stopped: stopped && {
      at: stopped.at.toISOString(),
      by: stopped.by,
      pausesExits: stopped.pausesExits ?? false,
    },
    stoppedAll: stoppedAll !== null,
    budget: book && {
      day: book.day,
      leftLamports: Math.max(0, limits.perDayLamports - book.usedLamports),
      reservedLamports: book.reservedLamports,
      realisedLamports: book.realisedLamports,
      openPositions: new Set(book.positions.map((id) => book.tokens?.[id] ?? id)).size,
    },
    paper: { lamports: Math.max(0, paper.lamports), resetAt: paper.resetAt.toISOString() },
    version,
  };
}

function presentLock({ until, ...lock }: Lock): LockView {
  return { ...lock, until: isoOrNull(until) };
}
