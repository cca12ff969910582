import type { Random } from '../../../../../common/time.ts';
import type { Observation } from '../../observation.ts';
import { buy, type Coin, sell } from '../coin/coin.ts';
import { RATE_EVERY_MS, SLOT_MS, SOL_USD_MIDDLE } from '../figures.ts';
import { createDice, type Dice } from '../random.ts';
import { type CoinEvents, createCoinEvents, slotAt, type WorldCore } from './coin-events.ts';
import { type Creators, createCreators } from './creators.ts';
import type { LifePath, PlannedTrader, TradingFloor, WorldEvent } from './floor.ts';
import { createIdentities } from './identities.ts';
import { createNames, type Names } from './names.ts';
import { createTaskQueue } from './task-queue.ts';

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

interface WorldOptions {
  random: Random;
  /** Start of the simulated time, epoch ms. */
  from: number;
  /** Configured dollars for 1 SOL; null: the rate wanders. */
  solUsd: number | null;
  /** Form of the observations; `simulator` by default. */
  shape?: MarketShape | undefined;
  /** Length of a slot, ms; that of mainnet since autumn 2026 by default. */
  slotMs?: number;
}

/**
 * The simulated market: coins, wallets and simulated time, without clock and timer. The order of events depends only on the
 * random numbers, not on the calls of `advance`.
 */
export interface World extends CoinEvents, TradingFloor {
  readonly creators: Creators;
  readonly names: Names;
  /** Simulated time, epoch ms. */
  readonly now: number;
  /** Launchpad named by the observations. */
  readonly launchpad: string;
  readonly slotMs: number;
  /** Schedules an event of the market. */
  schedule(at: number, run: (at: number) => void): void;
  /** Runs all events up to `until` and returns their observations in time order, received at `receivedAt` or as they happened. */
  advance(until: number, receivedAt?: number): Observation[];
  /** Postpones all events by `ms`, to skip a time when the process was paused. */
  skip(ms: number): void;
  emit(event: WorldEvent): void;
  /** Returns an on-chain position at this time. */
  position: WorldCore['position'];
  /** Makes a trade that was planned at the launch, on the chain for a coin there; `share`: 0–1 of the wallet's balance. */
  plannedBuy(coin: Coin, wallet: string, net: number, at: number): void;
  plannedSale(coin: Coin, wallet: string, share: number, at: number): void;
  /** Returns a living coin, or one of the newest dead ones; null for any other. */
  find(address: string): KnownCoin | null;
  /**
   * Leaves the trades of a coin to the chain from now on; its life in the world pauses. `trader` returns what makes the planned
   * ones; undefined: they are dropped.
   */
  handOver(address: string, trader: () => PlannedTrader | undefined): void;
  /** Goes on with a coin that was not put on the chain. */
  takeBack(address: string): void;
  /** Ends the life of a coin in the world. */
  end(coin: Coin): void;
  /** Adds a coin that follows its path from `at` on. */
  add(coin: Coin, path: LifePath, at: number): void;
  /** Removes all coins, dead ones included: no further events of them follow. Launches go on. */
  clear(): void;
}

export function createWorld(options: WorldOptions): World {
  const { random, from, solUsd: fixedRate, shape = 'simulator', slotMs = SLOT_MS } = options;
  const dice = createDice(random);
  const identities = createIdentities(dice);
  const tasks = createTaskQueue();
  const coins = createLivingCoins();
  /** Coins whose trades are left to the chain. */
  const away = new Map<string, () => PlannedTrader | undefined>();
  let out: Observation[] = [];
  let now = from;
  let solUsd = fixedRate ?? SOL_USD_MIDDLE;
  /** Incremented by `clear`, which cancels the planned events of earlier coins. */
  let generation = 0;

  const core: WorldCore = {
    dice,
    identities,
    launchpad: LAUNCHPADS[shape],
    slotMs,
    schedule: (at, run) => tasks.add(Math.round(at), run),
    emit(event) {
      if (event.kind === 'facts' && shape === 'mainnet') return;
      const at = event.at - (event.at % CHAIN_TIME_STEP[shape]);
      out.push({ ...event, at, source: 'simulator', receivedAt: event.at });
    },
    position: (at, signature = identities.signature(), index = 0) => ({ signature, index, slot: slotAt(at, slotMs) }),
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
    ...createFloor(coinEvents, away),
    creators: createCreators(dice, identities.address),
    names: createNames(dice),
    find: coins.find,
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
      return receivedAt === undefined ? observations : received(observations, receivedAt);
    },
    skip(ms) {
      tasks.shift(ms);
      now += ms;
    },
    add(coin, path, at) {
      coins.add(coin, path);
      follow(this, coins, { coin, path, at, isAway: () => away.has(coin.address) });
    },
    clear() {
      generation += 1;
      coins.clear();
      away.clear();
    },
    handOver: (address, trader) => void away.set(address, trader),
    takeBack: (address) => void away.delete(address),
    end: coins.drop,
  };
}

