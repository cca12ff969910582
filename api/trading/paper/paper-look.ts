import type { Clock } from '../../../common/time.ts';
import { SIGNATURE_FEE_LAMPORTS } from '../../../common/trading/fills.ts';
import type { Market } from '../../market/market.ts';
import type { AttemptVerdict, Executor, SentAttempt, TradeAsk } from '../executors/executor.ts';
import type { PaperBook } from './paper-book.ts';
import type { PaperDelay } from './paper-delay.ts';
import { type PaperWallet, paperFillAt } from './paper-fill.ts';

export interface PaperDeps {
  market: Pick<Market, 'coin' | 'hasMerged' | 'stepAt'>;
  book: PaperBook;
  delay: PaperDelay;
  clock: Clock;
}

/** Returns what a wallet on paper has of the coin that it trades. */
export async function paperWallet(book: PaperBook, { userId, wallet, address }: TradeAsk): Promise<PaperWallet> {
  const [lot, hasBought] = await Promise.all([book.lot(userId, wallet, address), book.hasBought(userId, wallet)]);
  return { lot, hasBought };
}

/**
 * Creates the look of paper trading: an attempt is filled at the reserves in force when it fell due. The time of the look changes
 * nothing, unless it is so late that those reserves are not kept any more.
 */
export function createPaperLook({ market, book, delay, clock }: PaperDeps): Executor['look'] {
  async function dueAtOf({
    signature,
    firstSentAt,
    delayMs,
  }: Pick<SentAttempt, 'signature' | 'firstSentAt' | 'delayMs'>): Promise<number> {
    if (firstSentAt === null) return Number.POSITIVE_INFINITY;
    return firstSentAt + (delayMs ?? (await delay.of(signature)));
  }

  /**
   * Returns whether it is an attempt's turn: its time has come, every price until then is known, and every earlier attempt of the
   * same wallet and coin has a stored verdict. Each trade is then computed with those before it, as a chain does.
   */
  async function isNext({ userId, wallet, address, signature }: SentAttempt, dueAt: number): Promise<boolean> {
    if (clock.now() < dueAt || !market.hasMerged(dueAt)) return false;
    for (const other of await book.undecided(userId, wallet, address)) {
      const otherAt = await dueAtOf(other);
      if (otherAt < dueAt || (otherAt === dueAt && other.signature < signature)) return false;
    }
    return true;
  }

  /** Returns the verdict on an attempt that fell due at a time. */
  async function landed(attempt: SentAttempt, dueAt: number): Promise<AttemptVerdict> {
    const [coin, wallet] = await Promise.all([market.coin(attempt.address), paperWallet(book, attempt)]);
    const figures = market.stepAt(attempt.address, dueAt);
    // After a restart, the reserves of now are the first known ones.
    const fill = paperFillAt(attempt, coin, figures, { wallet, dueAt: figures ? dueAt : clock.now() });
    if (fill.ok) return { outcome: 'landed', fill: fill.value };
    // As on a chain, a transaction that reverts has paid for its place in the block.
    return { outcome: 'reverted', reason: fill.reason, feeLamports: SIGNATURE_FEE_LAMPORTS, slot: null };
  }

  return async (attempts) => {
    const verdicts = new Map<string, AttemptVerdict>();
    for (const attempt of attempts) {
      const dueAt = await dueAtOf(attempt);
      if (await isNext(attempt, dueAt)) verdicts.set(attempt.signature, await landed(attempt, dueAt));
    }
    return verdicts;
  };
}
