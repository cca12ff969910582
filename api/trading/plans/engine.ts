import type { Logger } from 'pino';
import { type Clock, SECOND } from '../../../common/time.ts';
import type { TradingStatus } from '../../../common/trading/status.ts';
import type { NetworkFacts } from '../../chain/network-facts.ts';
import type { EventSource } from '../../events/bus.ts';
import type { Following, SourcedTick } from '../../market/traded/follow.ts';
import { isUnavailable } from '../../platform/database.ts';
import type { Lease } from '../../processes/lease.ts';
import type { SourceName } from '../../tokens/record.ts';
import type { Placing } from '../orders/place.ts';
import { type Buyer, createBuyer } from './buyer.ts';
import type { Change, Core } from './core/model.ts';
import type { UserMarks } from './marks.ts';
import { createPastFigures, type PastFigures, type PastFiguresDeps } from './past-figures.ts';
import { createStepper, type Stepper, type StepperDeps } from './stepper.ts';
import { createPlanUsers, type PlanUsers, type PlanUsersDeps } from './users.ts';

/** Interval in which lease and database are looked at, ms. */
const ROUND_MS = 200;
/** Interval in which changes are looked for that no event has reported, ms. */
const MARKS_MS = SECOND;
/** Interval in which the money of wallets on a chain is read again, ms. */
const MONEY_MS = 10 * SECOND;

/** Figures of the engine for administrators. */
export type EngineFigures = NonNullable<TradingStatus['engine']>;

/** Has rules and strategies buy: hands the core what happens, and carries out what it decides. */
export interface PlanEngine
  extends Pick<Core, 'explain' | 'history' | 'pending' | 'snapshot'>,
    Pick<PlanUsers, 'plan'> {
  /** Starts to decide as soon as this process has the lease; resolves at once. */
  start(): void;
  /** Ends all decisions; resolves once orders in progress are made. */
  stop(): Promise<void>;
  figures(): EngineFigures;
}

export interface PlanEngineDeps
  extends Pick<PlanUsersDeps, 'source' | 'read' | 'orderKeys' | 'orderOf'>,
    Pick<StepperDeps, 'decisions' | 'tape'> {
  market: Following;
  pastFigures: PastFiguresDeps['read'];
  placing: Pick<Placing, 'place'>;
  /** Returns the marks of all users with active plans, and of `userIds`. */
  marks(userIds: readonly string[]): Promise<UserMarks>;
  isStoppedForAll(): Promise<boolean>;
  lease: Pick<Lease, 'isHeld'>;
  database: { isReachable(): boolean };
  network: Pick<NetworkFacts, 'rentPerByte'>;
  bus: EventSource;
  clock: Clock;
  log: Logger;
}

/** Parts and state of an engine. */
interface State {
  deps: PlanEngineDeps;
  stepper: Stepper;
  users: PlanUsers;
  buyer: Buyer;
  pasts: PastFigures;
  /** Sources of the tokens of plans: whether each is live, as the core knows it; null: it does not know. */
  sources: Map<SourceName, boolean | null>;
  /** `open`: the core has everything that it needs, and decides while this process has the lease. */
  phase: 'closed' | 'opening' | 'open' | 'ended';
  /** Earliest detection of tokens that are followed, epoch ms; Infinity: none is. */
  followsFrom: number;
  /** Epoch ms from which on new tokens are recorded, whether or not a plan considers them; Infinity: none. */
  recordedFrom: number;
  isAway: boolean;
  /** As the core has it. */
  rentPerByte: number | null;
  isStoppedForAll: boolean;
  /** Of the last look, and its time, epoch ms. */
  marks: UserMarks;
  markedAt: number;
  /** When the money of wallets was read again, epoch ms. */
  moneyAt: number;
}

