import type { ServerTrading, TradingAccount, TradingMode } from '../../../common/trading/account.ts';
import type { StoppedRecord, TradingAccountRecord } from './model.ts';
import { bookOn, dayOf } from './money-hold.ts';

/** Returns the modes that a user may choose on a server, its own one first. */
export function modesOf(server: ServerTrading): TradingMode[] {
  if (server === 'off') return [];
  return server === 'paper' ? ['paper'] : [server, 'paper'];
}

/**
 * Returns the mode of a user's next order; null while trading is off. Real money only when chosen, and a choice that the
 * server no longer offers counts as none.
 */
export function modeOf(server: ServerTrading, chosen: TradingMode | null): TradingMode | null {
  if (server === 'off') return null;
  if (chosen !== null && modesOf(server).includes(chosen)) return chosen;
  return server === 'local' ? 'local' : 'paper';
}

/** Returns an account as REST and events carry it. `now`: epoch ms. */
export function presentTradingAccount(
  record: TradingAccountRecord,
  { server, stoppedAll, now }: { server: ServerTrading; stoppedAll: StoppedRecord | null; now: number },
): TradingAccount {
  const { limits, defaults, bot, stopped, paper, version } = record;
  const mode = modeOf(server, record.mode);
  const book = mode && bookOn(record.books[mode], dayOf(now));
  return {
    server,
    modes: modesOf(server),
    mode,
    limits,
    defaults,
    bot,
    stopped: stopped && { at: stopped.at.toISOString(), by: stopped.by },
    stoppedAll: stoppedAll !== null,
    budget: book && {
      day: book.day,
      leftLamports: Math.max(0, limits.perDayLamports - book.usedLamports),
      reservedLamports: book.reservedLamports,
      realisedLamports: book.realisedLamports,
      openPositions: book.positions.length,
    },
    paper: { lamports: Math.max(0, paper.lamports), resetAt: paper.resetAt.toISOString() },
    version,
  };
}
