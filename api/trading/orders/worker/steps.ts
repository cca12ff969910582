import { Types } from 'mongoose';
import type { Clock } from '../../../../common/time.ts';
import type { TradingMode } from '../../../../common/trading/account.ts';
import { isOver } from '../../../../common/trading/machine.ts';
import { type Reason, type ReasonCode, reason } from '../../../../common/trading/reasons.ts';
import type { NetworkFacts } from '../../../chain/network-facts.ts';
import type { Transactions } from '../../../transactions/service.ts';
import type { TradingAccounts } from '../../accounts/service.ts';
import {
  type AttemptVerdict,
  type Executor,
  type SentAttempt,
  serves,
  type TradeAsk,
  type TradeQuote,
} from '../../executors/executor.ts';
import type { AppliedFill, FillBook } from '../../positions/fill-book.ts';
import type { OrderChange } from '../changes.ts';
import type { OrderRecord } from '../model.ts';
import { attemptRows } from '../present.ts';
import type { Orders } from '../store.ts';
import {
  askOf,
  boundedQuote,
  dueAtOf,
  holdOf,
  sentAttempt,
  settlementOf,
  signedOf,
  slippageOf,
  userOf,
} from '../terms.ts';
import { nextAction, resendMs, undecided } from './next-action.ts';

export interface StepDeps {
  orders: Pick<Orders, 'find' | 'change' | 'close'>;
  accounts: Pick<TradingAccounts, 'hold' | 'settle'>;
  executorOf(mode: TradingMode): Executor | null;
  fills: FillBook;
  /** Keeps a row of the user's transactions for each attempt. */
  transactions: Pick<Transactions, 'recordTrades'>;
  wallets: { current(userId: string): Promise<{ walletAddress: string } | null> };
  /** Returns why the plan that decided a purchase no longer would; null when it still does, and for any other order. */
  planRefusal(order: OrderRecord): Promise<Reason | null>;
  network: Pick<NetworkFacts, 'slotMs'>;
  clock: Clock;
}

/** Where an order stands after a step. */
interface Stepped {
  /** Null when another writer has changed it: a lost change is dropped, and the order is read again (O1). */
  order: OrderRecord | null;
  /** Time until the next step of an order that is open, ms. */
  delay: number;
}

/** What a step returns whose change was lost to another writer. */
const LOST: Stepped = { order: null, delay: 0 };

/** State of one order in this process, which nothing depends on: it only saves requests. */
export interface Progress {
  /** The quote that the order was made by, until its first attempt. */
  quote: TradeQuote | null;
  /** When the first bytes of the order left, epoch ms; null before, and after a restart. */
  firstSentAt: number | null;
  /** Times of the last send by signature, epoch ms. */
  sentAt: Map<string, number>;
}

/** One step of an order. */
export type Step = (order: OrderRecord, progress: Progress) => Promise<Stepped>;

/** Delay before the next look at an attempt, at first and once it is older than a few blocks, ms. */
const LOOK_SOON = 100;
const LOOK_LATER = 1_000;
/** Delay before another attempt, in which the price may return, ms. */
export const RETRY_PAUSE = 400;

/** Returns the function that stores changes of an order. The next step follows after `delay` ms. */
function changing(orders: StepDeps['orders']) {
  return async (order: OrderRecord, changes: readonly OrderChange[], delay = 0): Promise<Stepped> => {
    const next = await orders.change(order, changes);
    return next ? { order: next, delay } : LOST;
  };
}

