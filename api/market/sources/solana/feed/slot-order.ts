import type { Clock } from '../../../../../common/time.ts';
import { slotsIn } from '../../../../chain/slots.ts';
import { createGrowingCache } from '../../../../platform/growing-cache.ts';
import type { Observation, Reserves, TradeObservation } from '../../observation.ts';
import { follows, followsDonation, isChained } from '../../reserve-chain.ts';

/** How late a frame may arrive, and how much may wait for it. */
export const orderLimits = {
  /**
   * By the newest slot, ms: on public mainnet subscriptions a quarter of the frames came behind a newer slot, at most four slots of
   * 400 ms late (July 2026).
   */
  lateMs: 1_600,
  /** The same by the clock, ms, for a quiet stream; infinite when a recording is read at full speed, without a clock. */
  waitMs: 2_000,
  /**
   * The same for a coin whose reserves are not known, so that nothing is known to be missing: only its creation may follow. With the
   * time between two looks at most 50 ms: after a restart every coin is met for the first time.
   */
  firstWaitMs: 25,
  /** Waiting observations of all coins: far more than mainnet sends in the longest time of holding. */
  waiting: 20_000,
  /** Longest time for which everything is held, ms: being current matters more than order. */
  holdMs: 15_000,
};
export type OrderLimits = typeof orderLimits;
/** Time between two looks at what waits, ms. */
const CHECK_MS = 25;
/** Coins whose last reserves are remembered, for curve and pool. */
const REMEMBERED = 40_000;

type ChainObservation = Extract<Observation, { chain: object }>;

export type SlotOrder = ReturnType<typeof createSlotOrder>;

/** An observation that waits; those of a coin are in order of slot, then of arrival. */
interface Waiting {
  observation: ChainObservation;
  slot: number;
  /** Time of arrival, epoch ms. */
  since: number;
}

/** Reserves after the last forwarded event of a coin. */
interface End {
  reserves: Reserves;
  slot: number | null;
}

interface SlotOrderOptions {
  observe: (observations: readonly Observation[]) => void;
  clock: Clock;
  /** Returns the length of a slot, ms; null while it is not known. */
  slotMs: () => number | null;
  limits?: Partial<OrderLimits>;
}

/**
 * Logs name the slot of a transaction, not its place within. For a launchpad with exact reserves the place follows from them:
 * a trade begins where the one before it ended. Other observations are forwarded as they come.
 */
export function createSlotOrder({ observe, clock, slotMs, ...given }: SlotOrderOptions) {
  const limits = { ...orderLimits, ...given.limits };
  const out: Observation[] = [];
  const ends = createEnds();
  const queues = createQueues(ends, forward);
  const lateness = createLateness(ends, { clock, slotMs, limits });
  let timer: NodeJS.Timeout | undefined;
  /** Ends the time of holding. */
  let holding: NodeJS.Timeout | undefined;

  function forward(observation: Observation): void {
    out.push(observation);
    if ('chain' in observation) ends.note(observation);
  }

  function emit(): void {
    if (out.length > 0) observe(out.splice(0));
    if (queues.size() > 0 && timer === undefined && lateness.hasClock) timer = setTimeout(check, CHECK_MS);
  }

  function check(): void {
    timer = undefined;
    queues.skipWhile(lateness.isOver);
    emit();
  }

  function receive(observation: Observation): void {
    const slot = 'chain' in observation ? observation.chain.slot : null;
    if (slot === null || !('chain' in observation)) {
      forward(observation);
      return;
    }
    if (lateness.isNewest(slot)) queues.skipWhile(lateness.isOver);
    const key = keyOf(observation);
    if (!queues.isHeld() && isReady(observation, queues.has(key), ends.get(key))) forward(observation);
    else queues.add(key, observation, { slot, since: clock.now() });
    queues.drain(key);
  }

  function release(isOverNow = lateness.isOver): void {
    clearTimeout(holding);
    queues.release();
    queues.skipWhile(isOverNow);
    emit();
  }

  return {
    /**
     * Forwards observations. A trade that continues its coin's reserves is forwarded at once; one of a coin without known reserves within
     * 50 ms; any other waits for the trades before it, for as long as they may be late.
     */
    push(observations: readonly Observation[]) {
      for (const observation of observations) receive(observation);
      if (queues.size() > limits.waiting) release(() => true);
      else emit();
    },
    /** Holds everything until `release`, while earlier observations are read; bounded in number and time. */
    hold() {
      if (queues.holdAll()) holding = setTimeout(release, limits.holdMs);
    },
    release: () => release(),
    /** Takes note of observations that reach the market on another way, in order. */
    note(observations: readonly Observation[]) {
      for (const observation of observations) {
        if (!('chain' in observation)) continue;
        ends.note(observation);
        queues.drain(keyOf(observation));
      }
      emit();
    },
    /** Forwards everything that waits. */
    flush: () => release(() => true),
    /** Discards everything that waits. */
    stop() {
      clearTimeout(timer);
      clearTimeout(holding);
      queues.clear();
    },
  };
}

