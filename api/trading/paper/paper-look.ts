import PQueue from 'p-queue';
import type { Clock } from '../../../common/time.ts';
import { paperRevertFee } from '../../../common/trading/fills.ts';
import type { Market } from '../../market/market.ts';
import { createGrowingCache } from '../../platform/growing-cache.ts';
import type { AttemptVerdict, Executor, SentAttempt, TradeAsk } from '../executors/executor.ts';
import { fillRecord } from '../orders/changes.ts';
import { heldLot } from '../positions/plan-fill.ts';
import type { PaperAttempt, PaperBook, PaperHolding } from './paper-book.ts';
import type { PaperDelay } from './paper-delay.ts';
import { type PaperWallet, paperFillAt } from './paper-fill.ts';

export interface PaperDeps {
  market: Pick<Market, 'coin' | 'hasMerged' | 'stepAt'>;
  book: PaperBook;
  delay: PaperDelay;
  /** Returns the network's rent of a byte, lamports; null while it is not known. */
  rentPerByte(): number | null;
  clock: Clock;
}

/** Wallets and coins that are read at once. */
const AT_ONCE = 8;
/** Verdicts that are remembered until they are stored. */
const GIVEN_MAX = 5_000;

/** Returns what matters of a wallet on paper for trades of a coin: only a purchase may pay the rent of a first one. */
async function paperWallet(
  book: PaperBook,
  { userId, wallet, address }: TradeAsk,
  buys: boolean,
): Promise<PaperWallet & PaperHolding> {
  const [holding, money] = await Promise.all([
    book.holding(userId, wallet, address),
    buys ? book.money(userId, wallet) : null,
  ]);
  return { ...holding, hasBought: money?.hasBought ?? true };
}

/** Returns whether the wallet of a trade has bought anything by now. */
async function hasBoughtNow(book: PaperBook, { userId, wallet }: TradeAsk): Promise<boolean> {
  return (await book.money(userId, wallet)).hasBought;
}

/** An attempt that has fallen due, with that time, epoch ms. */
interface Due {
  attempt: SentAttempt;
  dueAt: number;
}

/**
 * Creates the look of paper trading: an attempt is filled at the reserves in force when it fell due. The time of the look changes
 * nothing, unless it is so late that those reserves are not kept any more. Each trade is computed with the earlier ones of its wallet
 * and coin, as a chain does; around a sale once those are in their positions, since they decide what it closes. Attempts that are not
 * due cost nothing, and those of one wallet and coin are read together.
 */
