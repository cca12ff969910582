import { Types } from 'mongoose';
import type { ChainCluster } from '../../../common/client-config/model.ts';
import type { Clock } from '../../../common/time.ts';
import type { Exits, TradeTerms, TradingMode } from '../../../common/trading/account.ts';
import { holdRefusal, mostPurchase } from '../../../common/trading/limits/refusal.ts';
import type { OrderSide } from '../../../common/trading/machine.ts';
import {
  isAutomatic,
  isByHand,
  type OrderCause,
  type Quote,
  type TradeWarning,
} from '../../../common/trading/order.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import type { Market } from '../../market/market.ts';
import type { TradedCoin } from '../../market/traded/traded-coin.ts';
import { createKeyedMutex } from '../../platform/keyed-mutex.ts';
import type { TradingAccountRecord } from '../accounts/model.ts';
import { limitedAccountOf } from '../accounts/money-hold.ts';
import { chosenTerms, limitTerms } from '../accounts/presets.ts';
import type { TradingAccounts } from '../accounts/service.ts';
import type { Executor, Outcome, TradeAsk, TradeQuote } from '../executors/executor.ts';
import type { PositionBook } from '../positions/fill-book.ts';
import { freeLamports, type GuardFacts, refusalAtQuote, refusalBeforeQuote, warningsOf } from './guards.ts';
import { newProgress, type OrderRecord } from './model.ts';
import { presentQuote } from './present.ts';
import { isElsewhere, soldTokens } from './sold-tokens.ts';
import type { OrderStore, Orders } from './store.ts';
import { boundedQuote } from './terms.ts';
import type { MadeOrder } from './worker/worker.ts';

type Undefinable<Fields> = { [Name in keyof Fields]: Fields[Name] | undefined };

/**
 * A trade that is asked for: by hand in the user's present mode and wallet, or by a position in its own. Terms that are missing: the chosen
 * preset's by hand, otherwise the limits'.
 */
export interface TradeRequest extends Partial<Undefinable<TradeTerms>> {
  side: OrderSide;
  /** Missing: asked for by hand. */
  cause?: OrderCause | undefined;
  address: string;
  /** Spent by a purchase. */
  lamports?: number | undefined;
  /** Position that a sale is of, and that its fill takes from first. Hexadecimal. */
  positionId?: string | undefined;
  /** Sold, percent 1–100 of the position of `positionId`; without one, of what the wallet holds. */
  sharePercent?: number | undefined;
  /** Instead of a share: sells what returns the part of the price of the position of `positionId` that has not returned yet. */
  initial?: true | undefined;
  /** Sold, base units; at most what the wallet holds, and the position of `positionId`. Instead of a share. */
  tokens?: bigint | undefined;
  /** Of a position; default: the user's present ones. */
  mode?: TradingMode | undefined;
  /** Shown to the user, who may have changed it elsewhere since: another mode refuses the trade. */
  shownMode?: TradingMode | undefined;
  wallet?: string | undefined;
  /** Network of a position, null on paper; missing: that of the mode. */
  cluster?: ChainCluster | null | undefined;
}

/** A request for an order. The same `key` of a user gives the same order, for ever. */
export interface OrderRequest extends TradeRequest {
  /** `page:<uuid>`, `quick:<uuid>`, `bot:<nonce>`, `buy:<plan>:<address>`, `exit:<position>:<n>` or `stop:<stop>:<position>[:<repeat>]`. */
  key: string;
  cause: OrderCause;
  /** Exits of the position that a purchase opens; default: the user's. */
  exits?: Exits | undefined;
  /** `activeSince` of the plan that decides it; missing: no plan does. */
  planSince?: number;
  /** Least that it has to bring, as the user has seen it: base units of a purchase, lamports of a sale. */
  least?: bigint | undefined;
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
  orders: Pick<Orders, 'add'>;
  store: Pick<OrderStore, 'findByKey' | 'countUnknown' | 'salesOf'>;
  /** Null while the server trades nothing in this mode. */
  executorOf(mode: TradingMode): Executor | null;
  wallets: { current(userId: string): Promise<{ walletAddress: string; hasKey: boolean } | null> };
  watchlists: { of(userId: string): Promise<{ black: ReadonlySet<string> }> };
  positions: Pick<PositionBook, 'findOpen' | 'initialTokens'>;
  market: { coin(address: string): Promise<TradedCoin | null> } & Pick<Market, 'pin' | 'unpin'>;
  /** Has the worker look at a new order at once. */
  wake(orderId: string, made: MadeOrder): void;
  clock: Clock;
}

export type Placing = ReturnType<typeof createPlacing>;

