import { randomUUID } from 'node:crypto';
import type { Keypair } from '@solana/web3.js';
import { expect, test, vi } from 'vitest';
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
import { clientOf, FEE, SOL, WAIT } from './client.ts';

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
export function createTraders(chain: Pick<PrivateChain, 'rpcUrl' | 'wsUrl'>) {
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
export function createTrades(executor: Executor) {
  async function quoted(ask: TradeAsk): Promise<TradeQuote> {
    const quote = await executor.quote(ask);
    return quote.ok ? quote.value : expect.fail(quote.reason.code);
  }
  async function signed(ask: TradeAsk, quote: TradeQuote): Promise<SentAttempt> {
    const attempt = await executor.sign(ask, quote, randomUUID(), async () => true);
    return attempt.ok
      ? { ...ask, ...attempt.value, orderId: randomUUID(), firstSentAt: Date.now() }
      : expect.fail(attempt.reason.code);
  }
  const verdictOf = (attempt: SentAttempt): Promise<AttemptVerdict> =>
    vi.waitFor(async () => (await executor.look([attempt])).get(attempt.signature) ?? expect.fail('undecided'), WAIT);
  return {
    quoted,
    signed,
    verdictOf,
    async traded(ask: TradeAsk): Promise<{ quote: TradeQuote; fill: TradeFill }> {
      const quote = await quoted(ask);
      const attempt = await signed(ask, quote);
      expect(await executor.send(attempt, true)).toEqual({ type: 'forwarded' });
      const verdict = await verdictOf(attempt);
      return verdict.outcome === 'landed' ? { quote, fill: verdict.fill } : expect.fail(verdict.reason.code);
    },
  };
}

/** Adds the tests that hold on a curve and in a pool. `coin` resolves with the address of a coin to trade. */
export function testOrders(executor: Executor, traders: ReturnType<typeof createTraders>, coin: () => Promise<string>) {
  const { quoted, signed, verdictOf, traded } = createTrades(executor);

  test('pays priority and tip as quoted', async () => {
    const { buy } = await traders.trader(await coin());
    const ask = buy(SOL, { tipLamports: 1_000, priorityMaxLamports: 50_000 });
    const { costs, ...quote } = await quoted(ask);
    const attempt = await signed(ask, { ...quote, costs: { ...costs, priorityFeeLamports: 50_000 } });
    await executor.send(attempt, true);
    const verdict = await verdictOf(attempt);
    if (verdict.outcome !== 'landed') return expect.fail(verdict.reason.code);
    expect(verdict.fill.costs.tipLamports).toBe(1_000);
    expect(verdict.fill.costs.priorityFeeLamports).toBeGreaterThan(49_000);
    expect(verdict.fill.costs.priorityFeeLamports).toBeLessThanOrEqual(50_000);
    expect(verdict.fill.lamports).toBe(quote.lamports);
  });

  test('is refused by the preflight when the price moved, and reverts when it is sent without [O4, T-12]', async () => {
    const address = await coin();
    const [one, other] = [await traders.trader(address), await traders.trader(address, 30 * SOL)];
    const ask = one.buy(SOL, { slippageBps: 400 });
    const attempt = await signed(ask, await quoted(ask));
    await traded(other.buy(5 * SOL, { slippageBps: 2_000 }));
    const slippage = { code: 'slippage', numbers: { slippageBps: 400 } };
    expect(await executor.send(attempt, true)).toEqual({ type: 'refused', reason: slippage });
    expect(await executor.send(attempt, false)).toEqual({ type: 'forwarded' });
    expect(await verdictOf(attempt)).toMatchObject({ outcome: 'reverted', reason: slippage, feeLamports: FEE });
    // It is in a block by now: sending it again is no refusal.
    expect(await executor.send(attempt, true)).toEqual({ type: 'forwarded' });
  });

  test('is not signed once it is no longer wanted [O6]', async () => {
    const { buy } = await traders.trader(await coin());
    const quote = await quoted(buy(SOL));
    const before = traders.signatures();
    const refused = { ok: false, reason: { code: 'cancelled' } };
    expect(await executor.sign(buy(SOL), quote, 'name', async () => false)).toMatchObject(refused);
    expect(traders.signatures()).toBe(before);
  });
}
