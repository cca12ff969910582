import { Types } from 'mongoose';
import type { Clock } from '../../../../common/time.ts';
import type { TradingMode } from '../../../../common/trading/account.ts';
import { isOver } from '../../../../common/trading/machine.ts';
import { type Reason, reason } from '../../../../common/trading/reasons.ts';
import { nothingSettled, type Settlement } from '../../accounts/hold.ts';
import type { TradingAccounts } from '../../accounts/service.ts';
import type {
  AttemptVerdict,
  Executor,
  SentAttempt,
  SignedAttempt,
  TradeAsk,
  TradeQuote,
} from '../../executors/executor.ts';
import type { AppliedFill, FillBook } from '../../positions/fill-book.ts';
import { type OrderChange, walletChangeOf } from '../changes.ts';
import type { AttemptRecord, OrderRecord } from '../record.ts';
import type { Orders } from '../service.ts';
import type { Looker } from './looker.ts';
import { leastOf, nextAction, RESEND_MS, slippageOf, undecided } from './next-action.ts';

export interface StepDeps {
  orders: Pick<Orders, 'find' | 'change' | 'close'>;
  accounts: Pick<TradingAccounts, 'hold' | 'settle'>;
  executorOf(mode: TradingMode): Executor | null;
  looker: Looker;
  fills: FillBook;
  wallets: { current(userId: string): Promise<{ walletAddress: string } | null> };
  clock: Clock;
}

/** Where an order stands after a step: the next one follows after `delay` ms; null when the order is closed. */
export interface Stepped {
  order: OrderRecord;
  delay: number | null;
}

/** State of one order in this process, which nothing depends on: it only saves requests. */
export interface Progress {
  /** The quote that the order was made by, until its first attempt. */
  quote: TradeQuote | null;
  /** Times of the last send by signature, epoch ms. */
  sentAt: Map<string, number>;
}

/** Looks follow one another in this time at first, and in the other one when an attempt is older than a few blocks, ms. */
const LOOK_SOON = 100;
const LOOK_LATER = 1_000;
const YOUNG_MS = 5_000;
/** Time before another attempt, in which the price may return, ms. */
const RETRY_PAUSE = 400;
/** Time before another try while the node is away, ms; an order that is not sent soon is cancelled as too old. */
const AWAY_PAUSE = 500;