/** Quotes trades and makes orders. User ids are hexadecimal. */
export function createPlacing(deps: PlaceDeps) {
  const { orders, store, market, clock } = deps;
  const prepared = createPreparing(deps);
  const exclusive = createKeyedMutex();

  /** Makes an order at the present price. One with this key is found by the attempt to store another. */
  async function made(userId: string, request: OrderRequest): Promise<Placement> {
    const { situation, trade } = await prepared(userId, request);
    if (situation === null) return { type: 'unknown-token' };
    if (!situation.ok) return { type: 'refused', reason: situation.reason };
    if (!trade?.ok) return { type: 'refused', reason: trade?.reason ?? reason('trading-off') };
    const refusal = refusalAtQuote(situation.value.facts, trade.value);
    if (refusal) return { type: 'refused', reason: refusal };
    const warnings = missingWarnings(request, situation.value.coin);
    if (warnings.length > 0) return { type: 'unconfirmed', warnings };
    const record = newOrder(request, situation.value, trade.value, clock.now());
    if (!boundedQuote(record, trade.value.quote)) {
      return { type: 'refused', reason: reason('slippage', { slippageBps: record.slippageBps }) };
    }
    const { order, isNew } = await orders.add(record);
    if (isNew) deps.wake(order._id.toHexString(), { order, quote: trade.value.quote });
    return { type: 'placed', order };
  }

  return {
    /** Returns the terms of a request: its own, and the missing ones from preset or limits. */
    terms: async (userId: string, request: TradeRequest): Promise<TradeTerms> =>
      termsOf(request, await deps.accounts.read(userId)),

    /** Returns the result of a trade if it were made now, or why it is refused; both when only a limit refuses it. Null: unknown token. */
    async quote(
      userId: string,
      request: TradeRequest,
    ): Promise<{ quote: Quote | null; refusal: Reason | null } | null> {
      const { situation, trade } = await prepared(userId, request);
      if (situation === null) return null;
      if (!situation.ok) return { quote: null, refusal: situation.reason };
      if (!trade?.ok) return { quote: null, refusal: trade?.reason ?? null };
      const { coin, mode, facts } = situation.value;
      const { ask, quote, mostLamports } = trade.value;
      const warnings = warningsOf(request.side, coin);
      const venue = coin.stage === 'pool' ? 'pool' : 'curve';
      const walletLamports = freeLamports(facts, quote);
      return {
        quote: presentQuote(ask, quote, { mode, venue, warnings, walletLamports, mostLamports }),
        refusal: refusalAtQuote(facts, trade.value),
      };
    },

    /** Makes an order, or returns the one with this key. It is stored, and the worker is at it. */
    async place(userId: string, request: OrderRequest): Promise<Placement> {
      // Its prices are kept from the decision on; once it is stored, the order keeps them itself.
      market.pin(request.address);
      const { positionId } = request;
      // Each sale of a position has to see the ones before it.
      const making =
        positionId === undefined ? made(userId, request) : exclusive(positionId, () => made(userId, request));
      const outcome = await making.then(
        (placement) => ({ placement }),
        (error: unknown) => ({ placement: null, error }),
      );
      market.unpin(request.address);
      if (outcome.placement?.type === 'placed') return outcome.placement;
      // The order may have been made before, and nothing refuses it any more. Looked up only here, since most keys are new.
      const known = await store.findByKey(userId, request.key);
      if (known) return { type: 'placed', order: known };
      if (outcome.placement === null) throw outcome.error;
      return outcome.placement;
    },
  };
}

function missingWarnings({ side, accept }: OrderRequest, coin: TradedCoin): TradeWarning[] {
  if (accept === null) return [];
  const warnings = warningsOf(side, coin);
  return warnings.some((warning) => !accept.includes(warning)) ? warnings : [];
}

function newOrder(
  { side, address, key, cause, positionId, exits, planSince, lamports, least }: OrderRequest,
  { coin, mode, executor, wallet }: Situation,
  { ask, quote, isWholePosition }: PricedTrade,
  now: number,
): OrderRecord {
  const { userId, slippageBps, priorityMaxLamports, tipLamports, isProtected = false, tokens } = ask;
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
    exits: exits ?? null,
    ...(planSince === undefined ? {} : { planSince }),
    least: least === undefined ? null : String(least),
    priorityMaxLamports,
    tipLamports,
    isProtected,
    holdLamports: side === 'buy' ? Number(quote.totalLamports) : 0,
    ...newProgress(now),
  };
}

/** The facts of a request: its coin, its account, and the place where it would be traded. */
interface Situation {
  coin: TradedCoin;
  mode: TradingMode;
  executor: Executor;
  wallet: string;
  account: Awaited<ReturnType<TradingAccounts['read']>>;
  terms: TradeTerms;
  facts: GuardFacts;
}

/** A trade at its present price. */
interface PricedTrade {
  ask: TradeAsk;
  quote: TradeQuote;
  /** Whether it sells everything that the wallet has of the token. */
  isWholePosition: boolean;
  /** Refusal of the account by its limits and protections, see `holdRefusal`; null for a sale. */
  limits: Reason | null;
  /** Largest purchase that the account allows, see `mostPurchase`; null for a sale, and while its money is unknown. */
  mostLamports: number | null;
}

