import { setTimeout as pause } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import { exitsOfPlan } from '../../../common/trading/exits.ts';
import { isFinal } from '../../../common/trading/machine.ts';
import type { EventSource } from '../../events/bus.ts';
import { isUnavailable } from '../../platform/database.ts';
import type { OrderRecord } from '../orders/model.ts';
import type { Buy, Change, CoreAccount, CoreOrder, CorePlan } from './core/model.ts';
import type { PlanSource } from './plan-source.ts';
import type { PlanUser } from './user-reader.ts';

/** Users that are read at once. */
const READS = 8;
const RETRY_MS = 500;

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

/** A user as the core has received it. */
interface KnownUser {
  account: CoreAccount;
  plans: ReadonlyMap<string, CorePlan>;
  /** Plans and lists as text: they are sent again, as a whole, when it has changed. */
  plansText: string;
  listsText: string;
}

/** A user that is being read, or about to be. */
interface Reading {
  /** Orders whose progress follows the account that reserves their money. */
  orders: CoreOrder[];
  isMarked: boolean;
  /** Resolves once it was read; further marks do not delay it. */
  done: Promise<void>;
}

/** Users that are known since an opening. */
interface Opened {
  known: Map<string, KnownUser>;
  reading: Map<string, Reading>;
  queue: PQueue;
  isClosed: boolean;
  subscriptions: (() => void)[];
}

export type PlanUsers = ReturnType<typeof createPlanUsers>;

/** The users of active plans as the core knows them. A user is read again, as a whole, after each event that concerns it. */
export function createPlanUsers(deps: PlanUsersDeps) {
  let opened: Opened | null = null;
  const known = () => [...(opened?.known.entries() ?? [])];
  return {
    /**
     * Reads all users with active plans, and orders whose progress was not followed since the last close. Resolves once their
     * changes were handed over.
     */
    async open(pending: readonly Pick<Buy, 'userId' | 'key'>[]): Promise<void> {
      const state = begin(deps);
      opened = state;
      const [active, orders] = await Promise.all([deps.source.userIds(), readOrders(deps, pending)]);
      const userIds = new Set([...active, ...orders.keys()]);
      await Promise.all([...userIds].map((userId) => mark(deps, state, userId, orders.get(userId))));
    },
    /** Forgets all users. Returns the changes that make the core forget them. */
    close(): Change[] {
      const removed = known().flatMap(([userId, { plans }]) => removal(userId, plans));
      if (opened) opened.isClosed = true;
      for (const end of opened?.subscriptions ?? []) end();
      opened = null;
      return removed;
    },
    /** Returns a plan that the core has; null when it is inactive by now. */
    plan: (userId: string, planId: string): CorePlan | null => opened?.known.get(userId)?.plans.get(planId) ?? null,
    plans: (): CorePlan[] => known().flatMap(([, { plans }]) => [...plans.values()]),
    userIds: (): string[] => known().map(([userId]) => userId),
    /** Returns the users whose orders go to a chain, where money also moves by other ways. */
    onChain: (): string[] =>
      known().flatMap(([userId, { account }]) => (account.mode === null || account.mode === 'paper' ? [] : [userId])),
    /** Has users read again. */
    refresh(userIds: readonly string[]): void {
      for (const userId of userIds) if (opened) void mark(deps, opened, userId);
    },
  };
}

/** Begins to follow users by their events. */
function begin(deps: PlanUsersDeps): Opened {
  const queue = new PQueue({ concurrency: READS });
  const state: Opened = { known: new Map(), reading: new Map(), queue, isClosed: false, subscriptions: [] };
  const { bus } = deps;
  const onKnown = ({ userId }: { userId: string }) => {
    if (state.known.has(userId) || state.reading.has(userId)) void mark(deps, state, userId);
  };
  state.subscriptions.push(
    bus.on('plan-changed', ({ userId }) => void mark(deps, state, userId)),
    bus.on('watchlist-changed', onKnown),
    bus.on('wallet-changed', onKnown),
    bus.on('trading-account-changed', onKnown),
    bus.on('order-changed', (changed) => {
      const { key, order, userId } = changed;
      if (key.startsWith('buy:')) void mark(deps, state, userId, [coreOrder(key, order)]);
      else onKnown(changed);
    }),
  );
  return state;
}

