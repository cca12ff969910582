import { MINUTE } from '../../../../../common/time.ts';
import { buy, type Coin, newCoin, quoteUnits } from '../coin/coin.ts';
import { TOKEN_DECIMALS, TOTAL_SUPPLY } from '../coin/curve.ts';
import { mintAddress } from '../coin/mint-address.ts';
import {
  BURST_GAP,
  BURST_MEAN,
  CLONE_SHARE,
  FIRST_BUY_QUANTILES,
  FOREIGN_FEES,
  FOREIGN_NAMES,
  LAUNCH_SHARES,
} from '../figures.ts';
import type { Dice } from '../random.ts';
import type { Developer } from '../world/creators.ts';
import type { LifePath } from '../world/floor.ts';
import { ADDRESS_BYTES } from '../world/identities.ts';
import type { Idea } from '../world/names.ts';
import type { World } from '../world/world.ts';
import { drawFate, type Fate, type OrdinaryFate } from './fates.ts';
import { climber, dumpPath, ordinaryPath, star } from './paths.ts';
import { earlyExit, openTrading } from './team.ts';

/** Intervals of stars and climbers among the launches, independent of the number of launches. */
const STAR_EVERY = { from: 9 * MINUTE, to: 13 * MINUTE } as const;
const CLIMBER_EVERY = { from: 2 * MINUTE, to: 4 * MINUTE } as const;
/**
 * Gaps between bursts are exponential, cut at 1.5 of their mean so that a new visitor never waits long (9 s at 20 launches a
 * minute). The cut raises the rate; drawing with 1.716 times the mean compensates: u (1 − e^(−1.5/u)) = 1.
 */
const LONGEST_GAP = 1.5;
const UNCUT_MEAN = 1.716;
/** Share of clones launched by the developer of the first. */
const SAME_CLONER_SHARE = 0.2;
/** First buys from here on, in SOL, buy the whole curve. */
const WHOLE_CURVE_SOL = 80;
/** Share of coins without read facts, and when the others are read, ms after launch. */
const NEVER_READ = 0.12;
const FIRST_READ = { from: 900, to: 55_000 } as const;
const SECOND_READ = { from: 2 * MINUTE, to: 6 * MINUTE } as const;

interface Plan {
  idea: Idea;
  /** Net SOL of the developer's first buy. */
  firstBuy: number;
  /** True for a copy of another launch's symbol. */
  copied: boolean;
  developer: Developer | null;
}

export interface LaunchSpan {
  from: number;
  /** End of the launches; null: never. */
  until: number | null;
  /** Returns the launches a minute at a time. */
  rateAt: (at: number) => number;
}

/** Receives each launch with its fate, which the observations do not name. For benches and tests. */
export type OnLaunch = (launch: { address: string; fate: Fate }) => void;

/** Returns the path of a star or climber when one is due, otherwise null. */
type ScriptedPaths = (at: number) => { fate: 'star' | 'climber'; path: LifePath } | null;

/**
 * Returns a function that launches coins into the world over a span, the first at its start: in bursts, with clones, returning
 * creators, stars and climbers. Stars and climbers appear from `starsFrom` on, epoch ms.
 */