/** Creates what decides how long an observation waits. */
function createLateness(
  ends: Ends,
  { clock, slotMs, limits }: Pick<SlotOrderOptions, 'clock' | 'slotMs'> & { limits: OrderLimits },
) {
  const hasClock = Number.isFinite(limits.waitMs);
  let newestSlot = 0;
  return {
    hasClock,
    /** Notes a slot and returns whether it is newer than all before. */
    isNewest(slot: number): boolean {
      const isNewer = slot > newestSlot;
      newestSlot = Math.max(newestSlot, slot);
      return isNewer;
    },
    isOver({ observation, slot, since }: Waiting): boolean {
      if (newestSlot > slot + slotsIn(limits.lateMs, slotMs())) return true;
      if (!hasClock) return false;
      const isFirst = ends.get(keyOf(observation)) === undefined;
      return clock.now() - since >= (isFirst ? Math.min(limits.firstWaitMs, limits.waitMs) : limits.waitMs);
    },
  };
}

/** The reserves after the last forwarded event of each coin, by `keyOf`. */
type Ends = ReturnType<typeof createEnds>;

function createEnds() {
  const ends = createGrowingCache<End>(REMEMBERED);
  return {
    get: (key: string): End | undefined => ends.get(key),
    note(observation: ChainObservation): void {
      const reserves = reservesOf(observation);
      if (reserves === undefined) return;
      const { slot } = observation.chain;
      const key = keyOf(observation);
      const known = ends.get(key);
      // A late event is not the end of the chain, and a creation is its beginning.
      if (known !== undefined && (observation.kind === 'created' || isBefore(slot, known))) return;
      ends.set(key, { reserves, slot });
    },
  };
}

/** Creates what waits, by coin. */
function createQueues(ends: Ends, forward: (observation: ChainObservation) => void) {
  const waiting = new Map<string, Waiting[]>();
  let count = 0;
  let isHeld = false;

  function take(key: string, held: Waiting[], index: number): void {
    const [entry] = held.splice(index, 1);
    if (entry === undefined) return;
    count -= 1;
    if (held.length === 0) waiting.delete(key);
    forward(entry.observation);
  }

  function drain(key: string): void {
    const held = waiting.get(key) ?? [];
    while (held.length > 0 && !isHeld) {
      const end = ends.get(key);
      const next = end === undefined ? -1 : nextOf(held, end.reserves);
      if (next >= 0) take(key, held, next);
      else if (held[0]?.observation.kind !== 'trade') take(key, held, 0);
      else return;
    }
  }

  return {
    size: (): number => count,
    has: (key: string): boolean => waiting.has(key),
    add(key: string, observation: ChainObservation, { slot, since }: Pick<Waiting, 'slot' | 'since'>): void {
      const held = waiting.get(key) ?? [];
      waiting.set(key, held);
      count += 1;
      const place = held.findLastIndex((other) => other.slot <= slot) + 1;
      held.splice(place, 0, { observation, slot, since });
    },
    /** Forwards what follows the last reserves of a coin. */
    drain,
    /** Forwards nothing until `release`. Returns false when it does so already. */
    holdAll(): boolean {
      const isNew = !isHeld;
      isHeld = true;
      return isNew;
    },
    release(): void {
      isHeld = false;
      for (const key of waiting.keys()) drain(key);
    },
    isHeld: (): boolean => isHeld,
    /** Forwards the first of every coin although something before it is missing, while the condition holds, and what follows it. */
    skipWhile(isOver: (first: Waiting) => boolean): void {
      if (isHeld) return;
      for (const [key, held] of waiting) {
        for (let first = held[0]; first !== undefined && isOver(first); first = held[0]) {
          take(key, held, headOf(held));
          drain(key);
        }
      }
    },
    clear(): void {
      waiting.clear();
      count = 0;
    },
  };
}

/** Returns the key of a coin's reserves: those of its pool are apart from those of its curve. */
function keyOf(observation: ChainObservation): string {
  const isPool = observation.kind === 'migrated' || ('venue' in observation && observation.venue === 'pool');
  return isPool ? `${observation.address} pool` : observation.address;
}

/** Returns whether an observation needs not wait. `end`: of its coin; undefined before its first event. */
function isReady(observation: ChainObservation, othersWait: boolean, end: End | undefined): boolean {
  if (observation.kind === 'created') return true;
  if (observation.kind !== 'trade' || !isChained(observation.launchpad)) return !othersWait;
  // A trade that comes later than the window allows has nothing to wait for.
  if (end === undefined) return false;
  return (
    isBefore(observation.chain.slot, end) ||
    follows(observation, end.reserves) ||
    followsDonation(observation, end.reserves)
  );
}

function isBefore(slot: number | null, end: End): boolean {
  return slot !== null && end.slot !== null && slot < end.slot;
}

/** Returns the place of the trade that continues these reserves, exactly or after a donation to the pool; -1 without one. */
function nextOf(held: readonly Waiting[], end: Reserves): number {
  const exact = held.findIndex(({ observation }) => observation.kind === 'trade' && follows(observation, end));
  if (exact >= 0) return exact;
  return held.findIndex(({ observation }) => observation.kind === 'trade' && followsDonation(observation, end));
}

/** Returns the place of the one that follows none of the others; the first one in a circle. */
function headOf(held: readonly Waiting[]): number {
  const head = held.findIndex(({ observation }) => {
    if (observation.kind !== 'trade') return true;
    return !held.some((other) => other.observation !== observation && precedes(other.observation, observation));
  });
  return Math.max(0, head);
}

function precedes(other: ChainObservation, trade: TradeObservation): boolean {
  const reserves = reservesOf(other);
  return reserves !== undefined && follows(trade, reserves);
}

/** Returns the reserves after an event; undefined when it has none. */
function reservesOf(observation: ChainObservation): Reserves | undefined {
  return 'reserves' in observation ? observation.reserves : undefined;
}