/** Creates the function that does the next action of an order. */
export function createStep(deps: StepDeps): Step {
  const changed = changing(deps.orders);
  const look = createLook(deps);
  const attempt = createAttempt(deps, look);
  const { hold, finish } = createMoney(deps);

  /** Shows a change in the list of transactions, which no step waits for: the last one of an order writes it in any case. */
  function shown(before: OrderRecord, stepped: Stepped): Stepped {
    const { order } = stepped;
    if (order?.open && order.version !== before.version && order.attempts.length > 0) {
      deps.transactions.recordTrades(attemptRows(order)).catch(() => {});
    }
    return stepped;
  }

  const next: Step = async (order, progress) => {
    const action = nextAction(order, deps.clock.now());
    switch (action.type) {
      case 'hold':
        return (await hold(order, progress)) ?? attempt(order, progress);
      case 'attempt':
        return attempt(order, progress);
      case 'look':
        return look(order, progress);
      case 'cancel':
        return changed(order, [{ type: 'cancelled', failure: action.reason }]);
      case 'give-up':
        return changed(order, [{ type: 'given-up', failure: action.reason }]);
      case 'overdue':
        return changed(order, [{ type: 'overdue' }]);
      case 'finish':
        return finish(order);
    }
  };
  return async (order, progress) => shown(order, await next(order, progress));
}

/**
 * Creates the steps at both ends of an order: its money is reserved, and released with what the order moved (O8). `hold` resolves with
 * null once the money is reserved, which the first attempt notes with the order.
 */
function createMoney({ orders, accounts, fills, transactions, planRefusal }: StepDeps) {
  const changed = changing(orders);
  return {
    async hold(order: OrderRecord, progress: Progress): Promise<Stepped | null> {
      const wallet = progress.quote?.walletLamports ?? null;
      const walletLamports = wallet === null ? null : Number(wallet);
      // Read beside the hold: events only wake, so the plan may have changed without any.
      const [held, refusedByPlan] = await Promise.all([
        accounts.hold(userOf(order), { ...holdOf(order), walletLamports }),
        planRefusal(order),
      ]);
      const refusal = refusedByPlan ?? held;
      // Other changes of the account were faster. The order stays as it is, and no limit has refused it.
      if (refusal === 'lost') return { order, delay: LOOK_SOON };
      return refusal && changed(order, [{ type: 'hold-refused', failure: refusal }]);
    },
    async finish(order: OrderRecord): Promise<Stepped> {
      const applied = order.attempts.length > 0 ? await fills.apply(order) : nothingApplied;
      if (applied === null) return { order, delay: LOOK_SOON };
      const profit = profitOf(order, applied);
      const [isSettled] = await Promise.all([
        accounts.settle(userOf(order), holdOf(order), settlementOf(order, applied)),
        // Here at the latest: nothing follows an order that is closed.
        transactions.recordTrades(attemptRows({ ...order, ...profit })),
      ]);
      if (!isSettled) return { order, delay: LOOK_SOON };
      const positionId = applied.positionId === null ? order.positionId : new Types.ObjectId(applied.positionId);
      const closed = await orders.close(order, { positionId, ...profit });
      return closed ? { order: closed, delay: 0 } : LOST;
    },
  };
}

/**
 * Returns the profit of a sale, to be stored with it; nothing for a purchase, and for a sale of more tokens than the positions had:
 * the cost of the others is unknown.
 */
function profitOf({ side, fill }: OrderRecord, applied: AppliedFill): Pick<OrderRecord, 'profitLamports'> {
  if (side === 'buy' || fill === null || applied.soldTokens !== BigInt(fill.tokens)) return {};
  return { profitLamports: applied.realisedLamports };
}

const nothingApplied: AppliedFill = {
  positionId: null,
  realisedLamports: 0,
  soldTokens: 0n,
  opened: false,
  closed: false,
};

/** Reasons of a service that does not respond for now: the attempt is made later. */
const AWAY: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['node-away', 'route-away']);
/** Delay before another try while the node or Jupiter is away, ms; a purchase that is not sent soon is cancelled as too old. */
const AWAY_PAUSE = 500;

/**
 * Creates the step that signs, stores and sends an attempt. `look`: the step that follows sent attempts. The money of the
 * order is reserved. The hold of a `created` order is noted with the attempt, which saves a write for each purchase.
 */
