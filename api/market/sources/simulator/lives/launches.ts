import { buy, type Coin, newCoin, quoteUnits } from '../coin/coin.ts';
import { TOKEN_DECIMALS, TOTAL_SUPPLY } from '../coin/curve.ts';
import { BURST_GAP, BURST_MEAN, CLONE_SHARE, FIRST_BUY_QUANTILES, LAUNCH_SHARES } from '../figures.ts';
import type { Idea } from '../world/names.ts';
import type { LifePath, World } from '../world/world.ts';
import { chooseLife, climber, type Fate, ordinaryPath, star } from './paths.ts';

const MINUTE = 60_000;
/** Intervals of stars and climbers among the launches, independent of the number of launches. */
const STAR_EVERY = { from: 9 * MINUTE, to: 13 * MINUTE } as const;
const CLIMBER_EVERY = { from: 2 * MINUTE, to: 4 * MINUTE } as const;
/**
 * Gaps between bursts are exponential, cut at 1.5 of their mean so that a new visitor never waits long (9 s at 20 launches a
 * minute). The cut raises the rate; drawing with 1.716 times the mean compensates: u (1 − e^(−1.5/u)) = 1.
 */
const LONGEST_GAP = 1.5;
const UNCUT_MEAN = 1.716;
/** First buys from here on, in SOL, buy the whole curve. */
const WHOLE_CURVE_SOL = 80;
/** Share of dumped coins whose creator buys through other wallets in the same slot. */
const BUNDLED_SHARE = 0.45;
/** Share of other launches that a bot snipes in the same slot. */
const SNIPED_SHARE = 0.12;
/** Share of coins without read facts, and when the others are read, ms after launch. */
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
  /** End of the launches; null: never. */
  until: number | null;
  /** Returns the launches a minute at a time. */
  rateAt: (at: number) => number;
}

/** Launches coins into the world: in bursts, with clones, returning creators, stars and climbers. */
export interface Launcher {
  /** Launches bursts over a span, the first at its start. */
  keepLaunching(span: LaunchSpan): void;
}

/** Receives each launch with its fate, which the observations do not name. For benches and tests. */
export type OnLaunch = (launch: { address: string; fate: Fate }) => void;

/** Returns the path of a star or climber when one is due, otherwise null. */
type ScriptedPaths = (at: number) => { fate: 'star' | 'climber'; path: LifePath } | null;

/** Stars and climbers appear from `starsFrom` on, epoch ms. */
export function createLauncher(world: World, starsFrom: number, onLaunch: OnLaunch = () => undefined): Launcher {
  const { dice, names } = world;
  const scripted = createScriptedPaths(world, starsFrom);
  const launch = (at: number, planned: Plan): void => onLaunch(launchCoin(world, scripted, at, planned));

  function burst(span: LaunchSpan, at: number): void {
    if (span.until !== null && at >= span.until) return;
    const first = plan(at);
    launch(at, first);
    const followers = dice.geometric(BURST_MEAN) - 1;
    let when = at;
    for (let i = 0; i < followers; i += 1) {
      when += dice.between(BURST_GAP.from, BURST_GAP.to);
      const isClone = dice.chance(CLONE_SHARE);
      world.schedule(when, (then) => launch(then, isClone ? cloneOf(first) : plan(then)));
    }
    const meanGap = (BURST_MEAN * MINUTE) / span.rateAt(at);
    const gap = Math.min(dice.exponential(UNCUT_MEAN * meanGap), LONGEST_GAP * meanGap);
    world.schedule(at + Math.max(1, gap), (then) => burst(span, then));
  }

  const plan = (at: number): Plan => ({
    idea: names.idea(at),
    firstBuy: dice.quantile(FIRST_BUY_QUANTILES),
    creator: null,
  });
  const cloneOf = (first: Plan): Plan => ({ ...first, creator: dice.chance(0.2) ? first.creator : null });

  return {
    keepLaunching(span) {
      if (span.rateAt(span.from) > 0) world.schedule(span.from, (at) => burst(span, at));
    },
  };
}

function createScriptedPaths(world: World, from: number): ScriptedPaths {
  const { dice } = world;
  let nextStar = from;
  let nextClimber = from;
  return (at) => {
    if (at >= nextStar) {
      nextStar = at + dice.between(STAR_EVERY.from, STAR_EVERY.to);
      return { fate: 'star', path: star(dice, world.solUsd) };
    }
    if (at >= nextClimber) {
      nextClimber = at + dice.between(CLIMBER_EVERY.from, CLIMBER_EVERY.to);
      return { fate: 'climber', path: climber(dice) };
    }
    return null;
  };
}

