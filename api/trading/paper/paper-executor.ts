import { reason } from '../../../common/trading/reasons.ts';
import { tradeQuoteOf } from '../executors/curve-quote.ts';
import type { Executor } from '../executors/executor.ts';
import { paperMarket, paperQuote } from './paper-fill.ts';
import { createPaperLook, type PaperDeps } from './paper-look.ts';

/**
 * Fills orders at the reserves in force some time after the decision, and sends nothing. It assumes that others would have traded
 * the same.
 */
export function createPaperExecutor(deps: PaperDeps): Executor {
  const { market, book, delay, rentPerByte, clock } = deps;

  return {
    mode: 'paper',
    cluster: null,
    tradesPools: true,
    async quote(ask, account) {
      const { userId, wallet, address } = ask;
      const [coin, { lot }, { lamports, hasBought }] = await Promise.all([
        market.coin(address),
        book.holding(userId, wallet, address),
        book.money(userId, wallet, account),
      ]);
      const traded = paperMarket(coin, rentPerByte());
      if (!traded.ok) return traded;
      const quoted = paperQuote(ask, traded.value, { lot, hasBought });
      if (!quoted.ok) return quoted;
      const value = {
        ...tradeQuoteOf(ask.side, quoted.value),
        decimals: traded.value.decimals,
        walletLamports: BigInt(lamports),
        walletTokens: lot.tokens,
        slot: null,
        at: clock.now(),
      };
      return { ok: true, value };
    },
    async sign(_ask, quote, name) {
      const least = quote.leastTokens ?? quote.leastLamports;
      if (least === null) return { ok: false, reason: reason('too-small') };
      const signature = `paper:${name}`;
      const delayMs = await delay.of(signature);
      return { ok: true, value: { signature, bytes: '', lastValidBlockHeight: 0, least, delayMs } };
    },
    send: async () => ({ type: 'forwarded' }),
    look: createPaperLook(deps),
    walletLamports: async () => null,
    balances: (pairs) =>
      Promise.all(
        pairs.map(async ({ userId, wallet, address }) => (await book.holding(userId, wallet, address)).lot.tokens),
      ),
  };
}
