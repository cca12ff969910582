import { Types } from 'mongoose';
import { MINUTE, SECOND } from '../../../../common/time.ts';
import { exitSlippageBps, slippageAfter } from '../../../../common/trading/account.ts';
import { exitTokens } from '../../../../common/trading/exits.ts';
import { isFinal } from '../../../../common/trading/machine.ts';
import type { ReasonCode } from '../../../../common/trading/reasons.ts';
import type { EventSource } from '../../../events/bus.ts';
import { pause } from '../../../platform/resilience.ts';
import type { OrderRecord } from '../../orders/model.ts';
import type { OrderRequest, Placement, Placing } from '../../orders/place.ts';
import type { OrderStore } from '../../orders/store.ts';
import type { ExitRecord, PositionRecord } from '../model.ts';
import type { PositionService } from '../service.ts';
import { afterFailed, afterRefused, afterSold, firedOf } from './exit-record.ts';

/** Failed attempts after which an exit is stuck. */
export const FAILURES_MAX = 3;
/** Least time between two tries of an exit that does not get through, ms: also when no later price can change that. */
export const AGAIN_MS = { passing: SECOND, lasting: MINUTE, paused: 0 } as const;
/** Pause while the node is away, or another sale is on its way, ms. */
const AWAY_MS = SECOND;

/**
 * Sells by the stored exit of a position, and by exits that fire meanwhile, as often as it takes. Resolves with `sold` once no
 * exit is
 * left to carry out, `passing` when it is stuck, `lasting` when also no further price helps, and `paused` while its user's exits are.
 */
export type SellExit = (id: Types.ObjectId, signal: AbortSignal) => Promise<SellResult>;
export type SellResult = 'sold' | 'passing' | 'lasting' | 'paused';

export interface SellExitDeps {
  update: PositionService['update'];
  placing: Pick<Placing, 'place'>;
  ends: Pick<OrderEnds, 'ended'>;
  isPaused(position: Pick<PositionRecord, 'userId'>): boolean;
}

/** Refusals that a later price does not change. */
const LASTING: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'trading-off',
  'no-wallet',
  'no-key',
  'wallet-changed',
  'not-sol',
  'in-pool',
  'other-cluster',
]);

/** Returns whether a later price may help an exit whose order was refused. `code`: null when no reason is known. */
export function againAfter(code: ReasonCode | null): 'passing' | 'lasting' {
  return code !== null && LASTING.has(code) ? 'lasting' : 'passing';
}

/** A position with its exit. */
export interface Selling {
  position: PositionRecord;
  exit: ExitRecord;
}

export function createSellExit(deps: SellExitDeps): SellExit {
  const { update } = deps;

  /** Changes the exit of a position; one that the user has removed waits for no sale. */
  const changeExit = (
    id: Types.ObjectId,
    change: (position: PositionRecord, exit: ExitRecord) => PositionRecord | null,
  ) => update(id, (before) => (before.exit === null ? null : change(before, before.exit)));

  /** Stores that an exit does not get through, and alerts the user. Resolves with whether it is stuck. */
  async function stuck(id: Types.ObjectId): Promise<boolean> {
    const after = await changeExit(id, (before, exit) => afterRefused(before, exit, new Types.ObjectId()));
    return after?.status === 'stuck';
  }

  /** Handles a refused order. Resolves with null when it has to be asked for again. */
  async function refused(id: Types.ObjectId, code: ReasonCode | null, signal: AbortSignal): Promise<SellResult | null> {
    // Another sale of the position is on its way, and may fail.
    if (code === 'node-away' || code === 'being-sold') {
      await pause(AWAY_MS, signal);
      return null;
    }
    // The tokens left the wallet by another way: the position shrinks once its balance is compared.
    if (code === 'no-tokens') return 'lasting';
    if (!(await stuck(id))) return null;
    return againAfter(code);
  }

  /** Works on one order of an exit. Resolves with null when another one has to follow. */
  async function once({ position, exit }: Selling, signal: AbortSignal): Promise<SellResult | null> {
    const { _id, exitSeq } = position;
    const sold = () => changeExit(_id, (before, now) => (before.exitSeq === exitSeq ? afterSold(before, now) : null));
    const tokens = exitTokens(firedOf(exit), BigInt(position.tokens));
    // A share of almost nothing is nothing.
    if (tokens === 0n) {
      await sold();
      return null;
    }
    const placement = await place(deps.placing, { position, exit }, tokens);
    if (placement.type !== 'placed') {
      return refused(_id, placement.type === 'refused' ? placement.reason.code : null, signal);
    }
    const order = await deps.ends.ended(placement.order, signal);
    if (order === null) return 'passing';
    // Without an open position nothing is left to carry out.
    if (order.status === 'confirmed') return (await sold()) === null ? 'sold' : null;
    if ((await failed(position, order)) < FAILURES_MAX) return null;
    return (await stuck(_id)) ? 'passing' : null;
  }

  /** Counts the attempts of a failed order once. Resolves with the failures so far. */
  async function failed({ _id, exitSeq }: PositionRecord, { attempts }: OrderRecord): Promise<number> {
    const after = await changeExit(_id, (before, exit) =>
      before.exitSeq === exitSeq ? afterFailed(before, exit, attempts.length) : null,
    );
    return after?.exit?.failures ?? 0;
  }

  return async (id, signal) => {
    while (!signal.aborted) {
      const position = await update(id, () => null);
      if (!position?.open || position.exit === null) return 'sold';
      if (deps.isPaused(position)) return 'paused';
      const result = await once({ position, exit: position.exit }, signal);
      if (result !== null) return result;
    }
    return 'passing';
  };
}