/** Launches one coin and returns it with its fate. Stores the creator in the plan, so that clones may share it. */
function launchCoin(
  world: World,
  scriptedPaths: ScriptedPaths,
  at: number,
  plan: Plan,
): { address: string; fate: Fate } {
  const { dice, identities, names } = world;
  const scripted = scriptedPaths(at);
  const kind = chooseLife(dice);
  const fate = scripted?.fate ?? kind;
  const creator = scripted ? identities.address() : (plan.creator ?? identities.creator());
  plan.creator = creator;
  const idea = scripted ? names.fresh() : plan.idea;
  names.add(at, idea);
  const coin = newCoin({
    address: identities.address(),
    symbol: idea.symbol,
    creator,
    createdAt: at,
    quote: !scripted && dice.chance(LAUNCH_SHARES.usdcQuoted) ? 'USDC' : 'SOL',
  });
  const signature = emitCreation(world, coin, idea);
  // A star's creator must not own the curve.
  firstBuys(world, coin, fate, { at, signature, sol: scripted ? Math.min(plan.firstBuy, 1) : plan.firstBuy });
  const path = scripted?.path ?? ordinaryPath(kind, dice, coin);
  world.add(coin, path, at + dice.between(400, 2_000));
  scheduleFacts(world, coin, at, scripted !== null);
  return { address: coin.address, fate };
}

/** Returns the signature of the creation. */
function emitCreation(world: World, coin: Coin, idea: Idea): string {
  const { dice, identities } = world;
  const chain = world.position(coin.createdAt);
  // The `.invalid` domain is reserved and never resolves.
  const file = `https://metadata.simulator.invalid/${coin.address.slice(0, 16)}.json`;
  world.emit({
    kind: 'created',
    at: coin.createdAt,
    chain,
    address: coin.address,
    name: idea.name,
    symbol: idea.symbol,
    uri: dice.chance(LAUNCH_SHARES.blankUri) ? '' : file,
    creator: coin.creator,
    user: coin.creator,
    bondingCurve: identities.address(),
    quote: coin.quote,
    decimals: TOKEN_DECIMALS,
    totalSupply: String(TOTAL_SUPPLY),
    reserves: { ...coin.reserves },
    launchpad: world.launchpad,
    cluster: null,
    mayhem: dice.chance(LAUNCH_SHARES.mayhem),
    cashback: dice.chance(LAUNCH_SHARES.cashback),
  });
  return chain.signature;
}

/** Runs the creator's buy in the creating transaction, then the other buys of the same slot. */
function firstBuys(world: World, coin: Coin, fate: Fate, first: { at: number; signature: string; sol: number }): void {
  const { dice, identities } = world;
  const { at, signature } = first;
  const units = (sol: number): number => quoteUnits(coin, sol, world.solUsd);
  if (first.sol > 0) {
    const net = first.sol >= WHOLE_CURVE_SOL ? coin.reserves.virtualQuote * 3 : units(first.sol);
    world.trade(coin, buy(coin, coin.creator, net), at, world.position(at, signature, 1));
  }
  if (fate === 'dump' && dice.chance(BUNDLED_SHARE)) {
    for (let wallets = dice.whole(2, 6); wallets > 0; wallets -= 1) {
      const wallet = identities.trader();
      coin.insiders.push(wallet);
      world.trade(coin, buy(coin, wallet, units(dice.logNormal(0.7, 0.6))), at);
    }
  } else if (dice.chance(SNIPED_SHARE)) {
    const size = dice.between(0.1, 0.9);
    world.trade(coin, buy(coin, identities.bot(), units(size)), at);
  }
}

function scheduleFacts(world: World, coin: Coin, at: number, isScripted: boolean): void {
  const { dice } = world;
  if (!isScripted && dice.chance(NEVER_READ)) return;
  world.scheduleFacts(coin, at + dice.between(FIRST_READ.from, FIRST_READ.to));
  if (isScripted || dice.chance(0.5)) {
    world.scheduleFacts(coin, at + dice.between(SECOND_READ.from, SECOND_READ.to));
  }
}
