import type { Logger } from 'pino';
import { isAway } from '../../../common/errors.ts';
import { type Clock, MINUTE, SECOND } from '../../../common/time.ts';
import type { TradingMode } from '../../../common/trading/account.ts';
import { least } from '../../../common/trading/lots.ts';
import { isUnavailable } from '../../platform/database.ts';
import { type Executor, serves } from '../executors/executor.ts';
import type { OrderStore } from '../orders/store.ts';
import { holdingKey, holdingOf, type PositionRecord } from './model.ts';
import type { OpenBook } from './open-book.ts';
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

export interface DriftDeps {
  book: OpenBook;
  move: PositionService['move'];
  executorOf(mode: TradingMode): Executor | null;
  orders: Pick<OrderStore, 'list'>;
  clock: Clock;
  log: Logger;
}

/** The open positions of one wallet in one token. */
type Group = [PositionRecord, ...PositionRecord[]];

const keyOf = (position: PositionRecord): string => holdingKey(holdingOf(position));

/** Wallets and tokens that are to be compared, by the key of their holding. */
function createSchedule({ book, clock }: Pick<DriftDeps, 'book' | 'clock'>) {
  /** Next comparisons besides the rounds, epoch ms. */
  const due = new Map<string, number>();
  /** First sight of a missing amount, with the positions as they were. */
  const missing = new Map<string, { state: string; at: number }>();

  return {
    delay(key: string, ms: number): void {
      due.set(key, Math.min(due.get(key) ?? Number.POSITIVE_INFINITY, clock.now() + ms));
    },
    /** Takes a comparison off. `isComplete`: nothing is missing. */
    done(key: string, isComplete: boolean): void {
      due.delete(key);
      if (isComplete) missing.delete(key);
    },
    /** Returns whether tokens are missing for so long, with unchanged positions; notes the first sight. */
    isMissingFor(key: string, positions: Group, ms: number): boolean {
      const state = positions.map(({ _id, version }) => `${_id.toHexString()}:${version}`).join(' ');
      const known = missing.get(key);
      if (known?.state === state) return clock.now() - known.at >= ms;
      missing.set(key, { state, at: clock.now() });
      return false;
    },
    /** Returns the positions whose comparisons are due where an executor trades, by key; all of them for a round. */
    dueNow(executor: Executor, isRound: boolean): Map<string, Group> {
      const groups = new Map<string, Group>();
      const dueKeys = [...due].flatMap(([key, at]) => (at > clock.now() ? [] : key));
      // A position that is bought again is compared after its own delay.
      for (const key of dueKeys) if (book.ofHolding(key).length === 0) due.delete(key);
      for (const position of isRound ? book.all() : dueKeys.flatMap(book.ofHolding)) {
        if (!serves(executor, position)) continue;
        const key = keyOf(position);
        const group = groups.get(key);
        if (group) group.push(position);
        else groups.set(key, [position]);
      }
      return groups;
    },
    forgetClosed(): void {
      const open = new Set([...book.all()].map(keyOf));
      for (const known of [due, missing]) for (const key of known.keys()) if (!open.has(key)) known.delete(key);
    },
  };
}

/**
 * Compares positions with the balances of their wallets. Tokens that left by another way reduce the newest positions first;
 * tokens that arrived by another way belong to none.
 */
export function createDrift({ book, move, executorOf, orders, clock, log }: DriftDeps) {
  const schedule = createSchedule({ book, clock });
  let nextRound = 0;
  let isTicking = false;
  let timer: NodeJS.Timeout | undefined;

  async function compare(executor: Executor, all: readonly [key: string, positions: Group][]): Promise<void> {
    for (let at = 0; at < all.length; at += BATCH) {
      const batch = all.slice(at, at + BATCH);
      const balances = await executor.balances(batch.map(([, [position]]) => walletOf(position)));
      for (const [index, [key, positions]] of batch.entries()) {
        const balance = balances[index];
        if (balance === undefined) continue;
        const lacking = positions.reduce((sum, { tokens }) => sum + BigInt(tokens), 0n) - balance;
        schedule.done(key, lacking <= 0n);
        if (lacking > 0n) await shrink(key, positions, lacking, executor);
      }
    }
  }

  /** Reduces the newest positions first by the missing tokens, unless an order explains them. */
  async function shrink(key: string, positions: Group, tokens: bigint, executor: Executor): Promise<void> {
    const { userId, address } = walletOf(positions[0]);
    const open = await orders.list(userId, { address, state: 'open', limit: 1 });
    if (open.length > 0) return schedule.delay(key, BUSY_MS);
    const wait = executor.cluster === 'local' ? CONFIRM_MS.local : CONFIRM_MS.other;
    if (!schedule.isMissingFor(key, positions, wait)) return schedule.delay(key, wait);
    schedule.done(key, true);
    let left = tokens;
    const idOf = ({ _id }: PositionRecord) => _id.toHexString();
    for (const { _id, tokens: held, version } of positions.toSorted((a, b) => idOf(b).localeCompare(idOf(a)))) {
      const moved = least(left, BigInt(held));
      if (moved === 0n) return;
      await move(_id, moved, version);
      left -= moved;
    }
  }

  async function compareDue(isRound: boolean): Promise<void> {
    if (isRound) schedule.forgetClosed();
    for (const mode of ['local', 'live'] as const) {
      const executor = executorOf(mode);
      if (executor) await compare(executor, [...schedule.dueNow(executor, isRound)]);
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
      // Due ones stay due; a round that failed is repeated.
      if (isRound) nextRound = clock.now() + MINUTE;
      if (!isAway(error) && !isUnavailable(error)) log.warn({ error }, 'balances not compared');
    } finally {
      isTicking = false;
    }
  }

  return {
    /** Makes the comparisons that are due. */
    tick,
    /** Has a position compared soon. */
    changed(position: PositionRecord): void {
      if (position.open && position.mode !== 'paper') schedule.delay(keyOf(position), SETTLED_MS);
    },
    start(): void {
      timer ??= setInterval(() => void tick(), TICK_MS);
      timer.unref();
    },
    stop(): void {
      clearInterval(timer);
    },
  };
}

function walletOf({ userId, wallet, token }: PositionRecord) {
  return { userId: userId.toHexString(), wallet, address: token.address };
}