/** Makes the order of the exit's present number, or returns it. Gives way when its own impact is beyond the slippage. */
async function place(placing: Pick<Placing, 'place'>, selling: Selling, tokens: bigint): Promise<Placement> {
  const userId = selling.position.userId.toHexString();
  let placement: Placement;
  let step = selling.exit.failures;
  do {
    placement = await placing.place(userId, exitRequest(selling, tokens, step));
    step += 1;
  } while (placement.type === 'refused' && placement.reason.code === 'impact' && step < FAILURES_MAX);
  return placement;
}

/** A request for the sale of an exit. */
export type ExitRequest = OrderRequest & { slippageBps: number };

/** Returns the request for the order of an exit's present number. `failures`: those after which the slippage is chosen. */
export function exitRequest({ position, exit }: Selling, tokens: bigint, failures: number): ExitRequest {
  const { _id, exits, exitSeq, mode, cluster, wallet, token } = position;
  const id = _id.toHexString();
  return {
    key: `exit:${id}:${exitSeq}`,
    cause: { kind: 'exit' as const, name: exit.kind },
    side: 'sell' as const,
    address: token.address,
    tokens,
    slippageBps: slippageAfter(exits.slippageBps ?? exitSlippageBps, failures),
    mode,
    cluster,
    wallet,
    positionId: id,
    accept: null,
  };
}

/** An order is read again after this time, also when no event has come, ms. */
const LOOK_MS = 5 * SECOND;

export type OrderEnds = ReturnType<typeof createOrderEnds>;

/** Waits for the ends of orders, with one subscription for all of them. */
export function createOrderEnds(deps: { bus: EventSource; orders: Pick<OrderStore, 'find'> }) {
  /** Ends of the present pauses by order. */
  const pauses = new Map<string, AbortController>();
  // Of its events only the last ones may mean its end.
  const unsubscribe = deps.bus.on('order-changed', ({ order: { id, status } }) => {
    if (isFinal(status)) pauses.get(id)?.abort();
  });

  return {
    /** Resolves with an order once it is over and in its position; null when `signal` aborts before. */
    async ended(order: OrderRecord, signal: AbortSignal): Promise<OrderRecord | null> {
      const id = order._id.toHexString();
      try {
        let present: OrderRecord | null = order;
        while (present?.open && !signal.aborted) {
          const changed = new AbortController();
          pauses.set(id, changed);
          // It may have changed since it was read, before this pause began.
          present = await deps.orders.find(id);
          if (present?.open) await pause(LOOK_MS, AbortSignal.any([changed.signal, signal]));
        }
        return present?.open === false ? present : null;
      } finally {
        pauses.delete(id);
      }
    },
    stop: unsubscribe,
  };
}
