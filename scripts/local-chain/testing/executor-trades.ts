import { randomUUID } from 'node:crypto';
import type { Keypair } from '@solana/web3.js';
import { expect, vi } from 'vitest';
import type {
  AttemptVerdict,
  Executor,
  SentAttempt,
  TradeAsk,
  TradeFill,
  TradeQuote,
} from '../../../api/trading/executors/executor.ts';
import { createSigner, type Signer } from '../../../api/trading/signer.ts';
import type { PrivateChain } from '../../testing/local-chain.ts';
import { clientOf, SOL, WAIT } from './client.ts';

/** A user with a wallet on the chain, who trades one coin. */
interface Trader {
  keys: Keypair;
  wallet: string;
  buy(lamports: number, more?: Partial<TradeAsk>): TradeAsk;
  sell(tokens: bigint, more?: Partial<TradeAsk>): TradeAsk;
  /** Returns the lamports of the wallet. */
  balance(): Promise<number>;
}

/** Wallets of traders, and the signer with their keys. */
export function createTraders(chain: PrivateChain) {
  const wallets = new Map<string, Keypair>();
  let signatures = 0;
  const keys = createSigner({
    secretKey: async (userId) => {
      const pair = wallets.get(userId);
      if (!pair) throw new Error('no wallet');
      return { walletAddress: pair.publicKey.toBase58(), secretKey: Buffer.from(pair.secretKey) };
    },
  });
  const signer: Signer = {
    async sign(...message) {
      const signed = await keys.sign(...message);
      if (signed.ok) signatures += 1;
      return signed;
    },
  };
  return {
    signer,
    /** Returns how often a key was used so far. */
    signatures: () => signatures,
    async trader(address: string, lamports = 10 * SOL): Promise<Trader> {
      const keys = await clientOf(chain).funded(lamports);
      const userId = randomUUID();
      wallets.set(userId, keys);
      const wallet = keys.publicKey.toBase58();
      const common = { userId, wallet, address, slippageBps: 500, priorityMaxLamports: 0, tipLamports: 0 };
      return {
        keys,
        wallet,
        buy: (spent, more = {}) => ({ ...common, side: 'buy', lamports: BigInt(spent), tokens: null, ...more }),
        sell: (tokens, more = {}) => ({ ...common, side: 'sell', lamports: null, tokens, ...more }),
        balance: () => clientOf(chain).connection.getBalance(keys.publicKey),
      };
    },
  };
}

/** Steps of a trade, each of which has to succeed. */
export function createTrades(executor: () => Executor) {
  async function quoted(ask: TradeAsk): Promise<TradeQuote> {
    const quote = await executor().quote(ask);
    return quote.ok ? quote.value : expect.fail(quote.reason.code);
  }
  async function signed(ask: TradeAsk, quote: TradeQuote): Promise<SentAttempt> {
    const attempt = await executor().sign(ask, quote, randomUUID(), async () => true);
    return attempt.ok
      ? { ...ask, ...attempt.value, orderId: randomUUID(), firstSentAt: Date.now() }
      : expect.fail(attempt.reason.code);
  }
  const verdictOf = (attempt: SentAttempt): Promise<AttemptVerdict> =>
    vi.waitFor(async () => (await executor().look([attempt])).get(attempt.signature) ?? expect.fail('undecided'), WAIT);
  return {
    quoted,
    signed,
    verdictOf,
    async traded(ask: TradeAsk): Promise<{ quote: TradeQuote; fill: TradeFill }> {
      const quote = await quoted(ask);
      const attempt = await signed(ask, quote);
      expect(await executor().send(attempt, true)).toEqual({ type: 'forwarded' });
      const verdict = await verdictOf(attempt);
      return verdict.outcome === 'landed' ? { quote, fill: verdict.fill } : expect.fail(verdict.reason.code);
    },
  };
}
