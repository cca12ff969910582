import { buy, type Coin, newCoin, quoteUnits } from '../coin/coin.ts';
import { TOKEN_DECIMALS, TOTAL_SUPPLY } from '../coin/curve.ts';
import { BURST_GAP, BURST_MEAN, CLONE_SHARE, FIRST_BUY_QUANTILES, LAUNCH_SHARES } from '../figures.ts';
import type { Dice } from '../random.ts';
import type { Idea } from '../world/names.ts';
import type { LifePath, World } from '../world/world.ts';
import { chooseLife, climber, type LifeKind, ordinaryPath, star } from './paths.ts';

const MINUTE = 60_000;
/** A star and a climber among the launches, that often; the number of launches does not matter. */
const STAR_EVERY = { from: 9 * MINUTE, to: 13 * MINUTE } as const;
const CLIMBER_EVERY = { from: 2 * MINUTE, to: 4 * MINUTE } as const;
/**
 * Gaps between bursts are exponential, cut at 1.5 of their mean so that a newcomer never waits long (9 s at 20 launches a
 * minute). Cutting raises the rate; drawing with 1.716 times the mean makes up for it: u (1 − e^(−1.5/u)) = 1.
 */
const LONGEST_GAP = 1.5;
const UNCUT_MEAN = 1.716;
/** First buys from here on take the whole curve. */
const WHOLE_CURVE_SOL = 80;
/** Share of dumped coins whose creator buys through other wallets in the same slot. */
const BUNDLED_SHARE = 0.45;
/** Share of other launches that a bot snipes in the same slot. */
const SNIPED_SHARE = 0.12;
/** Share of coins nobody reads the facts of, and when the others are read, ms after launch. */
const NEVER_READ = 0.12;
const FIRST_READ = { from: 900, to: 55_000 } as const;
const SECOND_READ = { from: 2 * MINUTE, to: 6 * MINUTE } as const;

interface Plan {
  idea: Idea;
  /** Net SOL of the creator's first buy. */
  firstBuy: number;
  creator: string | null;
}

export interface LaunchSpan {
  from: number;
  /** Launches end here; null: never. */
  until: number | null;
  /** Launches a minute at a moment. */
  rateAt: (at: number) => number;
}

/** Brings coins into the world: in bursts, with clones, creators that return, and now and then a star. */
export class Launches {
  readonly #world: World;
  readonly #dice: Dice;
  #nextStar: number;
  #nextClimber: number;

  /** Stars and climbers come from `starsFrom` on, epoch ms. */
  constructor(world: World, starsFrom: number) {
    this.#world = world;
    this.#dice = world.dice;
    this.#nextStar = starsFrom;
    this.#nextClimber = starsFrom;
  }

  /** Launches bursts over a span: the first at its start. */
  keepLaunching(span: LaunchSpan): void {
    if (span.rateAt(span.from) > 0) this.#world.schedule(span.from, (at) => this.#burst(span, at));
  }

  #burst(span: LaunchSpan, at: number): void {
    if (span.until !== null && at >= span.until) return;
    const first = this.#plan(at);
    this.#launch(at, first);
    const followers = this.#dice.geometric(BURST_MEAN) - 1;
    let when = at;
    for (let i = 0; i < followers; i += 1) {
      when += this.#dice.between(BURST_GAP.from, BURST_GAP.to);
      const clone = this.#dice.chance(CLONE_SHARE);
      this.#world.schedule(when, (then) => this.#launch(then, clone ? this.#cloneOf(first) : this.#plan(then)));
    }
    const meanGap = (BURST_MEAN * MINUTE) / span.rateAt(at);
    const gap = Math.min(this.#dice.exponential(UNCUT_MEAN * meanGap), LONGEST_GAP * meanGap);
    this.#world.schedule(at + Math.max(1, gap), (then) => this.#burst(span, then));
  }

  #plan(at: number): Plan {
    return { idea: this.#world.names.idea(at), firstBuy: this.#dice.quantile(FIRST_BUY_QUANTILES), creator: null };
  }

  #cloneOf(first: Plan): Plan {
    return { ...first, creator: this.#dice.chance(0.2) ? first.creator : null };
  }

