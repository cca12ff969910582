import { Types } from 'mongoose';
import { SECOND } from '../../../../common/time.ts';
import { exitSlippageBps, slippageAfter } from '../../../../common/trading/account.ts';
import type { ExitKind } from '../../../../common/trading/exits.ts';
import type { ReasonCode } from '../../../../common/trading/reasons.ts';
import type { EventBus } from '../../../events/bus.ts';
import { pause } from '../../../platform/resilience.ts';
import type { Placement, Placing } from '../../orders/place.ts';
import type { OrderRecord } from '../../orders/record.ts';
import type { OrderStore } from '../../orders/store.ts';
import type { ExitRecord, PositionRecord } from '../record.ts';
import type { PositionService } from '../service.ts';

/** Failed attempts after which an exit is stuck. */
export const FAILURES_MAX = 3;
/** An order is read again after this time, also when no event has come, ms. */
const LOOK_MS = 2 * SECOND;
/** Pause while the node is away, ms. */
const AWAY_MS = SECOND;

/**
 * Sells all of a position, as often as it takes. Resolves with `sold` once nothing is left, or the exit is over; `passing` when
 * it is stuck, and `lasting` when also no further price helps.
 */
export type SellExit = (id: Types.ObjectId, kind: ExitKind, signal: AbortSignal) => Promise<SellResult>;
export type SellResult = 'sold' | 'passing' | 'lasting';

export interface SellExitDeps {
  update: PositionService['update'];
  placing: Pick<Placing, 'place'>;
  orders: Pick<OrderStore, 'find'>;
  bus: Pick<EventBus, 'on'>;
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

export function createSellExit(deps: SellExitDeps): SellExit {
  const { update } = deps;

  /** Stores that an exit does not get through, of which the user is alerted. */
  async function stuck(id: Types.ObjectId): Promise<void> {
    await update(id, (before) => {
      // Without an exit the user has removed it, and waits for no sale.
      if (before.status === 'stuck' || before.exit === null) return null;
      return { ...before, status: 'stuck', exit: { ...before.exit, stuckId: new Types.ObjectId() } };
    });
  }

  /** Handles a refused order. Resolves with null when it has to be asked for again. */
  async function refused(id: Types.ObjectId, code: ReasonCode | null, signal: AbortSignal): Promise<SellResult | null> {
    if (code === 'node-away') {
      await pause(AWAY_MS, signal);
      return null;
    }
    // The tokens left the wallet by another way: the position shrinks once its balance is compared.
    if (code === 'no-tokens') return 'lasting';
    await stuck(id);
    return code !== null && LASTING.has(code) ? 'lasting' : 'passing';
  }

  /** Works on one order of an exit. Resolves with null when another one has to follow. */
  async function once(position: PositionRecord, signal: AbortSignal): Promise<SellResult | null> {
    const placement = await place(deps.placing, position, position.exit?.failures ?? 0);
    if (placement.type !== 'placed') {
      return refused(position._id, placement.type === 'refused' ? placement.reason.code : null, signal);
    }
    const order = await ended(deps, placement.order, signal);
    if (order === null) return 'passing';
    if (order.status === 'confirmed') {
      await update(position._id, (before) => ({ ...before, exit: null, status: 'open' }));
      return 'sold';
    }
    const failures = await failed(position, order);
    if (failures < FAILURES_MAX) return null;
    await stuck(position._id);
    return 'passing';
  }

  /** Counts the attempts of a failed order once; the next order gets another key. Resolves with the failures so far. */
  async function failed({ _id, exitSeq }: PositionRecord, { attempts }: OrderRecord): Promise<number> {
    const after = await update(_id, (before) => {
      if (before.exit === null || before.exitSeq !== exitSeq) return null;
      const failures = before.exit.failures + Math.max(1, attempts.length);
      return { ...before, exit: { ...before.exit, failures }, exitSeq: exitSeq + 1 };
    });
    return after?.exit?.failures ?? 0;
  }

  return async (id, kind, signal) => {
    // Only once: an exit that the user removes while its order is out is not to fire again.
    let position = await update(id, (before) =>
      before.exit ? null : { ...before, status: 'closing', exit: fired(kind), exitSeq: before.exitSeq + 1 },
    );
    while (!signal.aborted) {
      if (!position?.open || position.exit === null) return 'sold';
      const result = await once(position, signal);
      if (result !== null) return result;
      position = await update(id, () => null);
    }
    return 'passing';
  };
}

const fired = (kind: ExitKind): ExitRecord => ({ kind, failures: 0, stuckId: null });

/** Makes the order of the exit's present number, or returns it. Gives way when its own impact is beyond the slippage. */
async function place(placing: Pick<Placing, 'place'>, position: PositionRecord, failures: number): Promise<Placement> {
  let placement: Placement;
  let step = failures;
  do {
    placement = await placing.place(position.userId.toHexString(), exitRequest(position, step));
    step += 1;
  } while (placement.type === 'refused' && placement.reason.code === 'impact' && step < FAILURES_MAX);
  return placement;
}

/** Resolves with an order once it is over and in its position; null when `signal` aborts before. */
async function ended(
  { bus, orders }: Pick<SellExitDeps, 'bus' | 'orders'>,
  order: OrderRecord,
  signal: AbortSignal,
): Promise<OrderRecord | null> {
  const id = order._id.toHexString();
  let wake = new AbortController();
  const unsubscribe = bus.on('order-changed', ({ order: { id: changed } }) => {
    if (changed === id) wake.abort();
  });
  try {
    let present: OrderRecord | null = order;
    while (present?.open && !signal.aborted) {
      await pause(LOOK_MS, AbortSignal.any([wake.signal, signal]));
      wake = new AbortController();
      present = await orders.find(id);
    }
    return present?.open === false ? present : null;
  } finally {
    unsubscribe();
  }
}

function exitRequest(position: PositionRecord, failures: number) {
  const { _id, exit, exitSeq, mode, cluster, wallet, token, tokens } = position;
  const id = _id.toHexString();
  return {
    key: `exit:${id}:${exitSeq}`,
    cause: { kind: 'exit' as const, name: exit?.kind ?? null },
    side: 'sell' as const,
    address: token.address,
    tokens: BigInt(tokens),
    slippageBps: slippageAfter(exitSlippageBps, failures),
    mode,
    cluster,
    wallet,
    positionId: id,
    accept: null,
  };
}
