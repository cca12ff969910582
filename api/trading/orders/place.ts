import { Types } from 'mongoose';
import type { Exits } from '../../../common/trading/account.ts';
import type { OrderCause, Quote, TradeWarning } from '../../../common/trading/order.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import type { TradedCoin } from '../../market/traded/traded-coin.ts';
import { createKeyedMutex } from '../../platform/keyed-mutex.ts';
import { refusalAtQuote, warningsOf } from './guards.ts';
import { createPreparing, type PrepareDeps, type PricedTrade, type Situation, type TradeRequest } from './prepare.ts';
import { presentQuote } from './present.ts';
import { newProgress, type OrderRecord } from './record.ts';
import type { Orders } from './service.ts';
import type { OrderStore } from './store.ts';
import { boundedQuote } from './terms.ts';
import type { MadeOrder } from './worker/worker.ts';

/** A request for an order. The same `key` of a user gives the same order, for ever. */
export interface OrderRequest extends TradeRequest {
  /** `page:<uuid>`, `quick:<uuid>`, `bot:<nonce>`, `exit:<position>:<n>` or `stop:<stop>:<position>[:<repeat>]`. */
  key: string;
  cause: OrderCause;
  /** Exits of the position that a purchase opens; default: the user's. */
  exits?: Exits | undefined;
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

export interface PlaceDeps extends PrepareDeps {
  orders: Orders;
  store: Pick<OrderStore, 'findByKey' | 'countUnknown' | 'salesOf'>;
  /** Has the worker look at a new order at once. */
  wake(orderId: string, made: MadeOrder): void;
}

/** Quotes trades and makes orders. User ids are hexadecimal. */
export interface Placing {
  /** Returns the result of a trade if it were made now, or why it is refused; both when only a limit refuses it. */
  quote(userId: string, request: TradeRequest): Promise<{ quote: Quote | null; refusal: Reason | null } | null>;
  /** Makes an order, or returns the one with this key. It is stored, and the worker is at it. */
  place(userId: string, request: OrderRequest): Promise<Placement>;
}

export function createPlacing(deps: PlaceDeps): Placing {
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
    async quote(userId, request) {
      const { situation, trade } = await prepared(userId, request);
      if (situation === null) return null;
      if (!situation.ok) return { quote: null, refusal: situation.reason };
      if (!trade?.ok) return { quote: null, refusal: trade?.reason ?? null };
      const { coin, mode, facts } = situation.value;
      const { ask, quote } = trade.value;
      const warnings = warningsOf(request.side, coin);
      const venue = coin.stage === 'pool' ? 'pool' : 'curve';
      return {
        quote: presentQuote(ask, quote, { mode, venue, warnings }),
        refusal: refusalAtQuote(facts, trade.value),
      };
    },

    async place(userId, request) {
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
  { side, address, key, cause, positionId, exits, lamports, least }: OrderRequest,
  { coin, mode, executor, wallet }: Situation,
  { ask, quote, isWholePosition }: PricedTrade,
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
    exits: exits ?? null,
    least: least === undefined ? null : String(least),
    priorityMaxLamports,
    tipLamports,
    holdLamports: side === 'buy' ? Number(quote.totalLamports) : 0,
    ...newProgress(now),
  };
}
