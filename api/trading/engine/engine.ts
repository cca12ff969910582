import type { Logger } from 'pino';
import { type Clock, SECOND } from '../../../common/time.ts';
import type { TradingStatus } from '../../../common/trading/status.ts';
import type { EventSource } from '../../events/bus.ts';
import type { Following, SourcedTick } from '../../market/traded/follow.ts';
import { isUnavailable } from '../../platform/database.ts';
import { loggable } from '../../platform/log.ts';
import type { Change, Core } from '../core/model.ts';
import { createCore } from '../core/step.ts';
import type { DecisionSink } from '../decisions/sink.ts';
import type { Placing } from '../orders/place.ts';
import type { Lease } from '../orders/worker/lease.ts';
import type { TapeSink } from '../tape/sink.ts';
import { createBuyer } from './buyer.ts';
import { createPastFigures, type PastFiguresDeps } from './inputs/past-figures.ts';
import { createSourceStates } from './inputs/source-states.ts';
import { createPlanUsers, type PlanUsersDeps } from './inputs/users.ts';
import { createEngineMeter } from './meter.ts';

/** Interval in which lease and database are looked at, ms. */
const ROUND_MS = 200;
/** Interval in which deactivated users are looked for, ms. */
const USERS_MS = 10 * SECOND;

/** Figures of the engine for administrators. */
export type EngineFigures = NonNullable<TradingStatus['engine']>;

/** Has rules and strategies buy: hands the core what happens, and carries out what it decides. */
export interface PlanEngine extends Pick<Core, 'explain' | 'history' | 'snapshot'> {
  /** Starts to decide as soon as this process has the lease; resolves at once. */
  start(): void;
  /** Ends all decisions; resolves once orders in progress are made. */
  stop(): Promise<void>;
  figures(): EngineFigures;
}

export interface PlanEngineDeps extends Pick<PlanUsersDeps, 'source' | 'read' | 'orderKeys'> {
  market: Following;
  pastFigures: PastFiguresDeps['read'];
  placing: Pick<Placing, 'place'>;
  /** Returns those of the users that may not use the product. */
  inactiveAmong(userIds: readonly string[]): Promise<string[]>;
  isStoppedForAll(): Promise<boolean>;
  lease: Pick<Lease, 'isHeld'>;
  database: { isReachable(): boolean };
  decisions?: DecisionSink;
  tape?: TapeSink;
  bus: EventSource;
  clock: Clock;
  log: Logger;
}

