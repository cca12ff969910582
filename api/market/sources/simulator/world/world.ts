import type { Random } from '../../../../../common/time.ts';
import type { Observation, TradeObservation } from '../../observation.ts';
import { type Coin, type Fill, migrationFee } from '../coin/coin.ts';
import { readFacts } from '../coin/coin-facts.ts';
import { migratedPool } from '../coin/curve.ts';
import { KNOWN_SLOT, RATE_EVERY_MS, SLOT_MS, SOL_USD_MIDDLE } from '../figures.ts';
import { Dice } from '../random.ts';
import { Identities } from './identities.ts';
import { Names } from './names.ts';
import { TaskQueue } from './task-queue.ts';

/** An observation as the world tells it: who heard it, and when, is added as it leaves. */
export type Happening = Observation extends infer One
  ? One extends Observation
    ? Omit<One, 'source' | 'receivedAt'>
    : never
  : never;

/** The way a coin's life goes: `step` lets one thing happen and says how many ms later the next one does; null: it is over. */
export interface LifePath {
  /** Kept when coins have to go because too many are alive. */
  lasting: boolean;
  step(world: World, coin: Coin, at: number): number | null;
}

export const IDENTITY = { source: 'simulator', launchpad: 'simulator', cluster: null } as const;

/** Most coins that trade at a time; the oldest ordinary one goes when another is launched. */
const MOST_ALIVE = 4_000;
/** A pool opens this long after its curve completed. */
const MIGRATION_DELAY = { from: 800, to: 8_000 } as const;
/** LP tokens are burnt at migration. */
const LP_BURNT_PERCENT = 100;
/** The simulated rate: its step every 30 s (σ of the logarithm), and how strongly it is drawn back to the middle. */
const RATE_SIGMA = 0.0009;
const RATE_PULL = 0.004;

export interface WorldOptions {
  random: Random;
  /** Simulated time it starts at, epoch ms. */
  from: number;
  /** Dollars for 1 SOL when that is configured; null: it wanders. */
  solUsd: number | null;
}

/**
 * The simulated market: coins, wallets and simulated time. It knows no clock and no timer: `advance` lets happen what is
 * due. The order of events depends on the random numbers alone, not on how often it is called.
 */
export class World {
  readonly dice: Dice;
  readonly identities: Identities;
  readonly names: Names;
  readonly #tasks = new TaskQueue();
  readonly #alive = new Map<string, { coin: Coin; path: LifePath }>();
  readonly #fixedRate: number | null;
  #out: Observation[] = [];
  #solUsd: number;
  #now: number;
  /** Counts up when all coins are let go of: what was planned for those of before does not happen. */
  #generation = 0;

