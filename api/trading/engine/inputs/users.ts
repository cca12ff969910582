import type { Logger } from 'pino';
import type { OrderStatus } from '../../../../common/trading/machine.ts';
import { isFinal } from '../../../../common/trading/machine.ts';
import type { EventSource } from '../../../events/bus.ts';
import type { DomainEvents } from '../../../events/events.ts';
import { isUnavailable } from '../../../platform/database.ts';
import type { Buy, Change, CoreOrder, CorePlan } from '../../core/model.ts';
import type { OrderRecord } from '../../orders/record.ts';
import type { PlanSource } from './plan-source.ts';
import { createReadQueue, type ReadQueue } from './read-queue.ts';
import { type KnownUser, knownUser, userChanges } from './user-changes.ts';
import type { PlanUser } from './user-reader.ts';

/** Changes of plans that come within this time are taken together, ms. */
const PLANS_DELAY_MS = 50;
const RETRY_MS = 500;
/** The users of active plans as the core knows them, followed by domain events. */
export interface PlanUsers {
  /**
   * Reads all users with active plans, and orders whose progress was not followed since the last close. Resolves once their changes
   * were handed over.
   */
  open(pending: readonly Pick<Buy, 'userId' | 'key'>[]): Promise<void>;
  /** Forgets all users, and returns the changes by which the core does. */
  close(): Change[];
  /** Returns a plan that the core has; null when it is inactive by now. */
  plan(userId: string, planId: string): CorePlan | null;
  plans(): CorePlan[];
  userIds(): string[];
  /** Returns the users whose orders go to a chain, where money also moves by other ways. */
  onChain(): string[];
  /** Has users read again. */
  refresh(userIds: readonly string[]): void;
}

/** How far an order of a plan is. */
type OrderProgress = Pick<OrderRecord, 'status' | 'failure'> & { fill: object | null };

export interface PlanUsersDeps {
  source: PlanSource;
  read(userId: string): Promise<PlanUser>;
  /** Returns the keys of a plan's orders (R2). */
  orderKeys(userId: string, planId: string): Promise<string[]>;
  /** Returns a stored order by its key; null when there is none. */
  orderOf(userId: string, key: string): Promise<OrderProgress | null>;
  /** Receives changes in their order. */
  onChanges(changes: readonly Change[]): void;
  bus: EventSource;
  log: Logger;
}

/** Users that are known since an opening. */
interface Opened {
  known: Map<string, KnownUser>;
  queue: ReadQueue;
  isClosed: boolean;
  /** Users whose first read is not over. */
  unread: Set<string>;
  onRead(): void;
  subscriptions: (() => void)[];
}

export function createPlanUsers(deps: PlanUsersDeps): PlanUsers {
  let opened: Opened | null = null;
  return {
    async open(pending) {
      const state = begin(deps);
      opened = state;
      const [active, orders] = await Promise.all([deps.source.userIds(), readOrders(deps, pending)]);
      const userIds = new Set([...active, ...orders.keys()]);
      if (state.isClosed || userIds.size === 0) return;
      for (const userId of userIds) state.unread.add(userId);
      const done = new Promise<void>((resolve) => {
        state.onRead = () => state.unread.size === 0 && resolve();
      });
      for (const userId of userIds) state.queue.mark(userId, 0, orders.get(userId));
      await done;
    },
    close() {
      const state = opened;
      opened = null;
      if (state === null) return [];
      state.isClosed = true;
      state.queue.close();
      for (const end of state.subscriptions) end();
      state.unread.clear();
      state.onRead();
      return [...state.known.values()].flatMap((user) => userChanges(user, null).plans);
    },
    plan: (userId, planId) => opened?.known.get(userId)?.plans.get(planId) ?? null,
    plans: () => [...(opened?.known.values() ?? [])].flatMap(({ plans }) => [...plans.values()]),
    userIds: () => [...(opened?.known.keys() ?? [])],
    onChain: () =>
      [...(opened?.known.entries() ?? [])].flatMap(([userId, { account }]) =>
        account.mode === null || account.mode === 'paper' ? [] : [userId],
      ),
    refresh(userIds) {
      for (const userId of userIds) opened?.queue.mark(userId, 0);
    },
  };
}

