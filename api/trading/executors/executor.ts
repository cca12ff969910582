import type { ChainCluster } from '../../../common/client-config/model.ts';
import type { TradingMode } from '../../../common/trading/account.ts';
import type { AttemptOutcome, OrderSide } from '../../../common/trading/machine.ts';
import type { FillCosts, TradeCosts } from '../../../common/trading/order.ts';
import type { Reason } from '../../../common/trading/reasons.ts';
import type { BookRecord, TradingAccountRecord } from '../accounts/model.ts';

/** A trade that is asked for. Lamports and base units. */
export interface TradeAsk {
  /** The user whose wallet trades. */
  userId: string;
  wallet: string;
  address: string;
  side: OrderSide;
  /** Spent, the launchpad's fee included; null for a sale. */
  lamports: bigint | null;
  /** Sold; null for a purchase. */
  tokens: bigint | null;
  slippageBps: number;
  /** Most that is paid for being included soon. */
  priorityMaxLamports: number;
  tipLamports: number;
  /** Whether the transaction is marked against sandwiches; missing: no. Paper has no transaction. */
  isProtected?: boolean;
}

/** The part of an account that trades on paper use. */
export interface PlayAccount {
  paper: TradingAccountRecord['paper'];
  books: { paper: Pick<BookRecord, 'reservedLamports'> };
}

/** The result of a trade if it were made at this moment. */
export interface TradeQuote {
  decimals: number;
  /** Bought (expected) or sold. */
  tokens: bigint;
  /** Null for a sale. */
  leastTokens: bigint | null;
  /** Paid by a buyer with the launchpad's fee, received (expected) by a seller without it. */
  lamports: bigint;
  /** Null for a purchase. */
  leastLamports: bigint | null;
  /** SOL for one whole token, without fees. */
  spotPrice: number;
  averagePrice: number;
  impactBps: number;
  costs: TradeCosts;
  /** A purchase: most that leaves the wallet. A sale: least that arrives. */
  totalLamports: bigint;
  /** SOL and tokens of the wallet when the quote was made; null when they could not be read. */
  walletLamports: bigint | null;
  walletTokens: bigint | null;
  /** Slot of the read accounts; null on paper. */
  slot: number | null;
  /** Epoch ms. */
  at: number;
}

/** A value, or the reason why there is none. */
export type Outcome<Value> = { ok: true; value: Value } | { ok: false; reason: Reason };

/** A signed transaction before it is stored. On paper, the same without bytes. */
export interface SignedAttempt {
  /** Unique: on paper `paper:` and the order's id and number. */
  signature: string;
  /** base64; stored before the first send, and dropped when the order is over. Empty on paper. */
  bytes: string;
  lastValidBlockHeight: number;
  /** The bound in the transaction: least tokens of a purchase, least lamports of a sale. */
  least: bigint;
  /** On paper: time from its first send until it falls due, ms. */
  delayMs?: number | null;
}

/** A stored attempt whose end is not known, with the trade that it makes. */
export interface SentAttempt extends SignedAttempt, TradeAsk {
  orderId: string;
  /** Epoch ms; null while nothing was sent. */
  firstSentAt: number | null;
}

/**
 * The node's first response to sent bytes. `refused`: it did not forward them and nothing was forwarded before, so that they can
 * never land unless another party sends them. `no-response`: they may be on their way.
 */
export type SendResult = { type: 'forwarded' } | { type: 'refused'; reason: Reason } | { type: 'no-response' };

/** What a trade moved, as the chain reports it (or as computed, on paper). */
export interface TradeFill {
  tokens: bigint;
  lamports: bigint;
  costs: FillCosts;
  /** Average SOL for one whole token, without the known fees. */
  price: number;
  slot: number | null;
  /** Epoch ms. */
  at: number;
}

/** The chain's verdict on an attempt. A reverted one has paid `feeLamports` to the network; its slot is null on paper. */
export type AttemptVerdict =
  | { outcome: Extract<AttemptOutcome, 'landed'>; fill: TradeFill }
  | { outcome: Extract<AttemptOutcome, 'reverted'>; reason: Reason; feeLamports: number; slot: number | null }
  | { outcome: Extract<AttemptOutcome, 'expired'>; reason: Reason };

/**
 * One way to trade. The order service is the same for all: it stores what `sign` returns before `send`, sends only stored bytes
 * again, and ends an order by `look` alone.
 */
export interface Executor {
  readonly mode: TradingMode;
  /** Null on paper, and for real money until the node was checked. */
  readonly cluster: ChainCluster | null;
  /** Whether coins are traded in pools, and not on their curve alone. */
  readonly tradesPools: boolean;
  /**
   * Reads the market at this moment. An unreachable node is the reason `node-away`. `account`: the user's, as the caller has just
   * read it; paper reads it otherwise.
   */
  quote(ask: TradeAsk, account?: PlayAccount): Promise<Outcome<TradeQuote>>;
  /**
   * Builds and signs the transaction of a quote with a fresh blockhash. `name` makes a paper signature unique. `isWanted` is the last
   * question before the key is used (O6); false: the reason `cancelled`.
   */
  sign(
    ask: TradeAsk,
    quote: TradeQuote,
    name: string,
    isWanted: () => Promise<boolean>,
  ): Promise<Outcome<SignedAttempt>>;
  /** Sends stored bytes. `isFirst`: with preflight, so that a refusal costs nothing. Never rejects. */
  send(attempt: SentAttempt, isFirst: boolean): Promise<SendResult>;
  /**
   * Returns verdicts by signature of at most 256 attempts; undecided ones are absent. The height is read before the signatures
   * (O4). Rejects while the node is away.
   */
  look(attempts: readonly SentAttempt[]): Promise<Map<string, AttemptVerdict>>;
  /** Returns what wallets of users hold of tokens, base units, in the order of the pairs. Rejects while the node is away. */
  balances(pairs: readonly { userId: string; wallet: string; address: string }[]): Promise<bigint[]>;
  /** Returns the SOL in a wallet, lamports; null on paper, whose money is in the account. Rejects while the node is away. */
  walletLamports(wallet: string): Promise<number | null>;
}

/**
 * Returns whether an executor trades where an order or a position belongs. Any other one knows nothing of its transactions and
 * balances, so that it would find them expired and gone.
 */
export function serves(
  executor: Executor | null,
  { mode, cluster }: { mode: TradingMode; cluster: ChainCluster | null },
): executor is Executor {
  return executor?.mode === mode && executor.cluster === cluster && (mode === 'paper' || cluster !== null);
}