function createAttempt(deps: StepDeps, look: Step): Step {
  const { orders, clock, wallets, executorOf } = deps;
  const changed = changing(orders);

  /** Handles an attempt that could not be signed. */
  async function unsigned(
    order: OrderRecord,
    heldAt: number,
    failure: Reason,
    follow: () => Promise<Stepped>,
  ): Promise<Stepped> {
    // It was changed before the key was used.
    if (failure.code === 'cancelled') return LOST;
    // Sent attempts are followed in any case; the next one is not due before they are decided.
    if (undecided(order).length > 0) return follow();
    const held = heldFirst(order, heldAt);
    if (AWAY.has(failure.code)) {
      return held.length > 0 ? changed(order, held, AWAY_PAUSE) : { order, delay: AWAY_PAUSE };
    }
    return changed(order, [...held, { type: order.attempts.length === 0 ? 'cancelled' : 'given-up', failure }]);
  }

  /** Returns whether an order is still as it was read. */
  async function isPresent({ _id, version }: OrderRecord): Promise<boolean> {
    return (await orders.find(_id.toHexString()))?.version === version;
  }

  return async (order, progress) => {
    const executor = executorOf(order.mode);
    if (!serves(executor, order)) return { order, delay: LOOK_LATER };
    // The money was reserved right before.
    const heldAt = clock.now();
    const refused = (failure: Reason) => unsigned(order, heldAt, failure, () => look(order, progress));
    const ask: TradeAsk = { ...askOf(order), slippageBps: slippageOf(order) };
    const wallet = await wallets.current(ask.userId);
    if (wallet?.walletAddress !== order.wallet) return refused(reason('wallet-changed'));
    const known = order.attempts.length === 0 ? progress.quote : null;
    progress.quote = null;
    const quoted = known ? { ok: true as const, value: known } : await executor.quote(ask);
    if (!quoted.ok) return refused(quoted.reason);
    const bounded = boundedQuote(order, quoted.value);
    if (!bounded) return refused(reason('slippage', { slippageBps: order.slippageBps }));
    const name = `${order._id.toHexString()}:${order.attempts.length + 1}`;
    // A stop may come at any moment; no key is used for an order that it has ended (O6).
    const signed = await executor.sign(ask, bounded, name, () => isPresent(order));
    if (!signed.ok) return refused(signed.reason);
    const signedAt = clock.now();
    const { signature, lastValidBlockHeight } = signed.value;
    // Its first send is counted with it: both are in the journal before the first byte leaves (O2).
    const stored = await orders.change(order, [
      ...heldFirst(order, heldAt),
      { type: 'signed', signature, lastValidBlockHeight, attempt: signed.value, at: signedAt },
      { type: 'sending', signature },
    ]);
    if (!stored) return LOST;
    const sentAt = clock.now();
    progress.sentAt.set(signature, sentAt);
    if (order.attempts.length === 0) progress.firstSentAt = sentAt;
    const result = await executor.send(sentAttempt(stored, signed.value), true);
    if (result.type !== 'refused') return { order: stored, delay: LOOK_SOON };
    const { reason: failure } = result;
    const over = {
      type: 'attempt-over',
      signature,
      outcome: 'refused',
      failure,
      sentAt: progress.firstSentAt,
    } as const;
    return changed(stored, [over], RETRY_PAUSE);
  };
}

/** Returns the change that holds an order as of `at` (epoch ms); none for an order that is held already. */
function heldFirst({ status }: OrderRecord, at: number): OrderChange[] {
  return status === 'created' ? [{ type: 'held', at }] : [];
}

/** An attempt is looked for often until it has this age, ms. */
const YOUNG_MS = 5_000;