  constructor(options: WorldOptions) {
    this.dice = new Dice(options.random);
    this.identities = new Identities(this.dice);
    this.names = new Names(this.dice);
    this.#fixedRate = options.solUsd;
    this.#solUsd = options.solUsd ?? SOL_USD_MIDDLE;
    this.#now = options.from;
    this.schedule(options.from, (at) => this.#tellRate(at));
  }

  /** Simulated time, epoch ms. */
  get now(): number {
    return this.#now;
  }

  get solUsd(): number {
    return this.#solUsd;
  }

  /** Coins that still trade. */
  get alive(): number {
    return this.#alive.size;
  }

  schedule(at: number, run: (at: number) => void): void {
    this.#tasks.add(Math.round(at), run);
  }

  /** Lets everything up to `until` happen and hands it out in time order, heard at `receivedAt` or as it happened. */
  advance(until: number, receivedAt?: number): Observation[] {
    for (let at = this.#tasks.nextAt; at !== null && at <= until; at = this.#tasks.nextAt) {
      this.#now = Math.max(this.#now, at);
      this.#tasks.take()?.run(at);
    }
    this.#now = Math.max(this.#now, until);
    const out = this.#out;
    this.#out = [];
    return receivedAt === undefined ? out : out.map((one) => ({ ...one, receivedAt: Math.max(one.at, receivedAt) }));
  }

  /** Leaves out a span that nobody watched, such as a machine's sleep: what was due happens that much later. */
  skip(ms: number): void {
    this.#tasks.shift(ms);
    this.#now += ms;
  }

  emit(happening: Happening): void {
    this.#out.push({ ...happening, source: IDENTITY.source, receivedAt: happening.at });
  }

  /** Where on chain something of this moment is. */
  place(at: number, signature = this.identities.signature(), index = 0): TradeObservation['chain'] {
    return { signature, index, slot: KNOWN_SLOT.slot + Math.floor((at - KNOWN_SLOT.at) / SLOT_MS) };
  }

  /** Lets a coin live along its path, from `at` on. */
  admit(coin: Coin, path: LifePath, at: number): void {
    if (this.#alive.size >= MOST_ALIVE) this.#dropOldest();
    this.#alive.set(coin.address, { coin, path });
    const step = (when: number): void => {
      if (!coin.alive) return;
      const wait = path.step(this, coin, when);
      if (wait === null) this.#drop(coin);
      else this.schedule(when + Math.max(1, wait), step);
    };
    this.schedule(at, step);
  }

  /** Tells a trade, and what follows from it: the end of the curve, later the pool. */
  trade(coin: Coin, fill: Fill | null, at: number, chain = this.place(at)): void {
    if (!fill) return;
    this.emit({
      kind: 'trade',
      at,
      chain,
      address: coin.address,
      side: fill.side,
      wallet: fill.wallet,
      quote: coin.quote,
      quoteAmount: fill.quoteAmount,
      tokenAmount: fill.tokenAmount,
      reserves: { ...coin.reserves },
      creator: coin.creator,
      launchpad: IDENTITY.launchpad,
      cluster: IDENTITY.cluster,
      venue: coin.stage === 'pool' ? 'pool' : 'curve',
    });
    if (coin.stage !== 'complete') return;
    this.emit({ kind: 'completed', at, address: coin.address, chain: { ...chain, index: chain.index + 1 } });
    this.migrateSoon(coin, at);
  }

  migrateSoon(coin: Coin, at: number): void {
    this.#plan(at + this.dice.between(MIGRATION_DELAY.from, MIGRATION_DELAY.to), (when) => this.#migrate(coin, when));
  }

  /** Facts as somebody reads them from the chain at `at`; dead coins are read like living ones. */
  factsAt(coin: Coin, at: number): void {
    this.#plan(at, (when) => this.emit(readFacts(this.dice, coin, when)));
  }

  /** Lets go of all coins, also of dead ones: nothing more is told of them. New ones are launched as before. */
  forgetCoins(): void {
    this.#generation += 1;
    for (const { coin } of this.#alive.values()) coin.alive = false;
    this.#alive.clear();
  }

  /** Schedules what happens to a coin that is there now, unless it is let go of before. */
  #plan(at: number, run: (at: number) => void): void {
    const generation = this.#generation;
    this.schedule(at, (when) => {
      if (generation === this.#generation) run(when);
    });
  }

  #migrate(coin: Coin, at: number): void {
    coin.reserves = migratedPool(coin.reserves, migrationFee(coin.quote));
    coin.stage = 'pool';
    coin.lpLockedPercent = LP_BURNT_PERCENT;
    this.emit({
      kind: 'migrated',
      at,
      chain: this.place(at),
      address: coin.address,
      pool: this.identities.address(),
      quoteAmount: coin.reserves.realQuote,
    });
    this.factsAt(coin, at + this.dice.between(2_000, 30_000));
  }

  #tellRate(at: number): void {
    if (this.#fixedRate === null) {
      const pull = RATE_PULL * Math.log(SOL_USD_MIDDLE / this.#solUsd);
      this.#solUsd *= Math.exp(pull) * this.dice.logNormal(1, RATE_SIGMA);
      this.#solUsd = Math.round(this.#solUsd * 100) / 100;
    }
    this.emit({ kind: 'rate', at, solUsd: this.#solUsd });
    this.schedule(at + RATE_EVERY_MS, (next) => this.#tellRate(next));
  }

  #dropOldest(): void {
    for (const { coin, path } of this.#alive.values()) {
      if (path.lasting) continue;
      this.#drop(coin);
      return;
    }
  }

  #drop(coin: Coin): void {
    coin.alive = false;
    this.#alive.delete(coin.address);
  }
}
