import { MINUTE, type Random } from '../../../../../common/time.ts';
import type { Observation, TradeObservation } from '../../observation.ts';
import { type Coin, type Fill, migrationFee } from '../coin/coin.ts';
import { isWorthOrigins, readFacts, readOrigins } from '../coin/coin-facts.ts';
import { migratedPool } from '../coin/curve.ts';
import { KNOWN_SLOT, RATE_EVERY_MS, SLOT_MS, SOL_USD_MIDDLE } from '../figures.ts';
import { createDice, type Dice } from '../random.ts';
import { type Creators, createCreators } from './creators.ts';
import { createIdentities, type Identities } from './identities.ts';
import { createNames, type Names } from './names.ts';
import { createTaskQueue } from './task-queue.ts';

/** Observation before it leaves the world, which adds source and receive time. */
export type WorldEvent = Observation extends infer One
  ? One extends Observation
    ? Omit<One, 'source' | 'receivedAt'>
    : never
  : never;

/** Behaviour of a coin over its life. */
export interface LifePath {
  /** Exempt from removal when too many coins are alive. */
  lasting: boolean;
  /** Runs one event and returns the ms until the next one; null at the end of the life. */
  step(world: World, coin: Coin, at: number): number | null;
}

/** Most coins that trade at a time; a launch beyond it ends the oldest ordinary coin. */
const MOST_ALIVE = 4_000;
/** Delay between the completion of a curve and its pool, ms. */
const MIGRATION_DELAY = { from: 800, to: 8_000 } as const;
/** LP tokens are burnt at migration. */
const LP_BURNT_PERCENT = 100;
/** Ages at which the origins of a coin are due, and the delay of up to 21 requests within a node's limit, ms. */
const ORIGIN_AGES = [2 * MINUTE, 5 * MINUTE, 15 * MINUTE] as const;
const ORIGIN_DELAY = { from: 2_000, to: 40_000 } as const;
/** Simulated rate: step every 30 s (σ of the logarithm), and pull towards the middle. */
const RATE_SIGMA = 0.0009;
const RATE_PULL = 0.004;

/**
 * Form of the observations. `simulator`: labelled as simulated, times in ms, facts read over RPC. `mainnet`: as mainnet's event
 * stream without RPC, for benches: launchpad pump.fun, chain times in whole seconds, no read facts. Both have the same events.
 */
export type MarketShape = 'simulator' | 'mainnet';

const LAUNCHPADS = { simulator: 'simulator', mainnet: 'pump.fun' } as const satisfies Record<MarketShape, string>;
/** Resolution of chain times, ms: block times are whole seconds. */
const CHAIN_TIME_STEP = { simulator: 1, mainnet: 1_000 } as const satisfies Record<MarketShape, number>;

export interface WorldOptions {
  random: Random;
  /** Start of the simulated time, epoch ms. */
  from: number;
  /** Configured dollars for 1 SOL; null: the rate wanders. */
  solUsd: number | null;
  /** Form of the observations; `simulator` by default. */
  shape?: MarketShape | undefined;
}

/**
 * The simulated market: coins, wallets and simulated time, without clock and timer. The order of events depends only on the
 * random numbers, not on the calls of `advance`.
 */
export interface World extends CoinEvents {
  readonly dice: Dice;
  readonly identities: Identities;
  readonly creators: Creators;
  readonly names: Names;
  /** Simulated time, epoch ms. */
  readonly now: number;
  readonly solUsd: number;
  /** Launchpad named by the observations. */
  readonly launchpad: string;
  /** Schedules an event of the market. */
  schedule(at: number, run: (at: number) => void): void;
  /** Runs all events up to `until` and returns their observations in time order, received at `receivedAt` or as they happened. */
  advance(until: number, receivedAt?: number): Observation[];
  /** Postpones all events by `ms`, to skip a time when the process was paused. */
  skip(ms: number): void;
  emit(event: WorldEvent): void;
  /** Returns an on-chain position at this time. */
  position(at: number, signature?: string, index?: number): TradeObservation['chain'];
  /** Adds a coin that follows its path from `at` on. */
  add(coin: Coin, path: LifePath, at: number): void;
  /** Removes all coins, dead ones included: no further events of them follow. Launches go on. */
  clear(): void;
}

/** What the events of a coin need from its world. */
type WorldCore = Pick<World, 'dice' | 'identities' | 'launchpad' | 'schedule' | 'emit' | 'position'>;