/** Creates the step that looks for the verdicts of attempts, and sends those again that have none. */
function createLook(deps: StepDeps): Step {
  const { orders, clock, network, executorOf } = deps;
  const lookFor = createJoinedLook();

  /** Sends stored bytes again that had no verdict for a while (O3). */
  async function resend(order: OrderRecord, executor: Executor, progress: Progress): Promise<Stepped> {
    let present = order;
    for (const record of undecided(order)) {
      const { signature } = record;
      // Not wanted any more are a purchase after a stop, and the second sale of everything once the first one has landed. On paper
      // nothing gets lost.
      if (order.noMore || order.status === 'confirmed' || order.mode === 'paper') break;
      if (clock.now() - (progress.sentAt.get(signature) ?? 0) < resendMs(network.slotMs())) continue;
      const counted = await orders.change(present, [{ type: 'sending', signature }]);
      if (!counted) return LOST;
      present = counted;
      progress.sentAt.set(signature, clock.now());
      // The response has no meaning for bytes that were sent before: the chain decides.
      await executor.send(sentAttempt(present, signedOf(record)), false);
    }
    return { order: present, delay: nextLookIn(present, clock.now(), resendMs(network.slotMs())) };
  }

  return async (order, progress) => {
    const executor = executorOf(order.mode);
    if (!serves(executor, order)) return { order, delay: LOOK_LATER };
    const attempts = undecided(order).map((record) => sentAttempt(order, signedOf(record)));
    const verdicts = await lookFor(executor, attempts);
    let present = order;
    for (const { signature } of attempts) {
      const verdict = verdicts.get(signature);
      if (!verdict) continue;
      const next = await orders.change(present, [
        { ...verdictChange(signature, verdict), sentAt: progress.firstSentAt },
      ]);
      if (!next) return LOST;
      present = next;
    }
    if (present !== order) return { order: present, delay: isOver(present) ? 0 : RETRY_PAUSE };
    return resend(present, executor, progress);
  };
}

/** Returns the time until the next look for an order without a verdict, ms. On paper the time is known before which there is none. */
function nextLookIn(order: OrderRecord, now: number, resend: number): number {
  const attempts = undecided(order);
  if (order.mode === 'paper') return Math.max(LOOK_SOON, ...attempts.map((attempt) => (dueAtOf(attempt) ?? now) - now));
  const youngest = Math.max(...attempts.map(({ signedAt }) => signedAt));
  return now - youngest < YOUNG_MS ? LOOK_SOON : Math.min(LOOK_LATER, resend);
}

function verdictChange(signature: string, verdict: AttemptVerdict): OrderChange {
  switch (verdict.outcome) {
    case 'landed':
      return { type: 'landed', signature, fill: verdict.fill, slot: verdict.fill.slot };
    case 'reverted': {
      const { reason: failure, feeLamports, slot } = verdict;
      return { type: 'attempt-over', signature, outcome: 'reverted', failure, feeLamports, slot };
    }
    case 'expired':
      return { type: 'attempt-over', signature, outcome: 'expired', failure: verdict.reason };
  }
}

/** Most attempts of one look, as a node takes 256 signatures at once. */
const BATCH = 256;

interface Waiting {
  attempts: readonly SentAttempt[];
  resolve(verdicts: Map<string, AttemptVerdict>): void;
  reject(error: unknown): void;
}

/**
 * Creates the function that returns verdicts by signature, without attempts that have none yet. It looks for many orders at once, once
 * at a time for each mode: requests that arrive meanwhile go into the next look. Rejects while the node is away.
 */
function createJoinedLook() {
  const waiting = new Map<TradingMode, Waiting[]>();
  const running = new Set<TradingMode>();

  async function run(executor: Executor): Promise<void> {
    const { mode } = executor;
    for (;;) {
      const all = waiting.get(mode) ?? [];
      const batch = takenBatch(all);
      if (batch.length === 0) break;
      try {
        const verdicts = await executor.look(batch.flatMap(({ attempts }) => attempts));
        for (const { resolve } of batch) resolve(verdicts);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running.delete(mode);
  }

  return (executor: Executor, attempts: readonly SentAttempt[]): Promise<Map<string, AttemptVerdict>> => {
    const { mode } = executor;
    return new Promise((resolve, reject) => {
      const all = waiting.get(mode) ?? [];
      waiting.set(mode, all);
      all.push({ attempts, resolve, reject });
      if (running.has(mode)) return;
      running.add(mode);
      // After this turn, so that orders that are asked about at once share a look.
      queueMicrotask(() => void run(executor));
    });
  };
}

/** Takes the first entries with at most `BATCH` attempts, at least one entry, out of the list. */
function takenBatch(all: Waiting[]): Waiting[] {
  let count = 0;
  let size = 0;
  for (const { attempts } of all) {
    if (size > 0 && count + attempts.length > BATCH) break;
    count += attempts.length;
    size += 1;
  }
  return all.splice(0, size);
}
