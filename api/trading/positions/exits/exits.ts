import type { Logger } from 'pino';
import { type Clock, MINUTE, SECOND } from '../../../../common/time.ts';
import { noExits } from '../../../../common/trading/account.ts';
import { type ExitKind, exitAt, exitsFrom } from '../../../../common/trading/exits.ts';
import type { Market } from '../../../market/market.ts';
import { loggable } from '../../../platform/log.ts';
import { pause } from '../../../platform/resilience.ts';
import type { OpenBook } from '../open-book.ts';
import type { PositionRecord } from '../record.ts';
import type { SellExit } from './sell-exit.ts';

/** Interval in which present prices are judged besides each new one, and fired exits are continued, ms. */
const ROUND_MS = 2 * SECOND;
/** Time after the start in which a fired exit waits for the figures of its token, ms. */
const MARKET_WAIT_MS = 30 * SECOND;
/** Least time between two tries of an exit that does not get through, ms: also when no later price can change that. */
const AGAIN_MS = { passing: SECOND, lasting: MINUTE } as const;
/** Pause after a failed step: the database is away. */
const OUTAGE_PAUSE = SECOND;

/**
 * Sells positions at their stop loss or take profit: judged on every price, in the order of the trades, and the first that
 * fires wins. Neither risk nor budget nor a stop is asked.
 */
export interface PositionExits {
  start(): void;
  /** Resolves after the present steps. */
  stop(): Promise<void>;
}

export interface ExitsDeps {
  book: OpenBook;
  market: Pick<Market, 'onMoved' | 'liveCoin'>;
  /** Sells a position whose exit has fired. */
  sell: SellExit;
  clock: Clock;
  log: Logger;
}

/** Returns the exit that a price fires; null when it fires none. */
function firedBy({ exits, entryPrice, openedAt }: PositionRecord, price: number, now: number): ExitKind | null {
  // Those that sell a part, or follow the peak, are not carried out yet.
  const { stopLossPercent, takeProfitPercent } = exitsFrom(exits);
  const judged = { ...noExits, stopLossPercent, takeProfitPercent };
  const state = { entryPrice, peakPrice: entryPrice, openedAt: openedAt.getTime(), stepsDone: [] };
  return exitAt(judged, state, price, now)?.kind ?? null;
}

export function createPositionExits({ book, market, sell, clock, log }: ExitsDeps): PositionExits {
  const stopping = new AbortController();
  /** Sales in progress by position. */
  const running = new Map<string, Promise<void>>();
  /** When a stuck exit may be tried again, epoch ms. */
  const notBefore = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;
  let startedAt = 0;

  function run(position: PositionRecord, kind: ExitKind): void {
    const id = position._id.toHexString();
    if (stopping.signal.aborted || running.has(id) || (notBefore.get(id) ?? 0) > clock.now()) return;
    running.set(
      id,
      selling(position, kind).finally(() => running.delete(id)),
    );
  }

  /** Sells through outages: a fired exit is not given up. */
  async function selling({ _id }: PositionRecord, kind: ExitKind): Promise<void> {
    const id = _id.toHexString();
    while (!stopping.signal.aborted) {
      try {
        const result = await sell(_id, kind, stopping.signal);
        if (result === 'sold') notBefore.delete(id);
        else notBefore.set(id, clock.now() + AGAIN_MS[result]);
        return;
      } catch (error) {
        log.warn({ position: id, error: loggable(error) }, 'exit failed, retrying');
        await pause(OUTAGE_PAUSE, stopping.signal);
      }
    }
  }

  function judge(position: PositionRecord, price: number | null): void {
    const kind = position.exit?.kind ?? (price === null ? null : firedBy(position, price, clock.now()));
    if (kind !== null) run(position, kind);
  }

  /** Judges present prices: those that were in force before the limits, and before a restart. */
  function round(): void {
    const isLate = clock.now() - startedAt > MARKET_WAIT_MS;
    for (const id of notBefore.keys()) if (!book.get(id)) notBefore.delete(id);
    for (const position of book.all()) {
      const coin = market.liveCoin(position.token.address);
      // Without a market nothing can be sold, which must not count as a failure.
      if (position.status === 'stuck' || (!coin?.isLive && !isLate)) continue;
      judge(position, coin?.isLive ? coin.price : null);
    }
  }

  return {
    start() {
      startedAt = clock.now();
      unsubscribe ??= market.onMoved(({ steps }) => {
        for (const { address, price } of steps) for (const position of book.of(address)) judge(position, price);
      });
      timer ??= setInterval(round, ROUND_MS);
      timer.unref();
    },
    async stop() {
      unsubscribe?.();
      clearInterval(timer);
      stopping.abort();
      await Promise.all(running.values());
    },
  };
}