export function createWorld({ random, from, solUsd: fixedRate, shape = 'simulator' }: WorldOptions): World {
  const dice = createDice(random);
  const identities = createIdentities(dice);
  const tasks = createTaskQueue();
  const alive = new Map<string, { coin: Coin; path: LifePath }>();
  let out: Observation[] = [];
  let now = from;
  let solUsd = fixedRate ?? SOL_USD_MIDDLE;
  /** Incremented by `clear`, which cancels the planned events of earlier coins. */
  let generation = 0;

  const core: WorldCore = {
    dice,
    identities,
    launchpad: LAUNCHPADS[shape],
    schedule: (at, run) => tasks.add(Math.round(at), run),
    emit(event) {
      if (event.kind === 'facts' && shape === 'mainnet') return;
      const at = event.at - (event.at % CHAIN_TIME_STEP[shape]);
      out.push({ ...event, at, source: 'simulator', receivedAt: event.at });
    },
    position: (at, signature = identities.signature(), index = 0) => ({ signature, index, slot: slotAt(at) }),
  };
  const { schedule } = core;
  const coinEvents = createCoinEvents(core, () => generation);

  function stepRate(at: number): void {
    if (fixedRate === null) solUsd = nextRate(dice, solUsd);
    core.emit({ kind: 'rate', at, solUsd });
    schedule(at + RATE_EVERY_MS, stepRate);
  }

  schedule(from, stepRate);
  return {
    ...core,
    ...coinEvents,
    creators: createCreators(dice, identities.address),
    names: createNames(dice),
    get now() {
      return now;
    },
    get solUsd() {
      return solUsd;
    },
    advance(until, receivedAt) {
      for (let at = tasks.nextAt; at !== null && at <= until; at = tasks.nextAt) {
        now = Math.max(now, at);
        tasks.take()?.run(at);
      }
      now = Math.max(now, until);
      const observations = out;
      out = [];
      if (receivedAt === undefined) return observations;
      return observations.map((one) => ({ ...one, receivedAt: Math.max(one.at, receivedAt) }));
    },
    skip(ms) {
      tasks.shift(ms);
      now += ms;
    },
    add(coin, path, at) {
      if (alive.size >= MOST_ALIVE) dropOldest(alive);
      alive.set(coin.address, { coin, path });
      const step = (when: number): void => {
        if (!coin.alive) return;
        const wait = path.step(this, coin, when);
        if (wait === null) drop(alive, coin);
        else schedule(when + Math.max(1, wait), step);
      };
      schedule(at, step);
    },
    clear() {
      generation += 1;
      for (const { coin } of alive.values()) coin.alive = false;
      alive.clear();
    },
  };
}

interface CoinEvents {
  /** Emits a trade and its consequences: the completion of the curve, later the pool. */
  trade(coin: Coin, fill: Fill | null, at: number, chain?: TradeObservation['chain']): void;
  /** Schedules an event of an existing coin, which `clear` cancels. */
  scheduleForCoin(at: number, run: (at: number) => void): void;
  scheduleMigration(coin: Coin, at: number): void;
  /** Schedules a reading of the coin's facts at `at`; dead coins are read too. */
  scheduleFacts(coin: Coin, at: number): void;
  /** Schedules readings of who paid for the coin and funded its early buyers, once the coin is worth the requests. */
  scheduleOrigins(coin: Coin): void;
}

function createCoinEvents(
  { dice, identities, launchpad, schedule, emit, position }: WorldCore,
  generation: () => number,
): CoinEvents {
  function scheduleForCoin(at: number, run: (at: number) => void): void {
    const planned = generation();
    schedule(at, (when) => {
      if (planned === generation()) run(when);
    });
  }

  function scheduleMigration(coin: Coin, at: number): void {
    scheduleForCoin(at + dice.between(MIGRATION_DELAY.from, MIGRATION_DELAY.to), (when) => migrate(coin, when));
  }

  function scheduleFacts(coin: Coin, at: number): void {
    scheduleForCoin(at, (when) => emit(readFacts(dice, coin, when, slotAt(when))));
  }

  function scheduleOrigins(coin: Coin, attempt = 0): void {
    const age = ORIGIN_AGES[attempt];
    if (age === undefined) return;
    scheduleForCoin(coin.createdAt + age + dice.between(ORIGIN_DELAY.from, ORIGIN_DELAY.to), (when) => {
      if (isWorthOrigins(coin)) emit(readOrigins(coin, identities, when, slotAt(when)));
      else scheduleOrigins(coin, attempt + 1);
    });
  }

  function migrate(coin: Coin, at: number): void {
    coin.reserves = migratedPool(coin.reserves, migrationFee(coin.quote));
    coin.stage = 'pool';
    coin.lpLockedPercent = LP_BURNT_PERCENT;
    emit({
      kind: 'migrated',
      at,
      chain: position(at),
      address: coin.address,
      pool: identities.address(),
      quoteAmount: coin.reserves.realQuote,
    });
    scheduleFacts(coin, at + dice.between(2_000, 30_000));
  }

  return {
    trade(coin, fill, at, chain = position(at)) {
      if (!fill) return;
      emit(tradeOf(coin, fill, { at, chain, launchpad }));
      if (coin.stage !== 'complete') return;
      emit({ kind: 'completed', at, address: coin.address, chain: { ...chain, index: chain.index + 1 } });
      scheduleMigration(coin, at);
    },
    scheduleForCoin,
    scheduleMigration,
    scheduleFacts,
    scheduleOrigins: (coin) => scheduleOrigins(coin),
  };
}

function tradeOf(coin: Coin, fill: Fill, event: Pick<TradeObservation, 'at' | 'chain' | 'launchpad'>): WorldEvent {
  return {
    kind: 'trade',
    ...event,
    address: coin.address,
    side: fill.side,
    wallet: fill.wallet,
    quote: coin.quote,
    quoteAmount: fill.quoteAmount,
    tokenAmount: fill.tokenAmount,
    reserves: { ...coin.reserves },
    creator: coin.creator,
    cluster: null,
    venue: coin.stage === 'pool' ? 'pool' : 'curve',
  };
}

function nextRate(dice: Dice, solUsd: number): number {
  const pull = RATE_PULL * Math.log(SOL_USD_MIDDLE / solUsd);
  const next = solUsd * Math.exp(pull) * dice.logNormal(1, RATE_SIGMA);
  return Math.round(next * 100) / 100;
}

function slotAt(at: number): number {
  return KNOWN_SLOT.slot + Math.floor((at - KNOWN_SLOT.at) / SLOT_MS);
}

type AliveCoins = Map<string, { coin: Coin; path: LifePath }>;

function dropOldest(alive: AliveCoins): void {
  for (const { coin, path } of alive.values()) {
    if (path.lasting) continue;
    drop(alive, coin);
    return;
  }
}

function drop(alive: AliveCoins, coin: Coin): void {
  coin.alive = false;
  alive.delete(coin.address);
}
