import type { Logger } from 'pino';
import { isAway } from '../../../common/errors.ts';
import { type Clock, MINUTE, SECOND } from '../../../common/time.ts';
import type { TradingMode } from '../../../common/trading/account.ts';
import { isUnavailable } from '../../platform/database.ts';
import { type Executor, serves } from '../executors/executor.ts';
import type { OrderStore } from '../orders/store.ts';
import type { OpenBook } from './open-book.ts';
import { type Holding, holdingKey, holdingOf, type PositionRecord } from './record.ts';
import type { PositionService } from './service.ts';

/** All balances are compared in this interval, those of a changed position after this delay, ms. */
const ROUND_MS = 10 * MINUTE;
const SETTLED_MS = 5 * SECOND;
/** A wallet that an order changes is compared later, ms. */
const BUSY_MS = 30 * SECOND;
/** A node may be behind the one that confirmed a purchase: tokens must still be missing after this time, ms. */
const CONFIRM_MS = { local: 2 * SECOND, other: MINUTE } as const;
const TICK_MS = SECOND;
/** Balances read by one call. */
const BATCH = 50;

/**
 * Compares positions with the balances of their wallets. Tokens that left by another way reduce the newest positions first;
 * tokens that arrived by another way belong to none.
 */
export interface Drift {
  /** Has a position compared soon. */
  changed(position: PositionRecord): void;
  /** Makes the comparisons that are due. */
  tick(): Promise<void>;
  start(): void;
  stop(): void;
}

export interface DriftDeps {
  book: OpenBook;
  move: PositionService['move'];
  executorOf(mode: TradingMode): Executor | null;
  orders: Pick<OrderStore, 'list'>;
  clock: Clock;
  log: Logger;
}

/** What a wallet should hold of a token: its open positions, newest first. */
interface Expected {
  key: string;
  holding: Holding;
  pair: { userId: string; wallet: string; address: string };
  positions: PositionRecord[];
  tokens: bigint;
  /** Changes with every change of the positions. */
  state: string;
}

/** Wallets and tokens that are to be compared, by key. */
function createSchedule({ book, clock }: Pick<DriftDeps, 'book' | 'clock'>) {
  /** Next comparisons, epoch ms. */
  const due = new Map<string, { holding: Holding; at: number }>();
  /** First sight of a missing amount, with the positions as they were. */
  const missing = new Map<string, { state: string; at: number }>();

  /** Returns the open positions of the comparisons that are due; those of closed ones are forgotten. */
  function duePositions(): PositionRecord[] {
    const found: PositionRecord[] = [];
    for (const [key, { holding, at }] of due) {
      if (at > clock.now()) continue;
      const open = book.ofHolding(holding);
      if (open.length === 0) due.delete(key);
      found.push(...open);
    }
    return found;
  }

  return {
    delay(holding: Holding, ms: number): void {
      const key = holdingKey(holding);
      const at = Math.min(due.get(key)?.at ?? Number.POSITIVE_INFINITY, clock.now() + ms);
      due.set(key, { holding, at });
    },
    /** Takes a comparison off. `isComplete`: nothing is missing. */
    done(key: string, isComplete: boolean): void {
      due.delete(key);
      if (isComplete) missing.delete(key);
    },
    /** Returns whether tokens are missing for so long, with unchanged positions; notes the first sight. */
    isMissingFor(key: string, state: string, ms: number): boolean {
      const known = missing.get(key);
      if (known?.state === state) return clock.now() - known.at >= ms;
      missing.set(key, { state, at: clock.now() });
      return false;
    },
    forgetClosed(): void {
      const open = new Set([...book.all()].map(keyOf));
      for (const known of [due, missing]) for (const key of known.keys()) if (!open.has(key)) known.delete(key);
    },
    /** Returns the comparisons that are due where an executor trades; all of them for a round. */
    dueNow(executor: Executor, isRound: boolean): Expected[] {
      const groups = new Map<string, Group>();
      for (const position of isRound ? book.all() : duePositions()) {
        if (!serves(executor, position)) continue;
        const key = keyOf(position);
        const group = groups.get(key);
        if (group) group.push(position);
        else groups.set(key, [position]);
      }
      return [...groups].map(([key, positions]) => expectedOf(key, positions));
    },
  };
}