/** Does the next action of an order. A change that is lost to another writer only has the order read again. */
export function createStep(deps: StepDeps): (order: OrderRecord, progress: Progress) => Promise<Stepped> {
  const { orders, accounts, clock, fills } = deps;

  async function changed(order: OrderRecord, changes: readonly OrderChange[], delay = 0): Promise<Stepped> {
    const next = await orders.change(order, changes);
    return next ? { order: next, delay } : again(order);
  }

  /** Reads an order again that was changed by another writer. */
  async function again(order: OrderRecord): Promise<Stepped> {
    const present = await orders.find(order._id.toHexString());
    if (!present) throw new Error('an order is gone');
    return { order: present, delay: present.open ? 0 : null };
  }

  async function hold(order: OrderRecord): Promise<Stepped> {
    const refusal = await accounts.hold(userOf(order), holdOf(order));
    if (refusal) return changed(order, [{ type: 'hold-refused', failure: refusal }]);
    const next = await changed(order, [{ type: 'held' }]);
    // It was closed by another worker while this one reserved the money.
    if (!next.order.open) await accounts.settle(userOf(order), holdOf(order), nothingSettled);
    return next;
  }

  /** Ends an order for which nothing more is signed. */
  function end(order: OrderRecord, failure: Reason): Promise<Stepped> {
    const type = order.status === 'held' ? 'cancelled' : 'given-up';
    return changed(order, [{ type, failure }]);
  }

  async function attempt(order: OrderRecord, progress: Progress): Promise<Stepped> {
    const executor = deps.executorOf(order.mode);
    if (!executor) return { order, delay: LOOK_LATER };
    const isFirst = order.attempts.length === 0;
    const ask: TradeAsk = { ...askOf(order), slippageBps: slippageOf(order) };
    const wallet = await deps.wallets.current(ask.userId);
    if (wallet?.walletAddress !== order.wallet) return refused(order, reason('wallet-changed'));
    const known = isFirst ? progress.quote : null;
    progress.quote = null;
    const quoted = known ? { ok: true as const, value: known } : await executor.quote(ask);
    if (!quoted.ok) return refused(order, quoted.reason);
    const bounded = boundedQuote(order, quoted.value);
    if (!bounded) return refused(order, reason('slippage', { slippageBps: order.slippageBps }));
    const signed = await executor.sign(ask, bounded, `${order._id.toHexString()}:${order.attempts.length + 1}`);
    if (!signed.ok) return refused(order, signed.reason);
    const { signature, lastValidBlockHeight } = signed.value;
    // Its first send is counted with it: both are in the journal before the first byte leaves (O2).
    const stored = await orders.change(order, [
      { type: 'signed', signature, lastValidBlockHeight, attempt: signed.value },
      { type: 'sending', signature },
    ]);
    if (!stored) return again(order);
    progress.sentAt.set(signature, clock.now());
    const result = await executor.send(sentAttempt(stored, signed.value), true);
    if (result.type !== 'refused') return { order: stored, delay: LOOK_SOON };
    const { reason: failure } = result;
    return changed(stored, [{ type: 'attempt-over', signature, outcome: 'refused', failure }], RETRY_PAUSE);
  }

  /** Handles an attempt that could not be signed. */
  async function refused(order: OrderRecord, failure: Reason): Promise<Stepped> {
    const isAway = failure.code === 'node-away';
    if (isAway && order.status === 'held') return { order, delay: AWAY_PAUSE };
    // Attempts that are out are followed in any case; the next one is not due before they are decided.
    if (undecided(order).length > 0) return look(order, { quote: null, sentAt: new Map() });
    return end(order, failure);
  }

  async function look(order: OrderRecord, progress: Progress): Promise<Stepped> {
    const executor = deps.executorOf(order.mode);
    if (!executor) return { order, delay: LOOK_LATER };
    const attempts = undecided(order).map((record) => sentAttempt(order, signedOf(record)));
    const verdicts = await deps.looker.look(executor, attempts);
    let present = order;
    for (const { signature } of attempts) {
      const verdict = verdicts.get(signature);
      if (!verdict) continue;
      const next = await orders.change(present, [verdictChange(signature, verdict)]);
      if (!next) return again(order);
      present = next;
    }
    if (present !== order) return { order: present, delay: isOver(present) ? 0 : RETRY_PAUSE };
    return resend(present, executor, progress);
  }

  /** Sends stored bytes again that had no verdict for a while (O3). */
  async function resend(order: OrderRecord, executor: Executor, progress: Progress): Promise<Stepped> {
    let present = order;
    for (const record of undecided(order)) {
      const { signature } = record;
      if (clock.now() - (progress.sentAt.get(signature) ?? 0) < RESEND_MS) continue;
      const counted = await orders.change(present, [{ type: 'sending', signature }]);
      if (!counted) return again(order);
      present = counted;
      progress.sentAt.set(signature, clock.now());
      // The response has no meaning for bytes that were sent before: the chain decides.
      await executor.send(sentAttempt(present, signedOf(record)), record.sends === 0);
    }
    const youngest = Math.max(...undecided(present).map(({ signedAt }) => signedAt));
    return { order: present, delay: clock.now() - youngest < YOUNG_MS ? LOOK_SOON : LOOK_LATER };
  }

  async function finish(order: OrderRecord): Promise<Stepped> {
    const applied = order.attempts.length > 0 ? await fills.apply(order) : nothingApplied;
    await accounts.settle(userOf(order), holdOf(order), settlementOf(order, applied));
    const positionId = applied.positionId === null ? order.positionId : new Types.ObjectId(applied.positionId);
    const closed = await orders.close(order, { positionId });
    return closed ? { order: closed, delay: null } : again(order);
  }

  return (order, progress) => {
    const action = nextAction(order, clock.now());
    switch (action.type) {
      case 'hold':
        return hold(order);
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
}

const nothingApplied: AppliedFill = { positionId: null, realisedLamports: 0, opened: false, closed: false };

const userOf = ({ userId }: OrderRecord): string => userId.toHexString();

function holdOf({ _id, mode, side, lamports, holdLamports, opensPosition }: OrderRecord) {
  return {
    orderId: _id.toHexString(),
    mode,
    side,
    lamports: lamports ?? 0,
    totalLamports: holdLamports,
    opens: opensPosition,
  };
}

function settlementOf(order: OrderRecord, { positionId, realisedLamports, opened, closed }: AppliedFill): Settlement {
  return {
    spentLamports: order.side === 'buy' ? (order.fill?.lamports ?? 0) : 0,
    realisedLamports,
    walletLamports: walletChangeOf(order),
    position: positionId !== null && (opened || closed) ? { id: positionId, isOpen: !closed } : null,
  };
}

function askOf(order: OrderRecord): TradeAsk {
  const { wallet, token, side, lamports, tokens, slippageBps, priorityMaxLamports, tipLamports } = order;
  return {
    userId: userOf(order),
    wallet,
    address: token.address,
    side,
    lamports: lamports === null ? null : BigInt(lamports),
    tokens: tokens === null ? null : BigInt(tokens),
    slippageBps,
    priorityMaxLamports,
    tipLamports,
  };
}

/** Returns the quote with the bound that the order was made with; null when the market can't meet it any more. */
function boundedQuote(order: OrderRecord, quote: TradeQuote): TradeQuote | null {
  if (order.side === 'buy') {
    const leastTokens = leastOf(order, quote.leastTokens ?? 0n);
    return leastTokens <= quote.tokens ? { ...quote, leastTokens } : null;
  }
  const leastLamports = leastOf(order, quote.leastLamports ?? 0n);
  return leastLamports <= quote.lamports ? { ...quote, leastLamports } : null;
}

function signedOf({ signature, bytes, lastValidBlockHeight, least }: AttemptRecord): SignedAttempt {
  return { signature, bytes: bytes ?? '', lastValidBlockHeight, least: BigInt(least) };
}

function sentAttempt(order: OrderRecord, signed: SignedAttempt): SentAttempt {
  const record = order.attempts.find(({ signature }) => signature === signed.signature);
  const firstSentAt = record?.firstSentAt ?? null;
  return { ...askOf(order), ...signed, orderId: order._id.toHexString(), firstSentAt };
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