export function createPlanEngine(deps: PlanEngineDeps): PlanEngine {
  const { market, lease, database, bus, clock, decisions, tape } = deps;
  const log = deps.log.child({ part: 'plans' });
  const core = createCore();
  const meter = createEngineMeter();
  const pasts = createPastFigures({ read: deps.pastFigures, log });
  const sources = createSourceStates();
  const users = createPlanUsers({ ...deps, onChanges: take, log });
  const buyer = createBuyer({ ...deps, planOf: users.plan, onOrder, onStored: meter.stored, log });
  /** Tokens that the core may have. */
  const tokens = new Set<string>();
  /** Changes for the next step. */
  let inbox: Change[] = [];
  let state: 'closed' | 'opening' | 'open' = 'closed';
  let followsFrom = Number.POSITIVE_INFINITY;
  /** Epoch ms from which on new tokens are recorded, whether or not a plan considers them; Infinity: none. */
  let recordedFrom = Number.POSITIVE_INFINITY;
  let lastAt = 0;
  let isAway = false;
  let isStoppedForAll = false;
  let inactive: ReadonlySet<string> = new Set();
  let usersAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let subscription: (() => void) | undefined;
  let round: Promise<void> = Promise.resolve();

  function take(changes: readonly Change[]): void {
    inbox.push(...changes);
    if (state !== 'open') return;
    const hasPlans = changes.some(({ type }) => type === 'plan' || type === 'plan-removed');
    if (hasPlans) followPlans();
    // Without plans no tick comes.
    if (!isFollowing()) step(clock.now(), []);
  }

  function onOrder(order: Parameters<Parameters<typeof createBuyer>[0]['onOrder']>[0]): void {
    if (state === 'open') take([{ type: 'order', order }]);
  }

  const isFollowing = () => followsFrom !== Number.POSITIVE_INFINITY;

  /** Follows the tokens that any plan considers, and while they are recorded all new ones. */
  function followPlans(): void {
    const from = Math.min(recordedFrom, ...users.plans().map(({ activeSince }) => activeSince));
    if (from === followsFrom) return;
    followsFrom = from;
    if (isFollowing()) market.follow(from, onTick);
    else unfollow();
  }

  function unfollow(): void {
    market.unfollow();
    followsFrom = Number.POSITIVE_INFINITY;
    pasts.clear();
    inbox.push(...[...tokens].map((address): Change => ({ type: 'gone', address })));
    tokens.clear();
  }

  function onTick({ now, changes, known, isLive }: SourcedTick): void {
    if (state !== 'open' || !lease.isHeld()) return;
    step(now, [...sources.take(changes, isLive), ...pasts.take(changes, known)]);
  }

  function step(now: number, changes: readonly Change[]): void {
    const all = inbox.length === 0 ? changes : [...inbox, ...changes];
    inbox = [];
    lastAt = Math.max(lastAt, now);
    let judged = 0;
    for (const change of all) {
      if (change.type === 'token') tokens.add(change.token.address);
      else if (change.type === 'gone') tokens.delete(change.address);
      else if (change.type === 'price' || change.type === 'facts') judged += 1;
    }
    meter.judged(judged, lastAt);
    tape?.record(lastAt, all);
    for (const effect of core.step(lastAt, all)) {
      if (effect.type === 'buy') buyer.buy(effect.buy);
      else decisions?.note(effect.decided);
    }
  }

  async function open(): Promise<void> {
    state = 'opening';
    try {
      isStoppedForAll = await deps.isStoppedForAll();
      inbox.push({ type: 'stop-all', isStopped: isStoppedForAll }, { type: 'database', isAway: false });
      isAway = false;
      await users.open();
      if (!lease.isHeld()) return close();
      state = 'open';
      if (tape) recordedFrom = clock.now();
      // Their orders and plans before their tokens.
      step(clock.now(), []);
      followPlans();
      log.info({ plans: core.size.plans }, 'rules and strategies decide');
    } catch (error) {
      if (!isUnavailable(error)) log.warn({ error: loggable(error) }, 'rules and strategies not loaded, retrying');
      close();
    }
  }

  /** Forgets everything that another process may change. */
  function close(): void {
    inbox = [];
    inbox.push(...users.close());
    unfollow();
    sources.clear();
    state = 'closed';
    step(clock.now(), []);
  }

  async function look(): Promise<void> {
    if (state === 'closed') {
      if (lease.isHeld() && database.isReachable()) await open();
      return;
    }
    if (!lease.isHeld()) {
      log.warn('lease lost, rules and strategies wait');
      close();
      return;
    }
    if (isAway === database.isReachable()) {
      isAway = !isAway;
      take([{ type: 'database', isAway }]);
    }
    if (!isAway && clock.now() - usersAt >= USERS_MS) await lookAtUsers();
  }

  /** Has users read again who were deactivated or activated, which no event reports. */
  async function lookAtUsers(): Promise<void> {
    usersAt = clock.now();
    const now = new Set(await deps.inactiveAmong(users.userIds()));
    users.refresh([...now, ...inactive].filter((userId) => now.has(userId) !== inactive.has(userId)));
    inactive = now;
  }

  async function runRound(): Promise<void> {
    try {
      await look();
    } catch (error) {
      if (!isUnavailable(error)) log.warn({ error: loggable(error) }, 'round of plans failed');
    }
    timer = setTimeout(next, ROUND_MS);
    timer.unref();
  }

  function next(): void {
    round = runRound();
  }

  return {
    explain: core.explain,
    history: core.history,
    snapshot: core.snapshot,
    start() {
      subscription = bus.on('trading-account-changed', ({ account }) => {
        if (state === 'closed' || account.stoppedAll === isStoppedForAll) return;
        isStoppedForAll = account.stoppedAll;
        take([{ type: 'stop-all', isStopped: isStoppedForAll }]);
      });
      next();
    },
    async stop() {
      subscription?.();
      const isIdle = state === 'closed';
      state = 'closed';
      market.unfollow();
      users.close();
      await buyer.stop();
      await round;
      clearTimeout(timer);
      if (!isIdle) log.debug('rules and strategies have stopped');
    },
    figures() {
      const plans = users.plans();
      const rules = plans.filter(({ kind }) => kind === 'rule').length;
      return {
        isDeciding: state === 'open' && lease.isHeld(),
        rules,
        strategies: plans.length - rules,
        tokens: core.size.tokens,
        candidates: core.size.candidates,
        evaluatedPerSecond: meter.perSecond(clock.now()),
        lagMs: meter.lag(),
      };
    },
  };
}
