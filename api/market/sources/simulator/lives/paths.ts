import { MINUTE } from '../../../../../common/time.ts';
import { CURVE_START, POOL_SEED_TOKENS, TOTAL_SUPPLY } from '../coin/curve.ts';
import type { Dice } from '../random.ts';
import type { LifePath } from '../world/floor.ts';
import type { OrdinaryFate } from './fates.ts';
import { deadOnArrival, dump } from './scripted.ts';
import { steered, type Waypoint } from './steered.ts';

/** Price multiple of a sold-out standard curve. */
const COMPLETE_MULTIPLE = 14.7;
/** SOL collected by a standard curve by then. */
const COMPLETE_REAL_SOL = 85;
/** Market cap of a standard curve at its start, SOL. */
const START_MARKET_CAP_SOL = (CURVE_START.virtualQuote / CURVE_START.virtualToken) * (TOTAL_SUPPLY / 1e9);

/** Returns the path of an ordinary coin that its insiders do not dump. */
export function ordinaryPath(fate: Exclude<OrdinaryFate, 'dump'>, dice: Dice): LifePath {
  switch (fate) {
    case 'dead':
      return deadOnArrival(dice);
    case 'hype':
      return hype(dice);
    case 'fade':
      return fade(dice);
    case 'graduate':
      return graduate(dice);
  }
}

/**
 * Highest price multiple of a hype, log-normal, and its bound below the sold-out curve. The tail is wide, so that hypes and
 * graduations (0.6 to 1 %) together fall about like a power law: half as many coins for each 1.6 times the price.
 */
const HYPE_MULTIPLE = { median: 2.1, sigma: 0.55 } as const;
const HYPE_MOST = 11;

/**
 * SOL that one trade of a rising coin adds on average: its share of buys and the recorded sizes give about 0.17. The pace follows
 * from it, so that a larger hype has more trades and holders instead of larger trades; it stays within bounds, trades a minute.
 */
const HYPE_SOL_A_TRADE = 0.17;
const HYPE_PACE = { least: 8, most: 60 } as const;

/** Returns the trades a minute that lift a standard curve to a price multiple within `top` ms. */
function hypePace(multiple: number, top: number): number {
  const sol = (CURVE_START.virtualQuote / 1e9) * (Math.sqrt(multiple) - 1);
  const pace = sol / HYPE_SOL_A_TRADE / (top / MINUTE);
  return Math.min(HYPE_PACE.most, Math.max(HYPE_PACE.least, pace));
}

/** Minutes of excitement, then silence. */
function hype(dice: Dice): LifePath {
  const top = dice.between(1.5, 8) * MINUTE;
  const multiple = Math.min(HYPE_MOST, dice.logNormal(HYPE_MULTIPLE.median, HYPE_MULTIPLE.sigma));
  const pace = hypePace(multiple, top);
  const waypoints: Waypoint[] = [
    { age: 0, multiple: 1.05, pace: pace * 1.2 },
    { age: top, multiple, pace: pace * 0.8 },
    { age: top * 2, multiple: 1 + (multiple - 1) * 0.3, pace: 3 },
    { age: top * 4 + 8 * MINUTE, multiple: 1.06, pace: 0.3 },
  ];
  return steered({ waypoints, lasting: false });
}

/** Longest time to the exit of a quick dump, ms. */
const QUICK_DUMP = 5 * MINUTE;

/** Returns the path of a coin whose insiders leave `exitAfter` ms after its launch: a quick one, or one that looks like a hype. */
export function dumpPath(dice: Dice, exitAfter: number): LifePath {
  if (exitAfter <= QUICK_DUMP) return dump(dice, exitAfter);
  const multiple = dice.logNormal(1.8, 0.4);
  const waypoints: Waypoint[] = [
    { age: 0, multiple: 1.05, pace: dice.between(5, 14) },
    { age: exitAfter * 0.6, multiple, pace: dice.between(3, 8) },
    { age: exitAfter, multiple, pace: 4 },
    { age: exitAfter + 2 * MINUTE, multiple: 1.1, pace: 8 },
    { age: exitAfter + 15 * MINUTE, multiple: 1.03, pace: 0.3 },
  ];
  return steered({ waypoints, lasting: false });
}

/** A slow decline with declining trades. */
function fade(dice: Dice): LifePath {
  const multiple = dice.logNormal(1.18, 0.16);
  const waypoints: Waypoint[] = [
    { age: 0, multiple: 1.05, pace: dice.between(1, 4.5) },
    { age: dice.between(3, 8) * MINUTE, multiple, pace: dice.between(0.7, 2.5) },
    { age: 40 * MINUTE, multiple: 1 + (multiple - 1) * 0.7, pace: 0.2 },
    { age: dice.between(60, 200) * MINUTE, multiple: 1.08, pace: 0.07 },
  ];
  return steered({ waypoints, lasting: false });
}

/** Shares of graduates that complete within the hour, and that keep their price afterwards. */
const FAST_GRADUATES = 0.6;
const SURVIVORS = 0.05;

