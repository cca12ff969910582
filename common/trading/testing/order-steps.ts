import {
  afterEvent,
  isExpired,
  isFinal,
  mayAttempt,
  type OrderEvent,
  type OrderState,
  undecidedAttempts,
} from '../machine.ts';
import {
  BLOCKS_OF_LAG,
  idle,
  type NumberedOrder,
  numbered,
  oneBlockLater,
  type Sent,
  VALID_BLOCKS,
  type Worker,
  type World,
} from './order-world.ts';

/** Most sends of one attempt; without a bound the model would be infinite. */
const MOST_SENDS = 2;

/** Ways to build the machine wrong, each by one forgotten rule. */
export const mistakes = [
  'signs again before expiry',
  'sends before storing',
  'looks for the signature before the height',
  'ignores the lag of nodes',
  'writes without compare-and-set',
  'stop leaves reserved orders',
  'stop forgets the next attempt',
  'believes every refusal',
  'releases reserved money only once',
] as const;
export type Mistake = (typeof mistakes)[number];

/** What a worker can do to the world: end up elsewhere, with or without a change, or write an event. */
interface Actions {
  become(after: Worker, change?: Partial<World>): void;
  /** Applies an event to the order as it was read. A lost write equals the end of the worker, which is always possible. */
  write(event: OrderEvent, change?: Partial<World>, next?: (order: NumberedOrder) => Worker): void;
}

/** Returns all that can happen next in a world, with a mistake or without one (null). */
export function createSteps(mistake: Mistake | null): (world: World) => World[] {
  const lag = mistake === 'ignores the lag of nodes' ? 0 : BLOCKS_OF_LAG;
  const comparesVersions = mistake !== 'writes without compare-and-set';

  /** Applies an event, by a forgotten rule as the machine would for a sale, or as if the bytes had never been sent before. */
  function applied(order: OrderState, event: OrderEvent): OrderState | null {
    if (mistake === 'signs again before expiry' && event.type === 'signed') {
      const signed = afterEvent({ ...order, side: 'sell', isWholePosition: true }, event);
      return signed && { ...signed, side: order.side, isWholePosition: order.isWholePosition };
    }
    if (mistake === 'believes every refusal' && event.type === 'attempt-over' && event.outcome === 'refused') {
      return afterEvent(order, { ...event, outcome: 'expired' });
    }
    return afterEvent(order, event);
  }

  /**
   * Returns what the write of another one leaves of a worker's copy. Its own writes will be lost, so it only goes on where it
   * has something else to do first: bytes to send, or money to reserve.
   */
  function stale(worker: Worker): Worker {
    if (worker.at === 'idle') return worker;
    const goesOn = worker.at === 'sending' || (worker.at === 'read' && worker.order.status === 'created');
    return goesOn || !comparesVersions ? { ...worker, isFresh: false } : idle;
  }

  function withOrder(world: World, order: NumberedOrder): World {
    const workers = [stale(world.workers[0]), stale(world.workers[1])] as const;
    const isReleased = mistake === 'releases reserved money only once' && isFinal(order.status);
    return { ...world, order, workers, isHeld: world.isHeld && !isReleased };
  }

  /** The user's stop: the account first, then the order, then the response. */
  function stop(world: World): World[] {
    if (world.stop === 'none') return [{ ...world, stop: 'blocked' }];
    if (world.stop !== 'blocked') return [];
    const { status } = world.order;
    const isForgotten =
      (mistake === 'stop leaves reserved orders' && ['created', 'held'].includes(status)) ||
      (mistake === 'stop forgets the next attempt' && ['sent', 'unknown'].includes(status));
    const stopped = isForgotten ? null : applied(world.order, { type: 'stopped' });
    const acknowledged: World = { ...world, stop: 'acknowledged' };
    return [stopped ? withOrder(acknowledged, numbered(stopped)) : acknowledged];
  }

  /** Whatever the worker at an index can do next; it may also end at any moment. */
  function work(world: World, index: 0 | 1): World[] {
    const reached: World[] = [];
    const worker = world.workers[index];
    const placed = (place: Worker, change?: Partial<World>): World => ({
      ...world,
      ...change,
      workers: replaced(world.workers, index, place),
    });
    if (worker.at === 'idle') {
      if (!isFinal(world.order.status)) return [placed({ at: 'read', order: world.order, isFresh: true })];
      // Repeated for an order that is over: a worker that was slow may have reserved money again.
      return world.isHeld && mistake !== 'releases reserved money only once' ? [{ ...world, isHeld: false }] : [];
    }
    reached.push(placed(idle));
    act(world, worker, {
      become: (place, change) => void reached.push(placed(place, change)),
      write(event, change, next) {
        const after = worker.isFresh || !comparesVersions ? applied(worker.order, event) : null;
        if (!after) return;
        const order = numbered(after);
        const written = withOrder(placed(idle, change), order);
        reached.push(next ? { ...written, workers: replaced(written.workers, index, next(order)) } : written);
      },
    });
    return reached;
  }

  function act(world: World, worker: Worker, { become, write }: Actions): void {
    switch (worker.at) {
      case 'idle':
        break;
      case 'read':
        afterReading(world, worker.order, worker.isFresh, { become, write });
        break;
      case 'reserved':
        write({ type: 'held' });
        break;
      case 'sending':
        // From an error or a success that the node reports nothing follows; bytes may also be lost.
        become(idle, { network: withSent(world, worker.sent) });
        if (worker.isFresh && !isOnChain(world, worker.sent.signature)) {
          become({ at: 'refused', signature: worker.sent.signature, order: worker.order, isFresh: true });
        }
        break;
      case 'refused':
        write({ type: 'attempt-over', signature: worker.signature, outcome: 'refused' });
        break;
      case 'looking':
        judge(world, worker.signature, worker.isOver, write);
        break;
      case 'looked':
        if (worker.isFound) judge(world, worker.sent.signature, false, write);
        else if (isExpired(worker.sent, 0, lag)) write(expired(worker.sent.signature));
        break;
      case 'storing':
        write(worker.event);
        break;
    }
  }

  function afterReading(world: World, order: NumberedOrder, isFresh: boolean, { become, write }: Actions): void {
    if (order.status === 'created') {
      if (world.stop === 'none') become({ at: 'reserved', order, isFresh }, { isHeld: true });
      else write({ type: 'hold-refused' });
      return;
    }
    write({ type: 'cancelled' });
    write({ type: 'given-up' });
    write({ type: 'overdue' });
    if (mayAttempt(order) || mistake === 'signs again before expiry') sign(world, order, isFresh, { become, write });
    for (const { signature, lastValidBlockHeight, sends } of undecidedAttempts(order)) {
      const sent: Sent = { signature, lastValidBlockHeight };
      if (sends < MOST_SENDS) {
        write({ type: 'sending', signature }, {}, (counted) => ({
          at: 'sending',
          sent,
          order: counted,
          isFresh: true,
        }));
      }
      if (mistake === 'looks for the signature before the height') {
        become({ at: 'looked', sent, isFound: isOnChain(world, signature), order, isFresh });
      } else {
        become({ at: 'looking', signature, isOver: isExpired(sent, 0, lag), order, isFresh });
      }
    }
  }

  /** Signed bytes of a lost write never leave the worker, so signing and storing are one step. */
  function sign(world: World, order: NumberedOrder, isFresh: boolean, { become, write }: Actions): void {
    const signed = world.signed + 1;
    const sent: Sent = { signature: String(signed), lastValidBlockHeight: VALID_BLOCKS };
    const event: OrderEvent = { type: 'signed', ...sent };
    const change = { signed, isSignedLate: world.isSignedLate || world.stop === 'acknowledged' };
    if (mistake !== 'sends before storing') write(event, change);
    else become({ at: 'storing', event, order, isFresh }, { ...change, network: [...world.network, sent] });
  }

  return (world) => [...chainSteps(world), ...stop(world), ...work(world, 0), ...work(world, 1)];
}

