import { type Coin, multipleOf, quoteUnits } from '../coin/coin.ts';
import { BUY_SHARE } from '../figures.ts';
import type { LifePath, TradingFloor } from '../world/floor.ts';
import { buyFor, buySize, ordinaryBuy, sellFor } from './trades.ts';

/** Target price at an age; price and pace of trades move exponentially between two points. */
export interface Waypoint {
  /** Age of the coin, ms. */
  age: number;
  /** Price as a multiple of the curve's start. */
  multiple: number;
  /** Trades a minute. */
  pace: number;
}

/** Volume to reach by an age, quote units; the size of trades follows the missing volume. */
interface VolumePlan {
  from: number;
  until: number;
  quote: number;
}

export interface Course {
  waypoints: readonly Waypoint[];
  volume?: VolumePlan;
  lasting: boolean;
}

/** Delay between checks of a coin that waits for its pool, and the longest silence of a trading coin, ms. */
const MIGRATION_WAIT = 1_000;
const LONGEST_SILENCE = 180_000;
/** Influence of the distance to the course: more buyers below it, more sellers above. */
const PULL = { curve: 1.6, planned: 3 } as const;
/** Largest share of the quote side that a trade moves: towards the course, and against it. */
const LARGEST_TRADE = 0.12;
const LARGEST_STRAY = 0.025;

/** Creates a path whose trades move the price along a course. */
export function steered(course: Course): LifePath {
  return {
    lasting: course.lasting,
    step(floor, coin, at) {
      const age = at - coin.createdAt;
      const here = courseAt(course.waypoints, age);
      if (!here) return null;
      if (coin.stage === 'complete') return MIGRATION_WAIT;
      steer(floor, coin, at, { ...here, volume: course.volume, age });
      return Math.min(LONGEST_SILENCE, 100 + floor.dice.exponential(60_000 / here.pace));
    },
  };
}

/** Returns target and pace at an age; null past the end. */
function courseAt(waypoints: readonly Waypoint[], age: number): { multiple: number; pace: number } | null {
  let before = waypoints[0];
  for (const point of waypoints) {
    if (before && age <= point.age) {
      const span = point.age - before.age;
      const way = span > 0 ? Math.max(0, (age - before.age) / span) : 0;
      return {
        multiple: before.multiple * (point.multiple / before.multiple) ** way,
        pace: before.pace * (point.pace / before.pace) ** way,
      };
    }
    before = point;
  }
  return null;
}

interface Aim {
  multiple: number;
  pace: number;
  age: number;
  volume: VolumePlan | undefined;
}

function steer(floor: TradingFloor, coin: Coin, at: number, aim: Aim): void {
  const { dice } = floor;
  const gap = Math.log(aim.multiple / multipleOf(coin));
  const planned = plannedSize(coin, aim);
  const pull = planned === null ? PULL.curve : PULL.planned;
  const buying = dice.chance(Math.min(0.94, Math.max(0.08, (planned === null ? BUY_SHARE : 0.5) + gap * pull)));
  if (planned === null && buying && Math.abs(gap) < 0.03) {
    ordinaryBuy(floor, coin, at);
    return;
  }
  const depth = coin.reserves.virtualQuote;
  const wanted =
    planned === null
      ? quoteUnits(coin, buySize(dice).sol, floor.solUsd)
      : Math.max(depth * 0.003, planned * dice.logNormal(0.88, 0.5));
  const quote = Math.floor(
    sized(wanted, { depth, gap, buying, planned: planned !== null, luck: dice.between(0.05, 0.35) }),
  );
  if (buying) buyFor(floor, coin, at, quote);
  else sellFor(floor, coin, at, quote);
}

/** Returns the quote of a trade: towards the course at least a part of the gap (√price moves with the quote side), against it little. */
function sized(
  wanted: number,
  now: { depth: number; gap: number; buying: boolean; planned: boolean; luck: number },
): number {
  const most = now.depth * LARGEST_TRADE;
  const towards = now.buying === now.gap > 0;
  if (towards) return Math.min(most, Math.max(wanted, now.depth * Math.abs(Math.exp(now.gap / 2) - 1) * now.luck));
  return Math.min(wanted, now.planned ? most : now.depth * LARGEST_STRAY);
}

/** Returns the average size of the remaining trades for the planned volume; null without a plan at this age. */
function plannedSize(coin: Coin, aim: Aim): number | null {
  const plan = aim.volume;
  if (!plan || aim.age < plan.from || aim.age > plan.until || coin.stage !== 'pool') return null;
  const trades = Math.max(1, ((plan.until - aim.age) / 60_000) * aim.pace);
  return Math.max(0, plan.quote - coin.volume) / trades;
}
