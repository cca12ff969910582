import type { Attempt, OrderEvent, OrderState } from '../machine.ts';

/** Blocks for which a signed transaction is valid, and blocks that a node may lag behind another. */
export const VALID_BLOCKS = 1;
export const BLOCKS_OF_LAG = 1;

/** A signed transaction outside of the journal. */
export type Sent = Pick<Attempt, 'signature' | 'lastValidBlockHeight'>;

/** A transaction in a block of the given height. */
interface Landed {
  signature: string;
  height: number;
  isSuccess: boolean;
}

/** An order with a number that only equal orders share: comparing whole orders would take most of the model's time. */
export interface NumberedOrder extends OrderState {
  number: number;
}

const orders = new Map<string, NumberedOrder>();

/** Returns the one object for all equal orders. */
export function numbered(order: OrderState): NumberedOrder {
  let text = `${order.attemptLimit}${order.noMore ? '!' : ''}${order.status}`;
  for (const { signature, lastValidBlockHeight, sends, outcome } of order.attempts) {
    text += ` ${signature},${lastValidBlockHeight},${sends},${outcome}`;
  }
  const known = orders.get(text);
  if (known !== undefined) return known;
  const added = { ...order, number: orders.size };
  orders.set(text, added);
  return added;
}

/** The order as a worker has read it; `isFresh` until the next write of another one, which makes its own writes fail. */
interface Read {
  order: NumberedOrder;
  isFresh: boolean;
}

/**
 * Where a worker stands. `reserved`: it has reserved the money, but not recorded it. `sending`: the send is counted and comes
 * next. `refused`: a node rejected the bytes. `looking`: it knows by the height whether the attempt is over unless it landed, and
 * looks for the signature next. `looked` and `storing` exist only in broken variants: the height comes after the signature,
 * the journal after the send.
 */
export type Worker =
  | { at: 'idle' }
  | ({ at: 'read' | 'reserved' } & Read)
  | ({ at: 'sending'; sent: Sent } & Read)
  | ({ at: 'refused'; signature: string } & Read)
  | ({ at: 'looking'; signature: string; isOver: boolean } & Read)
  | ({ at: 'looked'; sent: Sent; isFound: boolean } & Read)
  | ({ at: 'storing'; event: OrderEvent } & Read);

export const idle: Worker = { at: 'idle' };

/**
 * One order, the account that pays for it, two workers, a network and a chain. Heights are relative to the present one, which
 * is always 0, so that time has no end and the model still is finite.
 */
export interface World {
  order: NumberedOrder;
  /** Whether the account has money reserved for the order. */
  isHeld: boolean;
  /** `blocked`: the account takes no more holds; `acknowledged`: the order is stopped as well, and the user has the response. */
  stop: 'none' | 'blocked' | 'acknowledged';
  /** Transactions signed in all, and whether one of them after the stop was acknowledged. */
  signed: number;
  isSignedLate: boolean;
  /** Transactions that may get into a block. */
  network: readonly Sent[];
  chain: readonly Landed[];
  /** Two processes that both act as the worker, as when one of them should have ended. */
  workers: readonly [Worker, Worker];
}

/** Returns the start: a buy that is stored and nothing else. */
export const newOrder = (attemptLimit: number): World => ({
  order: numbered({
    side: 'buy',
    isWholePosition: false,
    status: 'created',
    noMore: false,
    attemptLimit,
    attempts: [],
  }),
  isHeld: false,
  stop: 'none',
  signed: 0,
  isSignedLate: false,
  network: [],
  chain: [],
  workers: [idle, idle],
});

/** Older heights all have the same effect: neither valid nor missed by a node that lags. */
const older = (height: number): number => Math.max(height - 1, -BLOCKS_OF_LAG - 1);

const olderSent = <Kind extends Sent>(sent: Kind): Kind => ({
  ...sent,
  lastValidBlockHeight: older(sent.lastValidBlockHeight),
});

const olderOrders = new Map<NumberedOrder, NumberedOrder>();

function olderOrder(order: NumberedOrder): NumberedOrder {
  const known = olderOrders.get(order);
  if (known !== undefined) return known;
  const aged = numbered({ ...order, attempts: order.attempts.map(olderSent) });
  olderOrders.set(order, aged);
  return aged;
}

function olderWorker(worker: Worker): Worker {
  if (worker.at === 'idle') return worker;
  const order = olderOrder(worker.order);
  if ('sent' in worker) return { ...worker, order, sent: olderSent(worker.sent) };
  if (worker.at === 'storing' && worker.event.type === 'signed') {
    return { ...worker, order, event: olderSent(worker.event) };
  }
  return { ...worker, order };
}

/** Returns the world one block later. */
export function oneBlockLater(world: World): World {
  return {
    ...world,
    order: olderOrder(world.order),
    network: world.network.map(olderSent).filter(({ lastValidBlockHeight }) => lastValidBlockHeight >= 0),
    chain: world.chain.map((landed) => ({ ...landed, height: older(landed.height) })),
    workers: [olderWorker(world.workers[0]), olderWorker(world.workers[1])],
  };
}

const sentKey = ({ signature, lastValidBlockHeight }: Sent): string => `${signature},${lastValidBlockHeight}`;

function workerKey(worker: Worker): string {
  const copy = 'order' in worker ? `${worker.isFresh ? '=' : '~'}${worker.order.number}` : '';
  switch (worker.at) {
    case 'idle':
      return '';
    case 'read':
    case 'reserved':
      return worker.at + copy;
    case 'sending':
      return `to${sentKey(worker.sent)}${copy}`;
    case 'refused':
      return `no${worker.signature}${copy}`;
    case 'looking':
      return `${worker.isOver ? '?!' : '?'}${worker.signature}${copy}`;
    case 'looked':
      return `${worker.isFound ? '!' : '-'}${sentKey(worker.sent)}${copy}`;
    case 'storing':
      return `+${JSON.stringify(worker.event)}${copy}`;
  }
}

/** Returns a text that equal worlds share. The workers are alike, so their order does not matter. */
export function worldKey({ order, isHeld, stop, signed, isSignedLate, network, chain, workers }: World): string {
  let key = `${order.number}${isHeld ? '$' : ' '}${stop}${signed}${isSignedLate ? '!' : ''}`;
  for (const sent of network) key += `|${sentKey(sent)}`;
  for (const { signature, height, isSuccess } of chain) key += `|${signature},${height}${isSuccess ? '+' : '-'}`;
  const [first, second] = [workerKey(workers[0]), workerKey(workers[1])];
  return first < second ? `${key}#${first}#${second}` : `${key}#${second}#${first}`;
}

/** Returns the promise of the order's rules that a world breaks, or null. */
export function brokenPromise({ order, chain, network, isHeld, isSignedLate }: World): string | null {
  const bought = chain.filter(({ isSuccess }) => isSuccess).length;
  if (bought > 1) return 'two buys landed';
  if (order.status === 'failed' && bought > 0) return 'failed, but it bought';
  if (order.status === 'failed' && network.length > 0) return 'failed, but it may still buy';
  if (order.status === 'confirmed' && bought !== 1) return 'confirmed, but it did not buy';
  if (order.status === 'cancelled' && (chain.length > 0 || network.length > 0)) return 'cancelled, but sent';
  if (isSignedLate) return 'signed after the stop was acknowledged';
  const isKnown = (signature: string): boolean => order.attempts.some((attempt) => attempt.signature === signature);
  if (!chain.every(({ signature }) => isKnown(signature))) return 'landed, but not in the journal';
  if (['held', 'sent', 'unknown'].includes(order.status) && !isHeld) return 'out without reserved money';
  return null;
}