/** Returns how far orders are, by user; without those that are not stored. */
async function readOrders(
  { orderOf }: Pick<PlanUsersDeps, 'orderOf'>,
  pending: readonly Pick<Buy, 'userId' | 'key'>[],
): Promise<Map<string, CoreOrder[]>> {
  const stored = await Promise.all(pending.map(({ userId, key }) => orderOf(userId, key)));
  const byUser = new Map<string, CoreOrder[]>();
  for (const [index, { userId, key }] of pending.entries()) {
    const order = stored[index];
    if (order) byUser.set(userId, [...(byUser.get(userId) ?? []), coreOrder(key, order)]);
  }
  return byUser;
}

/** Begins to follow users by their events. */
function begin(deps: PlanUsersDeps): Opened {
  const state: Opened = {
    known: new Map(),
    queue: createReadQueue((userId, orders) => readUser(deps, state, userId, orders)),
    isClosed: false,
    unread: new Set(),
    onRead: () => undefined,
    subscriptions: [],
  };
  const { known, queue } = state;
  const { bus } = deps;
  const onKnown = ({ userId }: { userId: string }) => {
    if (known.has(userId) || queue.has(userId)) queue.mark(userId, 0);
  };
  state.subscriptions.push(
    bus.on('plan-changed', ({ userId }) => queue.mark(userId, PLANS_DELAY_MS)),
    bus.on('watchlist-changed', onKnown),
    bus.on('wallet-changed', onKnown),
    bus.on('trading-account-changed', onKnown),
    bus.on('order-changed', (changed) => {
      const order = coreOrderOf(changed);
      if (order) queue.mark(changed.userId, 0, [order]);
      else onKnown(changed);
    }),
  );
  return state;
}

async function readUser(deps: PlanUsersDeps, state: Opened, userId: string, orders: CoreOrder[]): Promise<void> {
  const { known, queue, unread } = state;
  const before = known.get(userId) ?? null;
  try {
    const { changes, after } = await changesOf(deps, userId, before, orders);
    if (state.isClosed) return;
    if (after === null) known.delete(userId);
    else known.set(userId, after);
    deps.onChanges(changes);
    if (unread.delete(userId)) state.onRead();
  } catch (error) {
    if (!isUnavailable(error)) deps.log.warn({ error, userId }, 'plans of a user not read, retrying');
    queue.mark(userId, RETRY_MS, orders);
  }
}

/** Reads a user. Returns it as the core knows it afterwards, null without an active plan, and the changes to there. */
async function changesOf(
  { source, read, orderKeys }: PlanUsersDeps,
  userId: string,
  before: KnownUser | null,
  orders: readonly CoreOrder[],
): Promise<{ changes: Change[]; after: KnownUser | null }> {
  const active = await source.ofUser(userId);
  const after = active.length === 0 ? null : knownUser(await read(userId), active);
  const { account, plans } = userChanges(before, after);
  const added = [...(after?.plans.keys() ?? [])].filter((planId) => !before?.plans.has(planId));
  const keys = (await Promise.all(added.map((planId) => orderKeys(userId, planId)))).flat();
  const changes: Change[] = [
    ...account,
    // Their money is in the account, which was read after they changed.
    ...orders.map((order): Change => ({ type: 'order', order })),
    ...(keys.length > 0 ? [{ type: 'tried', keys } as const] : []),
    ...plans,
  ];
  return { changes, after };
}

/** Returns the progress of a plan's order; null for other orders. */
function coreOrderOf({ key, order }: Pick<DomainEvents['order-changed'], 'key' | 'order'>): CoreOrder | null {
  return key.startsWith('buy:') ? coreOrder(key, order) : null;
}

function coreOrder(key: string, { status, fill, failure }: OrderProgress): CoreOrder {
  return { key, state: stateOf(status), hasBought: fill !== null, reason: failure };
}

function stateOf(status: OrderStatus): CoreOrder['state'] {
  if (isFinal(status)) return 'over';
  return status === 'created' ? 'stored' : 'held';
}
