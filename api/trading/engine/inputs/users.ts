import type { Logger } from 'pino';
import type { OrderStatus } from '../../../../common/trading/machine.ts';
import { isFinal } from '../../../../common/trading/machine.ts';
import type { EventSource } from '../../../events/bus.ts';
import type { DomainEvents } from '../../../events/events.ts';
import { isUnavailable } from '../../../platform/database.ts';
import { loggable } from '../../../platform/log.ts';
import type { Change, CoreOrder, CorePlan } from '../../core/model.ts';
import type { PlanSource } from './plan-source.ts';
import { type KnownUser, knownUser, userChanges } from './user-changes.ts';
import type { PlanUser } from './user-reader.ts';

/** Changes of plans that come within this time are taken together, ms. */
const PLANS_DELAY_MS = 50;
const RETRY_MS = 500;
/** Users that are read at once. */
const READS = 8;

/** The users of active plans as the core knows them, followed by domain events. */
export interface PlanUsers {
  /** Reads all users with active plans. Resolves once their changes were handed over. */
  open(): Promise<void>;
  /** Forgets all users, and returns the changes by which the core does. */
  close(): Change[];
  /** Returns a plan that the core has; null when it is inactive by now. */
  plan(userId: string, planId: string): CorePlan | null;
  plans(): CorePlan[];
  userIds(): string[];
  /** Has users read again. */
  refresh(userIds: readonly string[]): void;
}

export interface PlanUsersDeps {
  source: PlanSource;
  read(userId: string): Promise<PlanUser>;
  /** Returns the keys of a plan's orders (R2). */
  orderKeys(userId: string, planId: string): Promise<string[]>;
  /** Receives changes in their order. */
  onChanges(changes: readonly Change[]): void;
  bus: EventSource;
  log: Logger;
}

/** A user to read, with the orders whose progress follows. */
interface Pending {
  orders: CoreOrder[];
  timer: NodeJS.Timeout | null;
}

export function createPlanUsers(deps: PlanUsersDeps): PlanUsers {
  const { source, bus, onChanges, log } = deps;
  const known = new Map<string, KnownUser>();
  const pending = new Map<string, Pending>();
  const reading = new Set<string>();
  /** Users that are read next, beyond those read at once. */
  const waiting = new Set<string>();
  /** Ends the work of an earlier opening. */
  let run = new AbortController();
  run.abort();
  let subscriptions: (() => void)[] = [];
  /** Users whose first read is not over. */
  let opening = new Set<string>();
  let onOpened: () => void = () => undefined;

  function mark(userId: string, delay: number, order?: CoreOrder): void {
    if (run.signal.aborted) return;
    const one = pending.get(userId) ?? { orders: [], timer: null };
    pending.set(userId, one);
    if (order) one.orders.push(order);
    one.timer ??= setTimeout(() => {
      one.timer = null;
      waiting.add(userId);
      readNext();
    }, delay);
  }

  function readNext(): void {
    for (const userId of waiting) {
      if (reading.size >= READS) return;
      // Read again after the read in progress.
      if (reading.has(userId)) continue;
      waiting.delete(userId);
      reading.add(userId);
      const { signal } = run;
      void readUser(userId, signal).finally(() => {
        if (signal.aborted) return;
        reading.delete(userId);
        readNext();
      });
    }
  }

  async function readUser(userId: string, signal: AbortSignal): Promise<void> {
    const orders = pending.get(userId)?.orders.splice(0) ?? [];
    if (pending.get(userId)?.timer === null) pending.delete(userId);
    try {
      const { changes, after } = await changesOf(userId, orders);
      if (signal.aborted) return;
      if (after === null) known.delete(userId);
      else known.set(userId, after);
      onChanges(changes);
      opening.delete(userId);
      if (opening.size === 0) onOpened();
    } catch (error) {
      if (signal.aborted) return;
      if (!isUnavailable(error)) log.warn({ error: loggable(error), userId }, 'plans of a user not read, retrying');
      mark(userId, RETRY_MS);
      pending.get(userId)?.orders.unshift(...orders);
    }
  }

  async function changesOf(userId: string, orders: readonly CoreOrder[]) {
    const plans = await source.ofUser(userId);
    const after = plans.length === 0 ? null : knownUser(await deps.read(userId), plans);
    const before = known.get(userId) ?? null;
    const { account, plans: planChanges } = userChanges(before, after);
    const added = [...(after?.plans.keys() ?? [])].filter((planId) => !before?.plans.has(planId));
    const keys = await Promise.all(added.map((planId) => deps.orderKeys(userId, planId)));
    const tried = keys.flat();
    const changes: Change[] = [
      ...account,
      // Their money is in the account that was read after them.
      ...orders.map((order): Change => ({ type: 'order', order })),
      ...(tried.length > 0 ? [{ type: 'tried', keys: tried } as const] : []),
      ...planChanges,
    ];
    return { changes, after };
  }

  function subscribe(): void {
    const onKnown = (userId: string) => {
      if (known.has(userId) || pending.has(userId) || reading.has(userId)) mark(userId, 0);
    };
    subscriptions = [
      bus.on('plan-changed', ({ userId }) => mark(userId, PLANS_DELAY_MS)),
      bus.on('watchlist-changed', ({ userId }) => onKnown(userId)),
      bus.on('wallet-changed', ({ userId }) => onKnown(userId)),
      bus.on('trading-account-changed', ({ userId }) => onKnown(userId)),
      bus.on('order-changed', (changed) => {
        const order = coreOrderOf(changed);
        if (order) mark(changed.userId, 0, order);
        else onKnown(changed.userId);
      }),
    ];
  }

  return {
    async open() {
      run = new AbortController();
      const { signal } = run;
      subscribe();
      const userIds = await source.userIds();
      if (signal.aborted) return;
      opening = new Set(userIds);
      for (const userId of userIds) mark(userId, 0);
      if (userIds.length > 0) await new Promise<void>((resolve) => (onOpened = resolve));
    },
    close() {
      run.abort();
      onOpened();
      for (const end of subscriptions.splice(0)) end();
      for (const { timer } of pending.values()) if (timer) clearTimeout(timer);
      const changes = [...known.values()].flatMap((user) => userChanges(user, null).plans);
      for (const kept of [pending, waiting, reading, known]) kept.clear();
      return changes;
    },
    plan: (userId, planId) => known.get(userId)?.plans.get(planId) ?? null,
    plans: () => [...known.values()].flatMap(({ plans }) => [...plans.values()]),
    userIds: () => [...known.keys()],
    refresh(userIds) {
      for (const userId of userIds) mark(userId, 0);
    },
  };
}

/** Returns the progress of a plan's order; null for other orders. */
function coreOrderOf({ key, order }: Pick<DomainEvents['order-changed'], 'key' | 'order'>): CoreOrder | null {
  if (!key.startsWith('buy:')) return null;
  return { key, state: stateOf(order.status), hasBought: order.fill !== null, reason: order.failure };
}

function stateOf(status: OrderStatus): CoreOrder['state'] {
  if (isFinal(status)) return 'over';
  return status === 'created' ? 'stored' : 'held';
}
