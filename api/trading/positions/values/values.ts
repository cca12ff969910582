import { SECOND } from '../../../../common/time.ts';
import type { PositionValue } from '../../../../common/trading/position.ts';
import type { EventSink } from '../../../events/bus.ts';
import type { Market } from '../../../market/market.ts';
import type { OpenBook } from '../open-book.ts';
import type { PositionRecord } from '../record.ts';

/** All positions are valued again after so many seconds: no price shows that a source has fallen silent. */
const ROUND = 10;

/** Emits the values of open positions that changed, once a second, to users who listen. */
export interface PositionValues {
  start(): void;
  stop(): void;
  /** Emits the changes since the last time. */
  tick(): void;
}

export interface PositionValuesDeps {
  book: OpenBook;
  /** Returns the present value of an open position. */
  value(position: PositionRecord): PositionValue;
  market: Pick<Market, 'onMoved'>;
  /** Returns false when no client of the user is connected. */
  isListening(userId: string): boolean;
  bus: EventSink;
}

export function createPositionValues({ book, value, market, isListening, bus }: PositionValuesDeps): PositionValues {
  /** Tokens whose price or depth has changed since the last tick. */
  let moved = new Set<string>();
  /** Last emitted value of each open position, without its time. */
  const emitted = new Map<string, string>();
  let seconds = 0;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;

  /** Returns the value of a position, unless it is the one emitted last. */
  function changed(position: PositionRecord): { id: string; value: PositionValue } | null {
    const id = position._id.toHexString();
    const present = value(position);
    const text = JSON.stringify({ ...present, at: null });
    if (emitted.get(id) === text) return null;
    emitted.set(id, text);
    return { id, value: present };
  }

  /** Returns the changed values of some tokens by user, of those who listen. */
  function changedValues(addresses: Iterable<string>): Map<string, { id: string; value: PositionValue }[]> {
    const byUser = new Map<string, { id: string; value: PositionValue }[]>();
    for (const position of [...addresses].flatMap(book.of)) {
      const userId = position.userId.toHexString();
      const one = isListening(userId) ? changed(position) : null;
      if (one === null) continue;
      const values = byUser.get(userId);
      if (values) values.push(one);
      else byUser.set(userId, [one]);
    }
    return byUser;
  }

  function forgetClosed(): void {
    for (const id of emitted.keys()) if (!book.get(id)) emitted.delete(id);
  }

  function tick(): void {
    const isRound = seconds % ROUND === 0;
    seconds += 1;
    if (isRound) forgetClosed();
    const addresses = isRound ? book.addresses() : moved;
    moved = new Set();
    for (const [userId, values] of changedValues(addresses)) bus.emit('position-values-changed', { userId, values });
  }

  return {
    tick,
    start() {
      unsubscribe ??= market.onMoved(({ steps }) => {
        for (const { address } of steps) moved.add(address);
      });
      timer ??= setInterval(tick, SECOND);
      timer.unref();
    },
    stop() {
      unsubscribe?.();
      clearInterval(timer);
    },
  };
}