export function createDrift({ book, move, executorOf, orders, clock, log }: DriftDeps): Drift {
  const schedule = createSchedule({ book, clock });
  let nextRound = 0;
  let isTicking = false;
  let timer: NodeJS.Timeout | undefined;

  async function compare(executor: Executor, all: readonly Expected[]): Promise<void> {
    for (let at = 0; at < all.length; at += BATCH) {
      const batch = all.slice(at, at + BATCH);
      const balances = await executor.balances(batch.map(({ pair }) => pair));
      for (const [index, expected] of batch.entries()) {
        const balance = balances[index];
        if (balance === undefined) continue;
        schedule.done(expected.key, balance >= expected.tokens);
        if (balance < expected.tokens) await shrink(expected, expected.tokens - balance, executor);
      }
    }
  }

  /** Reduces positions by the missing tokens, unless an order explains them. */
  async function shrink(
    { key, holding, pair, positions, state }: Expected,
    tokens: bigint,
    executor: Executor,
  ): Promise<void> {
    const { userId, address } = pair;
    const open = await orders.list(userId, { address, state: 'open', limit: 1 });
    if (open.length > 0) return schedule.delay(holding, BUSY_MS);
    const wait = executor.cluster === 'local' ? CONFIRM_MS.local : CONFIRM_MS.other;
    if (!schedule.isMissingFor(key, state, wait)) return schedule.delay(holding, wait);
    schedule.done(key, true);
    let left = tokens;
    for (const { _id, tokens: held, version } of positions) {
      const moved = left < BigInt(held) ? left : BigInt(held);
      if (moved === 0n) return;
      await move(_id, moved, version);
      left -= moved;
    }
  }

  async function compareDue(isRound: boolean): Promise<void> {
    if (isRound) schedule.forgetClosed();
    for (const mode of ['local', 'live'] as const) {
      const executor = executorOf(mode);
      if (executor) await compare(executor, schedule.dueNow(executor, isRound));
    }
  }

  async function tick(): Promise<void> {
    if (isTicking) return;
    isTicking = true;
    const isRound = clock.now() >= nextRound;
    if (isRound) nextRound = clock.now() + ROUND_MS;
    try {
      await compareDue(isRound);
    } catch (error) {
      // Those that are due stay so; a round that failed is repeated.
      if (isRound) nextRound = clock.now() + MINUTE;
      if (!isAway(error) && !isUnavailable(error)) log.warn({ error }, 'balances not compared');
    } finally {
      isTicking = false;
    }
  }

  return {
    tick,
    changed(position) {
      if (position.open && position.mode !== 'paper') schedule.delay(holdingOf(position), SETTLED_MS);
    },
    start() {
      timer ??= setInterval(() => void tick(), TICK_MS);
      timer.unref();
    },
    stop() {
      clearInterval(timer);
    },
  };
}

/** The open positions of one wallet in one token. */
type Group = [PositionRecord, ...PositionRecord[]];

const keyOf = (position: PositionRecord): string => holdingKey(holdingOf(position));

function expectedOf(key: string, positions: Group): Expected {
  const holding = holdingOf(positions[0]);
  const { userId, wallet, address } = holding;
  const newestFirst = positions.toSorted((one, other) => other._id.toHexString().localeCompare(one._id.toHexString()));
  return {
    key,
    holding,
    pair: { userId: userId.toHexString(), wallet, address },
    positions: newestFirst,
    tokens: positions.reduce((sum, { tokens }) => sum + BigInt(tokens), 0n),
    state: newestFirst.map(({ _id, version }) => `${_id.toHexString()}:${version}`).join(' '),
  };
}