/** Creates the function that collects the facts of a request, and its price unless they refuse it. */
function createPreparing(deps: PlaceDeps) {
  const { store, clock } = deps;

  /** Returns an ask with its quote, or the reason why there is none. */
  async function quoted(userId: string, situation: Situation, request: TradeRequest): Promise<Outcome<PricedTrade>> {
    const { account, mode, executor, wallet } = situation;
    const { side, address, lamports = 0 } = request;
    const sold = side === 'sell' ? await soldTokens(deps, userId, situation, request) : null;
    if (sold && !sold.ok) return sold;
    const ask: TradeAsk = {
      userId,
      wallet,
      address,
      side,
      lamports: side === 'buy' ? BigInt(lamports) : null,
      tokens: sold?.value.tokens ?? null,
      ...situation.terms,
    };
    const [quote, unknownOrders] = await Promise.all([
      executor.quote(ask, account),
      side === 'buy' ? store.countUnknown(userId, mode) : 0,
    ]);
    if (!quote.ok) return quote;
    const bounds =
      side === 'buy' ? purchaseBounds(situation, request, quote.value, { unknownOrders, now: clock.now() }) : null;
    const { limits, mostLamports } = bounds ?? { limits: null, mostLamports: null };
    const isWholePosition = sold?.value.isAll ?? false;
    return { ok: true, value: { ask, quote: quote.value, isWholePosition, limits, mostLamports } };
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
    const venue = venueOf(deps, request, account.activeMode);
    if (!venue.ok) return venue;
    const { mode, executor } = venue.value;
    const wallet = current?.walletAddress ?? '';
    if (request.wallet !== undefined && request.wallet !== wallet) {
      return { ok: false, reason: reason('wallet-changed') };
    }
    const terms = termsOf(request, account);
    const facts: GuardFacts = {
      side,
      server: deps.accounts.server,
      isStoppedForAll: stoppedAll !== null,
      wallet: current,
      needsKey: mode !== 'paper',
      isStopped: account.stopped !== null,
      isBlacklisted: lists.black.has(address),
      coin,
      tradesPools: executor.tradesPools,
      reservedLamports: account.books[mode].reservedLamports,
      terms,
      limits: account.limits,
    };
    return { ok: true, value: { coin, mode, executor, wallet, account, terms, facts } };
  }

  /** `situation`: null for an unknown token. `trade`: null when the request is refused without its facts. */
  return async (
    userId: string,
    request: TradeRequest,
  ): Promise<{ situation: Outcome<Situation> | null; trade: Outcome<PricedTrade> | null }> => {
    const situation = await situationOf(userId, request);
    if (situation === null || !situation.ok) return { situation, trade: null };
    const refusal = refusalBeforeQuote(situation.value.facts);
    const trade = refusal ? { ok: false as const, reason: refusal } : await quoted(userId, situation.value, request);
    return { situation, trade };
  };
}

/** Returns the limits of the account on a purchase at its price. `now`: epoch ms. */
function purchaseBounds(
  { account, mode, terms, facts }: Situation,
  { address, lamports = 0, cause }: TradeRequest,
  quote: TradeQuote,
  { unknownOrders, now }: { unknownOrders: number; now: number },
): Pick<PricedTrade, 'limits' | 'mostLamports'> {
  const totalLamports = Number(quote.totalLamports);
  const limited = limitedAccountOf(account, { mode }, unknownOrders);
  // Until the purchase, the usual priority fee may rise to the most that is paid.
  const costs = totalLamports - lamports - quote.costs.priorityFeeLamports + terms.priorityMaxLamports;
  return {
    limits: holdRefusal(limited, { lamports, totalLamports, address, isAutomatic: isAutomatic(cause) }, now),
    mostLamports: mostPurchase(limited, { freeLamports: freeLamports(facts, quote), costs }, now),
  };
}

/** Returns the terms of a request; missing ones from the preset or the limits. */
function termsOf(request: TradeRequest, account: TradingAccountRecord): TradeTerms {
  const { cause, side } = request;
  const missing = cause === undefined || isByHand(cause) ? chosenTerms(account, side) : limitTerms(account, side);
  return {
    slippageBps: request.slippageBps ?? missing.slippageBps,
    priorityMaxLamports: request.priorityMaxLamports ?? missing.priorityMaxLamports,
    tipLamports: request.tipLamports ?? missing.tipLamports,
    isProtected: request.isProtected ?? missing.isProtected,
  };
}

/** Returns where a request is traded, or why it is nowhere. An executor that was not checked yet is away. */
function venueOf(
  { executorOf }: Pick<PlaceDeps, 'executorOf'>,
  { mode: asked, shownMode, cluster }: TradeRequest,
  activeMode: TradingMode | null,
): Outcome<{ mode: TradingMode; executor: Executor }> {
  const mode = asked ?? activeMode;
  const executor = mode && executorOf(mode);
  if (!mode || !executor) return { ok: false, reason: reason('trading-off') };
  if (shownMode !== undefined && shownMode !== mode) return { ok: false, reason: reason('mode-changed') };
  return cluster !== undefined && isElsewhere(executor, cluster)
    ? { ok: false, reason: reason('other-cluster') }
    : { ok: true, value: { mode, executor } };
}