export function createPaperLook({ market, book, delay, rentPerByte, clock }: PaperDeps): Executor['look'] {
  const queue = new PQueue({ concurrency: AT_ONCE });
  /** By signature. One that is looked for again before it is stored keeps its verdict, on which later ones build. */
  const given = createGrowingCache<AttemptVerdict>(GIVEN_MAX);

  const { dueAtOf, timed } = createDueTimes(delay);

  async function isDue(attempt: SentAttempt): Promise<Due[]> {
    const dueAt = await dueAtOf(attempt);
    // Until then further prices may be known.
    return clock.now() < dueAt || !market.hasMerged(dueAt) ? [] : [{ attempt, dueAt }];
  }

  /** Returns the verdict on an attempt that fell due at a time. */
  async function verdictOf(attempt: SentAttempt, dueAt: number, wallet: PaperWallet): Promise<AttemptVerdict> {
    const coin = await market.coin(attempt.address);
    const figures = market.stepAt(attempt.address, dueAt);
    // After a restart, the reserves of now are the first known ones.
    const at = figures ? dueAt : clock.now();
    const fill = paperFillAt(attempt, coin, figures, { wallet, dueAt: at, rentPerByte: rentPerByte() });
    if (fill.ok) return { outcome: 'landed', fill: fill.value };
    // As on a chain, a transaction that reverts has paid for its place in the block.
    const feeLamports = paperRevertFee(attempt.priorityMaxLamports);
    return { outcome: 'reverted', reason: fill.reason, feeLamports, slot: null };
  }

  /** Returns the first open purchase of a wallet that has bought nothing, of all coins: it pays the rent of an account for all later ones. */
  async function firstPurchase({ userId, wallet }: SentAttempt): Promise<string | null> {
    const [first] = await timed(await book.openPurchases(userId, wallet));
    return first?.signature ?? null;
  }

  /** Decides due attempts of one wallet and coin in the order of their times, up to one that waits for an earlier one. */
  async function decide(all: readonly [Due, ...Due[]], verdicts: Map<string, AttemptVerdict>): Promise<void> {
    const buys = all.some(({ attempt }) => attempt.side === 'buy');
    const { undecided, unapplied, ...read } = await paperWallet(book, all[0].attempt, buys);
    const first = read.hasBought ? null : await firstPurchase(all[0].attempt);
    // A purchase that was over by then is among the open ones no more: only now it is certain that the wallet has bought nothing.
    const hasBought = read.hasBought || (await hasBoughtNow(book, all[0].attempt));
    const before = { ...read, hasBought };
    const asked = new Map(all.map(({ attempt }) => [attempt.signature, attempt]));
    const waiting = new Map(undecided.map((one) => [one.signature, one]));
    const inOrder = await timed([
      ...waiting.values(),
      ...[...asked.values()].filter(({ signature }) => !waiting.has(signature)),
    ]);
    const open = await timed(unapplied);
    let wallet: PaperWallet = before;
    for (const [index, one] of inOrder.entries()) {
      const { signature, side, dueAt } = one;
      const earlier = [...inOrder.slice(0, index), ...open.filter((other) => byDue(other, one) < 0)];
      if (earlier.some((other) => dependsOn(one, other))) return;
      if (side === 'buy' && !wallet.hasBought && first !== null && first !== signature) return;
      const attempt = asked.get(signature);
      const known = given.get(signature) ?? (attempt && (await verdictOf(attempt, dueAt, wallet)));
      if (!known) return;
      given.set(signature, known);
      if (attempt) verdicts.set(signature, known);
      wallet = walletAfter(wallet, side, known);
    }
  }

  return async (attempts) => {
    const verdicts = new Map<string, AttemptVerdict>();
    const due = (await Promise.all(attempts.map(isDue))).flat();
    const groups = new Map<string, [Due, ...Due[]]>();
    for (const one of due) {
      const { userId, wallet, address } = one.attempt;
      const key = `${userId} ${wallet} ${address}`;
      const group = groups.get(key);
      if (group) group.push(one);
      else groups.set(key, [one]);
    }
    await queue.addAll([...groups.values()].map((group) => () => decide(group, verdicts)));
    return verdicts;
  };
}

/** Returns a wallet after a trade of its coin. */
function walletAfter({ lot, hasBought }: PaperWallet, side: TradeAsk['side'], verdict: AttemptVerdict): PaperWallet {
  if (verdict.outcome !== 'landed') return { lot, hasBought };
  const held = { ...lot, tokens: String(lot.tokens) };
  return {
    lot: heldLot([held], [{ side, fill: fillRecord(verdict.fill) }]),
    hasBought: hasBought || side === 'buy',
  };
}

/** Orders trades as they take effect: by due time (epoch ms), then by signature. */
function byDue(one: { dueAt: number; signature: string }, other: { dueAt: number; signature: string }): number {
  return one.dueAt - other.dueAt || Number(one.signature > other.signature) - Number(one.signature < other.signature);
}

/** Returns whether an effect on positions depends on an earlier one: not between purchases of different plans, which open their own. */
function dependsOn(one: PaperAttempt, earlier: PaperAttempt): boolean {
  return one.side === 'sell' || earlier.side === 'sell' || (one.isByHand === true && earlier.isByHand === true);
}

/** `delay`: of attempts that were stored without theirs. */
function createDueTimes(delay: PaperDelay) {
  async function dueAtOf({
    signature,
    firstSentAt,
    delayMs,
  }: Pick<SentAttempt, 'signature' | 'firstSentAt' | 'delayMs'>): Promise<number> {
    if (firstSentAt === null) return Number.POSITIVE_INFINITY;
    return firstSentAt + (delayMs ?? (await delay.of(signature)));
  }

  return {
    dueAtOf,
    /** Returns attempts in the order in which they fall due. */
    async timed(all: readonly PaperAttempt[]): Promise<(PaperAttempt & { dueAt: number })[]> {
      const dated = await Promise.all(all.map(async (one) => ({ ...one, dueAt: await dueAtOf(one) })));
      return dated.toSorted(byDue);
    },
  };
}
