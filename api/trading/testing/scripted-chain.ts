import type { TradingMode } from '../../../common/trading/account.ts';
import { noExtraCosts } from '../../../common/trading/fills.ts';
import { isExpired } from '../../../common/trading/machine.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import { RpcError } from '../../chain/rpc-error.ts';
import type {
  AttemptVerdict,
  Executor,
  Outcome,
  SentAttempt,
  TradeAsk,
  TradeFill,
  TradeQuote,
} from '../executors/executor.ts';

const SOL = 1_000_000_000;
const FEE = 5_000;
/** Blocks for which a transaction is valid. */
const VALID = 150;

const costs = { ...noExtraCosts, launchpadFeeLamports: 0, networkFeeLamports: FEE };

/** What happens to a sent transaction. `lost`: nothing, and the node does not respond. `late`: it waits for `mine`, however often it is sent. */
export type Fate = 'lands' | 'reverts' | 'late' | 'dropped' | 'lost' | 'refused';

/** A chain without programs: one lamport buys one base unit, and the test decides what happens to each send. */
export interface ScriptedChain {
  executor: Executor;
  /** The fates of the next sends; then all land. */
  fates: Fate[];
  /** While set, the node does not respond. */
  isAway: boolean;
  /** Refuses the next quotes. */
  refusal: Reason | null;
  /** Passes blocks; late transactions that are still valid land in the first one. */
  mine(blocks: number): void;
  /** Transactions in blocks, and how often each was sent. */
  landed: Map<string, SentAttempt & { isSuccess: boolean }>;
  sends: Map<string, number>;
  /** Returns the sent signatures of an order (hexadecimal id). The order has the status `sent` before its first send. */
  sentOf(orderId: string): string[];
  /** Changes of each wallet: lamports, and base units of its tokens. */
  lamports: Map<string, number>;
  /** Lamports that each wallet had before its trades. */
  funds: number;
  tokens: Map<string, bigint>;
  signed: string[];
  /** Awaited before each signature, as the opening of a key is. */
  openKey(): Promise<void>;
}

export function createScriptedChain(now: () => number, mode: TradingMode = 'local'): ScriptedChain {
  let height = 1_000;
  let number = 0;
  const late = new Map<string, SentAttempt>();

  const chain: ScriptedChain = {
    fates: [],
    isAway: false,
    refusal: null,
    landed: new Map(),
    sends: new Map(),
    sentOf: (orderId) => [...chain.sends.keys()].filter((signature) => signature.startsWith(orderId)),
    lamports: new Map(),
    funds: 1_000_000_000_000,
    tokens: new Map(),
    signed: [],
    openKey: async () => {},
    mine(blocks) {
      for (const attempt of late.values()) {
        if (attempt.lastValidBlockHeight > height) execute(attempt, true);
      }
      late.clear();
      height += blocks;
    },
    executor: {
      mode,
      cluster: mode === 'paper' ? null : 'local',
      tradesPools: false,
      quote: async (ask) => quoteOf(ask),
      async sign(ask, quote, name, isWanted) {
        if (chain.isAway) return { ok: false, reason: reason('node-away') };
        await chain.openKey();
        if (!(await isWanted())) return { ok: false, reason: reason('cancelled') };
        number += 1;
        const signature = `${name} ${number}`;
        chain.signed.push(signature);
        const least = (ask.side === 'buy' ? quote.leastTokens : quote.leastLamports) ?? 0n;
        return { ok: true, value: { signature, bytes: 'bytes', lastValidBlockHeight: height + VALID, least } };
      },
      async send(attempt) {
        chain.sends.set(attempt.signature, (chain.sends.get(attempt.signature) ?? 0) + 1);
        const known = late.has(attempt.signature) ? 'late' : chain.fates.shift();
        const fate = chain.isAway ? 'lost' : (known ?? 'lands');
        if (fate === 'refused') return { type: 'refused', reason: reason('slippage', { slippageBps: 500 }) };
        if (fate === 'lands' || fate === 'reverts') execute(attempt, fate === 'lands');
        if (fate === 'late') late.set(attempt.signature, attempt);
        return { type: fate === 'lost' ? 'no-response' : 'forwarded' };
      },
      async look(attempts) {
        if (chain.isAway) throw new RpcError('network');
        return new Map(attempts.flatMap((attempt) => verdictOf(attempt) ?? []));
      },
      async balances(pairs) {
        if (chain.isAway) throw new RpcError('network');
        return pairs.map(({ wallet, address }) => chain.tokens.get(`${wallet} ${address}`) ?? 0n);
      },
      async walletLamports(wallet) {
        if (chain.isAway) throw new RpcError('network');
        return mode === 'paper' ? null : chain.funds + (chain.lamports.get(wallet) ?? 0);
      },
    },
  };

  function quoteOf({ side, lamports, tokens, slippageBps }: TradeAsk): Outcome<TradeQuote> {
    if (chain.isAway) return { ok: false, reason: reason('node-away') };
    if (chain.refusal) return { ok: false, reason: chain.refusal };
    const amount = lamports ?? tokens ?? 0n;
    const least = (amount * BigInt(10_000 - slippageBps)) / 10_000n;
    return {
      ok: true,
      value: {
        decimals: 6,
        tokens: amount,
        leastTokens: side === 'buy' ? least : null,
        lamports: amount,
        leastLamports: side === 'sell' ? least : null,
        spotPrice: 1,
        averagePrice: 1,
        impactBps: 0,
        costs,
        totalLamports: side === 'buy' ? amount + BigInt(FEE) : amount - BigInt(FEE),
        walletLamports: 100n * BigInt(SOL),
        walletTokens: tokens,
        slot: height,
        at: now(),
      },
    };
  }

  function execute(attempt: SentAttempt, isWanted: boolean): void {
    const { signature, wallet, address, side, lamports, tokens } = attempt;
    if (chain.landed.has(signature)) return;
    const key = `${wallet} ${address}`;
    const held = chain.tokens.get(key) ?? 0n;
    const isSuccess = isWanted && (side === 'buy' || held >= (tokens ?? 0n));
    const moved = Number(side === 'buy' ? -(lamports ?? 0n) : (tokens ?? 0n));
    chain.landed.set(signature, { ...attempt, isSuccess });
    chain.lamports.set(wallet, (chain.lamports.get(wallet) ?? 0) - FEE + (isSuccess ? moved : 0));
    if (isSuccess) chain.tokens.set(key, held + (side === 'buy' ? (lamports ?? 0n) : -(tokens ?? 0n)));
  }

  function verdictOf(attempt: SentAttempt): [[string, AttemptVerdict]] | null {
    const { signature } = attempt;
    const found = chain.landed.get(signature);
    if (found?.isSuccess) return [[signature, { outcome: 'landed', fill: fillOf(attempt, height, now()) }]];
    if (found) {
      const verdict = { outcome: 'reverted', reason: reason('chain-error'), feeLamports: FEE, slot: height } as const;
      return [[signature, verdict]];
    }
    if (isExpired(attempt, height, 0)) return [[signature, { outcome: 'expired', reason: reason('expired') }]];
    return null;
  }

  return chain;
}

function fillOf({ lamports, tokens }: SentAttempt, slot: number, at: number): TradeFill {
  const amount = lamports ?? tokens ?? 0n;
  return { tokens: amount, lamports: amount, costs, price: 1, slot, at };
}