function replaced(workers: World['workers'], index: 0 | 1, worker: Worker): World['workers'] {
  return index === 0 ? [worker, workers[1]] : [workers[0], worker];
}

/** The chain: time passes; a transaction lands, reverts or is dropped. */
function chainSteps(world: World): World[] {
  return [
    oneBlockLater(world),
    ...world.network.flatMap((sent) => {
      const network = world.network.filter((other) => other !== sent);
      const landed = { signature: sent.signature, height: 0 };
      return [
        { ...world, network },
        { ...world, network, chain: [...world.chain, { ...landed, isSuccess: true }] },
        { ...world, network, chain: [...world.chain, { ...landed, isSuccess: false }] },
      ];
    }),
  ];
}

const isOnChain = ({ chain }: World, signature: string): boolean =>
  chain.some((landed) => landed.signature === signature);

const expired = (signature: string): OrderEvent => ({ type: 'attempt-over', signature, outcome: 'expired' });

/** Returns the transactions on their way after a send. The network takes each of them once, and only while it is valid. */
function withSent(world: World, sent: Sent): readonly Sent[] {
  const isKnown =
    isOnChain(world, sent.signature) || world.network.some(({ signature }) => signature === sent.signature);
  return isKnown || sent.lastValidBlockHeight < 0 ? world.network : [...world.network, sent];
}

/** Writes what follows from looking for a signature at a node that may not know the newest blocks. */
function judge({ chain }: World, signature: string, isOver: boolean, write: Actions['write']): void {
  const landed = chain.find((other) => other.signature === signature);
  if (landed?.isSuccess) write({ type: 'landed', signature });
  else if (landed) write({ type: 'attempt-over', signature, outcome: 'reverted' });
  const mayBeMissed = !landed || landed.height >= -BLOCKS_OF_LAG;
  if (mayBeMissed && isOver) write(expired(signature));
}