/** Sells out its curve and migrates to a pool, where most lose more than four fifths. */
function graduate(dice: Dice): LifePath {
  const completes = (dice.chance(FAST_GRADUATES) ? dice.between(4, 58) : dice.between(60, 240)) * MINUTE;
  const pace = Math.min(40, Math.max(2, 200 / (completes / MINUTE)));
  const end = dice.chance(SURVIVORS) ? COMPLETE_MULTIPLE * 1.5 : COMPLETE_MULTIPLE * dice.between(0.05, 0.2);
  const waypoints: Waypoint[] = [
    { age: 0, multiple: 1.1, pace },
    { age: completes, multiple: COMPLETE_MULTIPLE * 1.15, pace },
    { age: completes + 15 * MINUTE, multiple: COMPLETE_MULTIPLE * 0.8, pace: 6 },
    { age: completes + 60 * MINUTE, multiple: end, pace: 1 },
    { age: completes + 240 * MINUTE, multiple: end, pace: 0.2 },
  ];
  return steered({ waypoints, lasting: true });
}

/** A coin for the runner lists, which climbs through its first hour. Some sell out their curve. */
export function climber(dice: Dice): LifePath {
  const top = dice.between(25, 65) * MINUTE;
  const multiple = Math.min(COMPLETE_MULTIPLE * 1.3, dice.logNormal(6, 0.45));
  const waypoints: Waypoint[] = [
    { age: 0, multiple: 1.3, pace: dice.between(7, 12) },
    { age: top * 0.25, multiple: multiple ** 0.4, pace: dice.between(4, 6) },
    { age: top, multiple, pace: dice.between(4, 6) },
    { age: top + 12 * MINUTE, multiple: multiple ** 0.5, pace: 2 },
    { age: top + 60 * MINUTE, multiple: 1.2, pace: 0.2 },
  ];
  return steered({ waypoints, lasting: true });
}

/** Market cap of a star after its first hour, US dollars: well within 400,000 to 1,000,000. */
const STAR_USD = { from: 500_000, to: 760_000 } as const;
/** Volume of a star after its first hour, as a multiple of its market cap: clearly above 2.5. */
const STAR_TURNOVER = { from: 3.1, to: 4.2 } as const;
const STAR_HOUR = 57 * MINUTE;

/** A coin with a market cap of several 100,000 dollars and a large volume in its first hour, which lasts through its second. */
export function star(dice: Dice, solUsd: number): LifePath {
  const usd = dice.between(STAR_USD.from, STAR_USD.to);
  const multiple = usd / solUsd / START_MARKET_CAP_SOL;
  const moved = (usd / solUsd) * dice.between(STAR_TURNOVER.from, STAR_TURNOVER.to);
  const completes = dice.between(7, 13) * MINUTE;
  const pace = starPace(usd / solUsd, moved, STAR_HOUR - completes);
  const waypoints: Waypoint[] = [
    { age: 0, multiple: 1.3, pace: 18 },
    { age: completes, multiple: Math.min(multiple, COMPLETE_MULTIPLE * 1.2), pace },
    { age: STAR_HOUR, multiple, pace },
    { age: 64 * MINUTE, multiple: multiple * dice.between(0.95, 1.1), pace: 4 },
    { age: dice.between(108, 124) * MINUTE, multiple: multiple * dice.between(0.9, 1.15), pace: 3 },
    { age: 150 * MINUTE, multiple: multiple * 0.2, pace: 3 },
    { age: 240 * MINUTE, multiple: multiple * 0.12, pace: 0.3 },
  ];
  return steered({
    waypoints,
    lasting: true,
    volume: { from: completes, until: STAR_HOUR, quote: Math.floor(moved * 1e9) },
  });
}

/** Average share of the pool's quote side moved by a star's trade, and the bounds of its trades a minute. */
const STAR_TRADE_SHARE = 0.134;
const STAR_PACE = { least: 7, most: 60 } as const;

/**
 * Returns the trades a minute that reach a volume with proportionate trades: the cheaper SOL is, the more of it has to move,
 * while the pool's depth √(product × price) grows only with the root. The depth grows exponentially after the migration, so
 * its logarithmic mean is used.
 */
function starPace(marketCapSol: number, volumeSol: number, span: number): number {
  const depth = Math.sqrt((POOL_SEED_TOKENS / TOTAL_SUPPLY) * COMPLETE_REAL_SOL * marketCapSol);
  const growth = Math.log(depth / COMPLETE_REAL_SOL);
  const meanDepth = Math.abs(growth) < 0.01 ? depth : (depth - COMPLETE_REAL_SOL) / growth;
  const trades = volumeSol / (meanDepth * STAR_TRADE_SHARE);
  return Math.min(STAR_PACE.most, Math.max(STAR_PACE.least, trades / (span / MINUTE)));
}

/** Path of a resumed coin: near its last price, with declining trades. */
export function resumedPath(
  dice: Dice,
  now: { age: number; multiple: number; pace: number; lastsFor: number },
): LifePath {
  const waypoints: Waypoint[] = [
    { age: now.age, multiple: now.multiple, pace: now.pace },
    { age: now.age + now.lastsFor / 2, multiple: now.multiple * dice.between(0.92, 1.08), pace: now.pace },
    {
      age: now.age + now.lastsFor,
      multiple: Math.max(1.02, now.multiple * dice.between(0.3, 0.9)),
      pace: now.pace / 5,
    },
  ];
  return steered({ waypoints, lasting: false });
}