/** Has a user read, once more when it is being read. Resolves once it was read. */
function mark(deps: PlanUsersDeps, state: Opened, userId: string, orders: readonly CoreOrder[] = []): Promise<void> {
  const known = state.reading.get(userId);
  if (known) {
    known.orders.push(...orders);
    known.isMarked = true;
    return known.done;
  }
  const reading: Reading = { orders: [...orders], isMarked: true, done: Promise.resolve() };
  state.reading.set(userId, reading);
  reading.done = new Promise((resolve) => {
    void state.queue.add(async () => {
      while (reading.isMarked && !state.isClosed) {
        reading.isMarked = false;
        if (await readUser(deps, state, userId, reading)) resolve();
      }
      state.reading.delete(userId);
      resolve();
    });
  });
  return reading.done;
}

/** Reads a user, and hands over its changes. Returns false when it is to be read again after a failure. */
async function readUser(deps: PlanUsersDeps, state: Opened, userId: string, reading: Reading): Promise<boolean> {
  const orders = reading.orders.splice(0);
  const before = state.known.get(userId) ?? null;
  try {
    const { changes, after } = await changesOf(deps, userId, before, orders);
    if (state.isClosed) return false;
    if (after === null) state.known.delete(userId);
    else state.known.set(userId, after);
    deps.onChanges(changes);
    return true;
  } catch (error) {
    if (!isUnavailable(error)) deps.log.warn({ error, userId }, 'plans of a user not read, retrying');
    reading.orders.unshift(...orders);
    reading.isMarked = true;
    await pause(RETRY_MS, undefined, { ref: false });
    return false;
  }
}

/** Reads a user. Returns it as the core knows it afterwards, null without an active plan, and the changes to there. */
async function changesOf(
  { source, read, orderKeys }: PlanUsersDeps,
  userId: string,
  before: KnownUser | null,
  orders: readonly CoreOrder[],
): Promise<{ changes: Change[]; after: KnownUser | null }> {
  const progress = orders.map((order): Change => ({ type: 'order', order }));
  const active = await source.ofUser(userId);
  if (active.length === 0) return { changes: [...progress, ...removal(userId, before?.plans)], after: null };
  const { account, defaultExits, lists } = await read(userId);
  const plans = new Map(
    active.map(({ ownExits, ...plan }) => [plan.id, { ...plan, exits: exitsOfPlan(ownExits, defaultExits) }]),
  );
  const own: Change = { type: 'lists', userId, white: [...lists.white], black: [...lists.black] };
  const after = { account, plans, plansText: JSON.stringify([...plans]), listsText: JSON.stringify(own) };
  const isRead = (planId: string) => before?.plans.has(planId);
  const added = [...plans.keys()].filter((planId) => !isRead(planId));
  const keys = (await Promise.all(added.map((planId) => orderKeys(userId, planId)))).flat();
  const removed = [...(before?.plans.keys() ?? [])].filter((planId) => !plans.has(planId));
  const changes: Change[] = [
    { type: 'account', account },
    ...(before?.listsText === after.listsText ? [] : [own]),
    // Their money is in the account, which was read after they changed.
    ...progress,
    ...(keys.length > 0 ? [{ type: 'tried', keys } as const] : []),
    ...removed.map((planId): Change => ({ type: 'plan-removed', planId })),
    ...(before?.plansText === after.plansText
      ? []
      : [...plans.values()].map((plan): Change => ({ type: 'plan', plan }))),
  ];
  return { changes, after };
}

/** Returns the changes that make the core forget a user. */
function removal(userId: string, plans: ReadonlyMap<string, CorePlan> | undefined): Change[] {
  if (!plans) return [];
  const removed = [...plans.keys()].map((planId): Change => ({ type: 'plan-removed', planId }));
  return [...removed, { type: 'account-removed', userId }];
}

/** Returns how far orders are, by user; orders that are not stored are left out. */
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

function coreOrder(key: string, { status, fill, failure }: OrderProgress): CoreOrder {
  const state = isFinal(status) ? 'over' : status === 'created' ? 'stored' : 'held';
  return { key, state, hasBought: fill !== null, reason: failure };
}