  #launch(at: number, plan: Plan): void {
    const scripted = this.#scripted(at);
    const kind = scripted ? null : chooseLife(this.#dice);
    const creator = scripted ? this.#world.identities.address() : (plan.creator ?? this.#world.identities.creator());
    plan.creator = creator;
    const idea = scripted ? this.#world.names.fresh() : plan.idea;
    this.#world.names.remember(at, idea);
    const coin = newCoin({
      address: this.#world.identities.address(),
      symbol: idea.symbol,
      creator,
      createdAt: at,
      quote: !scripted && this.#dice.chance(LAUNCH_SHARES.usdcQuoted) ? 'USDC' : 'SOL',
    });
    const signature = this.#tellCreation(coin, idea);
    // A star's creator does not own the curve; nothing else about the first buy is special.
    this.#firstBuys(coin, kind, { at, signature, sol: scripted ? Math.min(plan.firstBuy, 1) : plan.firstBuy });
    this.#world.admit(
      coin,
      scripted ?? ordinaryPath(kind ?? 'dead', this.#dice, coin),
      at + this.#dice.between(400, 2_000),
    );
    this.#readFacts(coin, at, scripted !== null);
  }

  /** The path of a star or climber when one is due. */
  #scripted(at: number): LifePath | null {
    if (at >= this.#nextStar) {
      this.#nextStar = at + this.#dice.between(STAR_EVERY.from, STAR_EVERY.to);
      return star(this.#dice, this.#world.solUsd);
    }
    if (at >= this.#nextClimber) {
      this.#nextClimber = at + this.#dice.between(CLIMBER_EVERY.from, CLIMBER_EVERY.to);
      return climber(this.#dice);
    }
    return null;
  }

  #tellCreation(coin: Coin, idea: Idea): string {
    const chain = this.#world.place(coin.createdAt);
    // `.invalid` is reserved: such an address never leads anywhere.
    const file = `https://metadata.simulator.invalid/${coin.address.slice(0, 16)}.json`;
    this.#world.emit({
      kind: 'created',
      at: coin.createdAt,
      chain,
      address: coin.address,
      name: idea.name,
      symbol: idea.symbol,
      uri: this.#dice.chance(LAUNCH_SHARES.blankUri) ? '' : file,
      creator: coin.creator,
      bondingCurve: this.#world.identities.address(),
      quote: coin.quote,
      decimals: TOKEN_DECIMALS,
      totalSupply: String(TOTAL_SUPPLY),
      reserves: { ...coin.reserves },
      launchpad: 'simulator',
      cluster: null,
      mayhem: this.#dice.chance(LAUNCH_SHARES.mayhem),
      cashback: this.#dice.chance(LAUNCH_SHARES.cashback),
    });
    return chain.signature;
  }

  /** The creator's buy in the creating transaction, then what else happens in the same slot. */
  #firstBuys(coin: Coin, kind: LifeKind | null, first: { at: number; signature: string; sol: number }): void {
    const { at, signature } = first;
    const units = (sol: number): number => quoteUnits(coin, sol, this.#world.solUsd);
    if (first.sol > 0) {
      const net = first.sol >= WHOLE_CURVE_SOL ? coin.reserves.virtualQuote * 3 : units(first.sol);
      this.#world.trade(coin, buy(coin, coin.creator, net), at, this.#world.place(at, signature, 1));
    }
    if (kind === 'dump' && this.#dice.chance(BUNDLED_SHARE)) {
      for (let wallets = this.#dice.whole(2, 6); wallets > 0; wallets -= 1) {
        const wallet = this.#world.identities.trader();
        coin.insiders.push(wallet);
        this.#world.trade(coin, buy(coin, wallet, units(this.#dice.logNormal(0.7, 0.6))), at);
      }
    } else if (this.#dice.chance(SNIPED_SHARE)) {
      const size = this.#dice.between(0.1, 0.9);
      this.#world.trade(coin, buy(coin, this.#world.identities.bot(), units(size)), at);
    }
  }

  #readFacts(coin: Coin, at: number, isScripted: boolean): void {
    if (!isScripted && this.#dice.chance(NEVER_READ)) return;
    this.#world.factsAt(coin, at + this.#dice.between(FIRST_READ.from, FIRST_READ.to));
    if (isScripted || this.#dice.chance(0.5)) {
      this.#world.factsAt(coin, at + this.#dice.between(SECOND_READ.from, SECOND_READ.to));
    }
  }
}