export function createPlanEngine(options: PlanEngineDeps): PlanEngine {
  const deps = { ...options, log: options.log.child({ part: 'plans' }) };
  const state = createState(deps);
  const { users, stepper, buyer } = state;
  const { core } = stepper;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();
  let unsubscribe: (() => void) | undefined;

  async function runRound(): Promise<void> {
    await look(state).catch((error: unknown) => {
      if (!isUnavailable(error)) deps.log.warn({ error }, 'round of plans failed');
    });
    timer = setTimeout(next, ROUND_MS);
    timer.unref();
  }

  function next(): void {
    if (state.phase !== 'ended') round = runRound();
  }

  return {
    explain: core.explain,
    history: core.history,
    pending: core.pending,
    snapshot: core.snapshot,
    plan: users.plan,
    start() {
      unsubscribe = deps.bus.on('trading-account-changed', ({ account }) => takeStop(state, account.stoppedAll));
      next();
    },
    async stop() {
      state.phase = 'ended';
      unsubscribe?.();
      deps.market.unfollow();
      users.close();
      await Promise.all([buyer.stop(), round]);
      clearTimeout(timer);
    },
    figures() {
      const plans = users.plans();
      const rules = plans.filter(({ kind }) => kind === 'rule').length;
      return {
        isDeciding: state.phase === 'open' && deps.lease.isHeld(),
        rules,
        strategies: plans.length - rules,
        tokens: core.size.tokens,
        candidates: core.size.candidates,
        ...stepper.figures(deps.clock.now()),
      };
    },
  };
}

function createState(deps: PlanEngineDeps): State {
  const { log, pastFigures } = deps;
  const onChanges = (changes: readonly Change[]) => take(state, changes);
  const users = createPlanUsers({ ...deps, onChanges });
  const buyer = createBuyer({
    ...deps,
    planOf: users.plan,
    onOrder: (order) => onChanges([{ type: 'order', order }]),
    onStored: (lag) => stepper.stored(lag),
  });
  const stepper = createStepper({ ...deps, onBuy: buyer.buy });
  const state: State = {
    deps,
    stepper,
    users,
    buyer,
    pasts: createPastFigures({ read: pastFigures, log }),
    sources: new Map(),
    phase: 'closed',
    followsFrom: Number.POSITIVE_INFINITY,
    recordedFrom: Number.POSITIVE_INFINITY,
    isAway: false,
    rentPerByte: null,
    isStoppedForAll: false,
    marks: new Map(),
    markedAt: 0,
    moneyAt: 0,
  };
  return state;
}

/** Has the core receive changes with its next step. */
function take(state: State, changes: readonly Change[]): void {
  const { phase, stepper, deps } = state;
  if (phase === 'ended') return;
  stepper.add(changes);
  if (phase === 'opening') return;
  if (phase === 'closed') {
    // Only orders that were being made at the close: the core still counts them, without plans and tokens to buy.
    stepper.step(deps.clock.now(), []);
    return;
  }
  followPlans(state);
  // Without followed tokens no tick comes.
  if (state.followsFrom === Number.POSITIVE_INFINITY) stepper.step(deps.clock.now(), []);
}

/** Follows the tokens that any plan considers, and while they are recorded all new ones. */
function followPlans(state: State): void {
  const { users, deps } = state;
  const from = Math.min(state.recordedFrom, ...users.plans().map(({ activeSince }) => activeSince));
  if (from === state.followsFrom) return;
  if (from === Number.POSITIVE_INFINITY) {
    unfollow(state);
    return;
  }
  state.followsFrom = from;
  deps.market.follow(from, (tick) => onTick(state, tick));
}

function unfollow(state: State): void {
  state.followsFrom = Number.POSITIVE_INFINITY;
  state.recordedFrom = Number.POSITIVE_INFINITY;
  state.deps.market.unfollow();
  state.pasts.clear();
  state.stepper.dropTokens();
}

function onTick(state: State, { now, changes, known, isLive }: SourcedTick): void {
  const { phase, deps, stepper, pasts } = state;
  if (phase !== 'open') return;
  if (!deps.lease.isHeld()) {
    // At once: a dropped tick never comes again, and the lease may be back before the next look.
    closeWithoutLease(state);
    return;
  }
  stepper.step(now, [...sourceChanges(state, changes, isLive), ...pasts.take(changes, known)]);
}