export function createLauncher(
  world: World,
  starsFrom: number,
  onLaunch: OnLaunch = () => undefined,
): (span: LaunchSpan) => void {
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
    ...names.idea(at),
    firstBuy: dice.quantile(FIRST_BUY_QUANTILES),
    developer: null,
  });
  const cloneOf = (first: Plan): Plan => ({
    ...first,
    copied: true,
    developer: dice.chance(SAME_CLONER_SHARE) ? first.developer : null,
  });

  return (span) => {
    if (span.rateAt(span.from) > 0) world.schedule(span.from, (at) => burst(span, at));
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

/** Launches one coin and returns it with its fate. Stores the developer in the plan, so that clones may share it. */
function launchCoin(
  world: World,
  scriptedPaths: ScriptedPaths,
  at: number,
  plan: Plan,
): { address: string; fate: Fate } {
  const { dice, names } = world;
  const scripted = scriptedPaths(at);
  const developer = scripted ? newDeveloper(world) : (plan.developer ?? world.creators.next());
  plan.developer = developer;
  const ordinary = drawFate(dice, {
    habit: developer.habit,
    copied: plan.copied,
    firstBuy: plan.firstBuy,
  });
  const fate = scripted?.fate ?? ordinary;
  const idea = scripted ? names.fresh() : plan.idea;
  names.add(at, idea);
  // Drawn, though the address follows from creator and time: a seed keeps the market that it had with drawn addresses.
  dice.bytes(ADDRESS_BYTES);
  const origin = { ...signers(world, fate, developer.wallet), createdAt: at };
  const coin = newCoin({
    address: mintAddress(origin),
    symbol: idea.symbol,
    ...origin,
    quote: !scripted && dice.chance(LAUNCH_SHARES.usdcQuoted) ? 'USDC' : 'SOL',
  });
  coin.holders.plan(coin.developer);
  const signature = emitCreation(world, coin, idea);
  // A star's creator must not own the curve.
  const firstBuy = scripted ? Math.min(plan.firstBuy, 1) : plan.firstBuy;
  buyFirst(world, coin, firstBuy, signature);
  const exitAfter = fate === 'dump' ? earlyExit(dice) : null;
  openTrading(world, coin, { fate, at, firstBuy, exitAt: exitAfter === null ? null : at + exitAfter });
  const path = scripted?.path ?? pathOf(dice, ordinary, exitAfter);
  world.add(coin, path, at + dice.between(400, 2_000));
  scheduleFacts(world, coin, at, scripted !== null);
  return { address: coin.address, fate };
}

/** Returns a developer without earlier coins. */
function newDeveloper({ identities }: World): Developer {
  return { wallet: identities.address(), habit: 'regular' };
}

/** Returns the named creator, the signer and the payer of a creation: mostly one wallet. */
function signers(world: World, fate: Fate, wallet: string): Pick<Coin, 'creator' | 'developer' | 'feePayer'> {
  const { dice, identities, creators } = world;
  const odds = fate === 'dump' ? 'dump' : 'others';
  const creator = dice.chance(FOREIGN_NAMES[odds]) ? (creators.knownBuilder() ?? identities.address()) : wallet;
  const feePayer = dice.chance(FOREIGN_FEES[odds]) ? identities.address() : wallet;
  return { creator, developer: wallet, feePayer };
}

function pathOf(dice: Dice, fate: OrdinaryFate, exitAfter: number | null): LifePath {
  return fate === 'dump' ? dumpPath(dice, exitAfter ?? 0) : ordinaryPath(fate, dice);
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
    user: coin.developer,
    bondingCurve: identities.address(),
    quote: coin.quote,
    decimals: TOKEN_DECIMALS,
    totalSupply: String(TOTAL_SUPPLY),
    reserves: { ...coin.reserves },
    launchpad: world.launchpad,
    cluster: null,
    mayhem: dice.chance(LAUNCH_SHARES.mayhem),
    cashback: dice.chance(LAUNCH_SHARES.cashback),
    slotMs: world.slotMs,
  });
  return chain.signature;
}

/** Runs the developer's buy in the creating transaction. */
function buyFirst(world: World, coin: Coin, sol: number, signature: string): void {
  if (sol <= 0) return;
  const net = sol >= WHOLE_CURVE_SOL ? coin.reserves.virtualQuote * 3 : quoteUnits(coin, sol, world.solUsd);
  world.trade(coin, buy(coin, coin.developer, net), coin.createdAt, world.position(coin.createdAt, signature, 1));
}

function scheduleFacts(world: World, coin: Coin, at: number, isScripted: boolean): void {
  const { dice } = world;
  if (!isScripted && dice.chance(NEVER_READ)) return;
  world.scheduleFacts(coin, at + dice.between(FIRST_READ.from, FIRST_READ.to));
  if (isScripted || dice.chance(0.5)) {
    world.scheduleFacts(coin, at + dice.between(SECOND_READ.from, SECOND_READ.to));
  }
  world.scheduleOrigins(coin);
}
