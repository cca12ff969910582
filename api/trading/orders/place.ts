import { Types } from 'mongoose';
import type { Clock } from '../../../common/time.ts';
import type { TradingMode } from '../../../common/trading/account.ts';
import type { OrderSide } from '../../../common/trading/machine.ts';
import type { OrderCause, Quote, TradeWarning } from '../../../common/trading/order.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import type { TradedCoin } from '../../market/traded/traded-coin.ts';
import { holdRefusal } from '../accounts/hold.ts';
import type { TradingAccounts } from '../accounts/service.ts';
import type { Executor, Outcome, TradeAsk, TradeQuote } from '../executors/executor.ts';
import { type GuardFacts, refusalAtQuote, refusalBeforeQuote, warningsOf } from './guards.ts';
import { presentQuote } from './present.ts';
import type { OrderRecord } from './record.ts';
import type { Orders } from './service.ts';
import type { OrderStore } from './store.ts';

/** A trade that is asked for: by hand in the user's present mode and wallet, or by a position in its own. */
export interface TradeRequest {
  side: OrderSide;
  address: string;
  /** Spent by a purchase. */
  lamports?: number | undefined;
  /** Sold, percent 1–100 of what the wallet holds. */
  sharePercent?: number | undefined;
  /** Sold, base units; at most what the wallet holds. Instead of a share. */
  tokens?: bigint | undefined;
  /** Default: the user's. */
  slippageBps?: number | undefined;
  /** Of a position; default: the user's present ones. */
  mode?: TradingMode | undefined;
  wallet?: string | undefined;
}

/** A request for an order. The same `key` of a user gives the same order, for ever. */
export interface OrderRequest extends TradeRequest {
  /** `page:<uuid>`, `quick:<uuid>`, `bot:<nonce>`, `exit:<position>:<n>` or `stop:<stop>:<position>`. */
  key: string;
  cause: OrderCause;
  positionId?: string | undefined;
  /** Warnings that the user has seen; null: none is needed. */
  accept: readonly TradeWarning[] | null;
}

/** The order of a request; or why it is refused; or the warnings that the user has to accept first. */
export type Placement =
  | { type: 'placed'; order: OrderRecord }
  | { type: 'refused'; reason: Reason }
  | { type: 'unconfirmed'; warnings: TradeWarning[] }
  | { type: 'unknown-token' };

export interface PlaceDeps {
  accounts: Pick<TradingAccounts, 'read' | 'stopAll' | 'server'>;
  orders: Orders;
  store: Pick<OrderStore, 'findByKey' | 'countUnknown'>;
  /** Null while the server trades nothing in this mode. */
  executorOf(mode: TradingMode): Executor | null;
  wallets: { current(userId: string): Promise<{ walletAddress: string; hasKey: boolean } | null> };
  watchlists: { of(userId: string): Promise<{ black: ReadonlySet<string> }> };
  market: { coin(address: string): Promise<TradedCoin | null> };
  /** Returns whether the user has an open position of the token. */
  hasPosition(userId: string, mode: TradingMode, wallet: string, address: string): Promise<boolean>;
  /** Has the worker look at a new order at once, with the quote that it was made by. */
  wake(orderId: string, quote: TradeQuote): void;
  clock: Clock;
}

/** Quotes trades and makes orders. User ids are hexadecimal. */
export interface Placing {
  /** Returns the result of a trade if it were made now, or why it is refused; both when only a limit refuses it. */
  quote(userId: string, request: TradeRequest): Promise<{ quote: Quote | null; refusal: Reason | null } | null>;
  /** Makes an order, or returns the one with this key. It is stored, and the worker is at it. */
  place(userId: string, request: OrderRequest): Promise<Placement>;
}

/** Most attempts of an order. */
const ATTEMPTS_MAX = 3;

interface Situation {
  coin: TradedCoin;
  mode: TradingMode;
  executor: Executor;
  wallet: string;
  opensPosition: boolean;
  account: Awaited<ReturnType<TradingAccounts['read']>>;
  facts: GuardFacts;
}