/** Between two looks at a coin that is being put on the chain, ms. */
const AWAY_PAUSE = 100;

/** Schedules the steps of a path until the end of the coin's life. They wait while it is away. */
function follow(
  world: World,
  coins: LivingCoins,
  life: { coin: Coin; path: LifePath; at: number; isAway: () => boolean },
): void {
  const { coin, path, at, isAway } = life;
  const step = (when: number): void => {
    if (!coin.alive) return;
    const wait = isAway() ? AWAY_PAUSE : path.step(world, coin, when);
    if (wait === null) coins.drop(coin);
    else world.schedule(when + Math.max(1, wait), step);
  };
  world.schedule(at, step);
}

function received(observations: readonly Observation[], at: number): Observation[] {
  return observations.map((one) => ({ ...one, receivedAt: Math.max(one.at, at) }));
}

function createFloor(
  { trade }: Pick<CoinEvents, 'trade'>,
  away: ReadonlyMap<string, () => PlannedTrader | undefined>,
): Pick<World, 'buy' | 'sell' | 'plannedBuy' | 'plannedSale'> {
  return {
    buy: (coin, wallet, net, at) => trade(coin, buy(coin, wallet, net), at),
    sell: (coin, wallet, tokens, at) => trade(coin, sell(coin, wallet, tokens), at),
    plannedBuy(coin, wallet, net, at) {
      const trader = away.get(coin.address);
      if (trader === undefined) trade(coin, buy(coin, wallet, net), at);
      else trader()?.plannedBuy(wallet, net);
    },
    plannedSale(coin, wallet, share, at) {
      const trader = away.get(coin.address);
      if (trader === undefined) trade(coin, sell(coin, wallet, Math.ceil(coin.holders.balanceOf(wallet) * share)), at);
      else trader()?.plannedSale(wallet, share);
    },
  };
}

function nextRate(dice: Dice, solUsd: number): number {
  const pull = RATE_PULL * Math.log(SOL_USD_MIDDLE / solUsd);
  const next = solUsd * Math.exp(pull) * dice.logNormal(1, RATE_SIGMA);
  return Math.round(next * 100) / 100;
}

/** A coin with its path; null at the end of its life. */
interface KnownCoin {
  coin: Coin;
  path: LifePath | null;
}

/** The coins of a world. */
type LivingCoins = ReturnType<typeof createLivingCoins>;

/** Most coins that trade at a time; a launch beyond it ends the oldest ordinary coin. */
const MOST_ALIVE = 4_000;
/** Dead coins remembered, since planned sales of them may follow and a user may still buy them. */
const MOST_DEAD = 2_000;

function createLivingCoins() {
  const alive = new Map<string, { coin: Coin; path: LifePath }>();
  /** Oldest death first. */
  const dead = new Map<string, Coin>();

  function drop(coin: Coin): void {
    coin.alive = false;
    alive.delete(coin.address);
    dead.set(coin.address, coin);
    const [oldest] = dead.keys();
    if (dead.size > MOST_DEAD && oldest !== undefined) dead.delete(oldest);
  }

  function dropOldest(): void {
    for (const { coin, path } of alive.values()) {
      if (path.lasting) continue;
      drop(coin);
      return;
    }
  }

  return {
    /** Adds a coin, and ends the oldest ordinary one when there are too many. */
    add(coin: Coin, path: LifePath): void {
      if (alive.size >= MOST_ALIVE) dropOldest();
      alive.set(coin.address, { coin, path });
    },
    /** Ends the life of a coin. */
    drop,
    /** Returns a living coin, or one of the newest dead ones; null for any other. */
    find(address: string): KnownCoin | null {
      const known = alive.get(address);
      if (known !== undefined) return known;
      const coin = dead.get(address);
      return coin === undefined ? null : { coin, path: null };
    },
    clear(): void {
      for (const { coin } of alive.values()) coin.alive = false;
      alive.clear();
      dead.clear();
    },
  };
}
