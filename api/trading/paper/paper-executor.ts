import type { Clock } from '../../../common/time.ts';
import { SIGNATURE_FEE_LAMPORTS } from '../../../common/trading/fills.ts';
import { reason } from '../../../common/trading/reasons.ts';
import type { Market } from '../../market/market.ts';
import { tradeQuoteOf } from '../executors/curve-quote.ts';
import type { AttemptVerdict, Executor, SentAttempt, TradeAsk } from '../executors/executor.ts';
import type { PaperBook } from './paper-book.ts';
import type { PaperDelay } from './paper-delay.ts';
import { type PaperWallet, paperFill, paperMarket, paperQuote } from './paper-fill.ts';

export interface PaperExecutorDeps {
  market: Pick<Market, 'coin'>;
  book: PaperBook;
  delay: PaperDelay;
  clock: Clock;
}

/**
 * Fills orders from the reserves that the market reports, some time after the decision, and sends nothing. It assumes that others
 * would have traded the same.
 */
export function createPaperExecutor({ market, book, delay, clock }: PaperExecutorDeps): Executor {
  async function walletOf({ userId, wallet, address }: TradeAsk): Promise<PaperWallet> {
    const [lot, hasBought] = await Promise.all([book.lot(userId, wallet, address), book.hasBought(userId, wallet)]);
    return { lot, hasBought };
  }

  /** Returns the verdict on an attempt whose time has come. */
  async function landed(attempt: SentAttempt): Promise<AttemptVerdict> {
    const [coin, wallet] = await Promise.all([market.coin(attempt.address), walletOf(attempt)]);
    const traded = paperMarket(coin);
    const fill = traded.ok ? paperFill(attempt, traded.value, wallet, clock.now()) : traded;
    if (fill.ok) return { outcome: 'landed', fill: fill.value };
    // As on a chain, a transaction that reverts has paid for its place in the block.
    const feeLamports = SIGNATURE_FEE_LAMPORTS;
    return { outcome: 'reverted', reason: fill.reason, feeLamports, slot: null };
  }

  const dueAt = async ({ signature, firstSentAt }: Pick<SentAttempt, 'signature' | 'firstSentAt'>): Promise<number> =>
    firstSentAt === null ? Number.POSITIVE_INFINITY : firstSentAt + (await delay.of(signature));

  /**
   * Returns whether it is an attempt's turn: its time has come, and every earlier one of the same wallet and coin has a stored
   * verdict. Each trade is then computed with those before it, as a chain does.
   */
  async function isNext(attempt: SentAttempt): Promise<boolean> {
    const { userId, wallet, address, signature } = attempt;
    const at = await dueAt(attempt);
    if (clock.now() < at) return false;
    for (const other of await book.undecided(userId, wallet, address)) {
      const otherAt = await dueAt(other);
      if (otherAt < at || (otherAt === at && other.signature < signature)) return false;
    }
    return true;
  }

  return {
    mode: 'paper',
    cluster: null,
    tradesPools: true,
    async quote(ask) {
      const [coin, wallet, lamports] = await Promise.all([
        market.coin(ask.address),
        walletOf(ask),
        book.lamports(ask.userId),
      ]);
      const traded = paperMarket(coin);
      if (!traded.ok) return traded;
      const quoted = paperQuote(ask, traded.value, wallet);
      if (!quoted.ok) return quoted;
      const value = {
        ...tradeQuoteOf(ask.side, quoted.value),
        decimals: traded.value.decimals,
        walletLamports: BigInt(lamports),
        walletTokens: wallet.lot.tokens,
        slot: null,
        at: clock.now(),
      };
      return { ok: true, value };
    },
    async sign(_ask, quote, name) {
      const least = quote.leastTokens ?? quote.leastLamports;
      if (least === null) return { ok: false, reason: reason('too-small') };
      return { ok: true, value: { signature: `paper:${name}`, bytes: '', lastValidBlockHeight: 0, least } };
    },
    send: async () => ({ type: 'forwarded' }),
    async look(attempts) {
      const verdicts = new Map<string, AttemptVerdict>();
      for (const attempt of attempts) {
        if (await isNext(attempt)) verdicts.set(attempt.signature, await landed(attempt));
      }
      return verdicts;
    },
    balances: (pairs) =>
      Promise.all(pairs.map(async ({ userId, wallet, address }) => (await book.lot(userId, wallet, address)).tokens)),
  };
}