/** Returns which sources have become live, or ceased to be, since the last tick. */
function sourceChanges({ sources }: State, changes: SourcedTick['changes'], isLive: SourcedTick['isLive']): Change[] {
  for (const change of changes) {
    if (change.type === 'token' && !sources.has(change.token.source)) sources.set(change.token.source, null);
  }
  return [...sources].flatMap(([source, wasLive]): Change[] => {
    // Read once: it reads the clock.
    const isLiveNow = isLive(source);
    if (isLiveNow === wasLive) return [];
    sources.set(source, isLiveNow);
    return [{ type: 'source', source, isLive: isLiveNow }];
  });
}

/** Looks whether this process may decide, whether the database is there, and who was deactivated. */
async function look(state: State): Promise<void> {
  const { deps, phase } = state;
  const { lease, database, clock } = deps;
  if (phase === 'closed') {
    if (lease.isHeld() && database.isReachable()) await open(state);
    return;
  }
  if (!lease.isHeld()) {
    closeWithoutLease(state);
    return;
  }
  if (state.isAway === database.isReachable()) {
    state.isAway = !state.isAway;
    take(state, [{ type: 'database', isAway: state.isAway }]);
  }
  takeRent(state);
  if (state.isAway) return;
  if (clock.now() - state.markedAt >= MARKS_MS) await lookForChanges(state);
  if (clock.now() - state.moneyAt >= MONEY_MS) {
    state.moneyAt = clock.now();
    state.users.refresh(state.users.onChain());
  }
}

/** Has the core receive the rent when it is another one. */
function takeRent(state: State): void {
  const perByte = state.deps.network.rentPerByte();
  if (perByte === null || perByte === state.rentPerByte) return;
  state.rentPerByte = perByte;
  take(state, [{ type: 'rent', perByte }]);
}

async function open(state: State): Promise<void> {
  const { deps, stepper, users } = state;
  state.phase = 'opening';
  try {
    // Before anything is read: a change in between is found by the next look.
    state.marks = await deps.marks([]);
    state.isStoppedForAll = await deps.isStoppedForAll();
    state.isAway = false;
    stepper.add([
      { type: 'stop-all', isStopped: state.isStoppedForAll },
      { type: 'database', isAway: false },
    ]);
    takeRent(state);
    await users.open(stepper.core.pending());
  } catch (error) {
    if (!isUnavailable(error)) deps.log.warn({ error }, 'rules and strategies not loaded, retrying');
    close(state);
    return;
  }
  if (isEnded(state)) return;
  if (!deps.lease.isHeld()) {
    close(state);
    return;
  }
  state.phase = 'open';
  if (deps.tape) state.recordedFrom = deps.clock.now();
  // Accounts, orders and plans before their tokens.
  stepper.step(deps.clock.now(), []);
  followPlans(state);
  deps.log.info({ plans: stepper.core.size.plans }, 'rules and strategies decide');
}

const isEnded = ({ phase }: State): boolean => phase === 'ended';

function closeWithoutLease(state: State): void {
  state.deps.log.warn('lease lost, rules and strategies wait');
  close(state);
}

/** Forgets everything that another process may change. */
function close(state: State): void {
  const { deps, stepper, users, sources } = state;
  if (isEnded(state)) return;
  state.phase = 'closed';
  state.rentPerByte = null;
  stepper.clear();
  stepper.add(users.close());
  unfollow(state);
  sources.clear();
  stepper.step(deps.clock.now(), []);
}

/** Has users read again whose plans, account, wallet or lists have changed, and takes the stop for all: events may be lost. */
async function lookForChanges(state: State): Promise<void> {
  const { deps, users, marks } = state;
  state.markedAt = deps.clock.now();
  const [now, isStopped] = await Promise.all([deps.marks(users.userIds()), deps.isStoppedForAll()]);
  takeStop(state, isStopped);
  users.refresh([...now].flatMap(([userId, mark]) => (marks.get(userId) === mark ? [] : [userId])));
  state.marks = now;
}

function takeStop(state: State, isStopped: boolean): void {
  if (state.phase === 'closed' || isStopped === state.isStoppedForAll) return;
  state.isStoppedForAll = isStopped;
  take(state, [{ type: 'stop-all', isStopped }]);
}