export function createPlacing(deps: PlaceDeps): Placing {
  const { orders, store, clock } = deps;

  /** Returns an ask with its quote, or the reason why there is none. */
  async function quoted(
    userId: string,
    { account, executor, wallet }: Situation,
    request: TradeRequest,
  ): Promise<Outcome<{ ask: TradeAsk; quote: TradeQuote; isWholePosition: boolean }>> {
    const { side, address, lamports = 0, slippageBps = account.defaults.slippageBps } = request;
    const sold = side === 'sell' ? await soldTokens(executor, wallet, request) : null;
    if (sold && !sold.ok) return sold;
    const ask: TradeAsk = {
      userId,
      wallet,
      address,
      side,
      lamports: side === 'buy' ? BigInt(lamports) : null,
      tokens: sold?.value.tokens ?? null,
      slippageBps,
      priorityMaxLamports: account.limits.priorityMaxLamports,
      tipLamports: account.limits.tipLamports,
    };
    const quote = await executor.quote(ask);
    if (!quote.ok) return quote;
    return { ok: true, value: { ask, quote: quote.value, isWholePosition: sold?.value.isAll ?? false } };
  }

  /** Returns the facts of a request, or why it is refused without them; null for an unknown token. */
  async function situationOf(userId: string, request: TradeRequest): Promise<Outcome<Situation> | null> {
    const { side, address } = request;
    const [account, stoppedAll, current, coin, lists] = await Promise.all([
      deps.accounts.read(userId),
      side === 'buy' ? deps.accounts.stopAll.read() : null,
      deps.wallets.current(userId),
      deps.market.coin(address),
      deps.watchlists.of(userId),
    ]);
    if (coin === null) return null;
    const mode = request.mode ?? account.activeMode;
    const executor = mode && deps.executorOf(mode);
    if (!mode || !executor) return { ok: false, reason: reason('trading-off') };
    const wallet = current?.walletAddress ?? '';
    if (request.wallet !== undefined && request.wallet !== wallet) {
      return { ok: false, reason: reason('wallet-changed') };
    }
    const lamports = request.lamports ?? 0;
    const [unknownOrders, hasPosition] = await Promise.all([
      side === 'buy' ? store.countUnknown(userId, mode) : 0,
      side === 'buy' && deps.hasPosition(userId, mode, wallet, address),
    ]);
    const opensPosition = side === 'buy' && !hasPosition;
    const hold = { mode, side, lamports, totalLamports: lamports, opens: opensPosition };
    const facts: GuardFacts = {
      side,
      server: deps.accounts.server,
      isStoppedForAll: stoppedAll !== null,
      wallet: current,
      needsKey: executor.cluster !== null,
      isStopped: account.stopped !== null,
      isBlacklisted: lists.black.has(address),
      coin,
      limits: holdRefusal(account, hold, clock.now()),
      unknownOrders,
      slippageBps: request.slippageBps ?? account.defaults.slippageBps,
    };
    return { ok: true, value: { coin, mode, executor, wallet, opensPosition, account, facts } };
  }

  async function prepared(userId: string, request: TradeRequest) {
    const situation = await situationOf(userId, request);
    if (situation === null || !situation.ok) return { situation, trade: null };
    const refusal = refusalBeforeQuote(situation.value.facts);
    const trade = refusal ? { ok: false as const, reason: refusal } : await quoted(userId, situation.value, request);
    return { situation, trade };
  }

  return {
    async quote(userId, request) {
      const { situation, trade } = await prepared(userId, request);
      if (situation === null) return null;
      if (!situation.ok) return { quote: null, refusal: situation.reason };
      if (!trade?.ok) return { quote: null, refusal: trade?.reason ?? null };
      const { coin, mode, facts } = situation.value;
      const { ask, quote } = trade.value;
      const warnings = warningsOf(request.side, coin);
      return { quote: presentQuote(ask, quote, { mode, warnings }), refusal: refusalAtQuote(facts, quote) };
    },

    async place(userId, request) {
      const known = await store.findByKey(userId, request.key);
      if (known) return { type: 'placed', order: known };
      const { situation, trade } = await prepared(userId, request);
      if (situation === null) return { type: 'unknown-token' };
      if (!situation.ok) return { type: 'refused', reason: situation.reason };
      if (!trade?.ok) return { type: 'refused', reason: trade?.reason ?? reason('trading-off') };
      const refusal = refusalAtQuote(situation.value.facts, trade.value.quote);
      if (refusal) return { type: 'refused', reason: refusal };
      const warnings = missingWarnings(request, situation.value.coin);
      if (warnings.length > 0) return { type: 'unconfirmed', warnings };
      const record = newOrder(request, situation.value, trade.value, clock.now());
      const { order, isNew } = await orders.add(record);
      if (isNew) deps.wake(order._id.toHexString(), trade.value.quote);
      return { type: 'placed', order };
    },
  };
}

function missingWarnings({ side, accept }: OrderRequest, coin: TradedCoin): TradeWarning[] {
  if (accept === null) return [];
  const warnings = warningsOf(side, coin);
  return warnings.some((warning) => !accept.includes(warning)) ? warnings : [];
}

/** Returns how much of a token is sold, and whether that is all of it. */
async function soldTokens(
  executor: Executor,
  wallet: string,
  { address, tokens, sharePercent = 100 }: TradeRequest,
): Promise<Outcome<{ tokens: bigint; isAll: boolean }>> {
  const [held = 0n] = await executor.balances([{ wallet, address }]).catch(() => [null]);
  if (held === null) return { ok: false, reason: reason('node-away') };
  if (held === 0n) return { ok: false, reason: reason('no-tokens') };
  const wanted = tokens ?? (held * BigInt(sharePercent)) / 100n;
  const sold = wanted < held ? wanted : held;
  if (sold === 0n) return { ok: false, reason: reason('too-small') };
  return { ok: true, value: { tokens: sold, isAll: sold === held } };
}

function newOrder(
  { side, address, key, cause, positionId, lamports }: OrderRequest,
  { coin, mode, executor, wallet, opensPosition }: Situation,
  { ask, quote, isWholePosition }: { ask: TradeAsk; quote: TradeQuote; isWholePosition: boolean },
  now: number,
): OrderRecord {
  const { userId, slippageBps, priorityMaxLamports, tipLamports, tokens } = ask;
  return {
    _id: new Types.ObjectId(),
    userId: new Types.ObjectId(userId),
    key,
    side,
    mode,
    cluster: executor.cluster,
    wallet,
    token: { address, name: coin.name, symbol: coin.symbol, decimals: quote.decimals },
    cause,
    positionId: positionId === undefined ? null : new Types.ObjectId(positionId),
    lamports: side === 'buy' ? (lamports ?? 0) : null,
    tokens: tokens === null ? null : String(tokens),
    isWholePosition,
    slippageBps,
    priorityMaxLamports,
    tipLamports,
    holdLamports: side === 'buy' ? Number(quote.totalLamports) : 0,
    opensPosition,
    status: 'created',
    open: true,
    noMore: false,
    attemptLimit: ATTEMPTS_MAX,
    attempts: [],
    fill: null,
    failure: null,
    times: { created: now, held: null, signed: null, sent: null, decided: null },
    nextAt: new Date(now),
    version: 1,
  };
}
