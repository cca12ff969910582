import { COPY_ODDS, FATES_BY_HABIT, STAKE_ODDS } from '../figures.ts';
import type { Dice } from '../random.ts';
import type { Habit } from '../world/creators.ts';

/** Ordinary fates, see `FATES_BY_HABIT`. */
export type OrdinaryFate = keyof typeof COPY_ODDS;

/** What becomes of a coin: an ordinary fate, or one that is scheduled so that the lists are never empty. */
export type Fate = OrdinaryFate | 'climber' | 'star';

/** What the odds of a launch depend on. */
interface Prospects {
  habit: Habit;
  /** True for a copy of another launch's symbol. */
  copied: boolean;
  /** Net SOL of the developer's first buy. */
  firstBuy: number;
}

const ORDINARY = ['dead', 'dump', 'hype', 'fade', 'graduate'] as const satisfies readonly OrdinaryFate[];
const EVEN_ODDS = { dead: 1, dump: 1, hype: 1, fade: 1, graduate: 1 } as const;

/** Draws the fate of a launch. */
export function drawFate(dice: Dice, { habit, copied, firstBuy }: Prospects): OrdinaryFate {
  const shares = FATES_BY_HABIT[habit];
  const copyOdds = copied ? COPY_ODDS : EVEN_ODDS;
  const stakeOdds = oddsOfStake(firstBuy);
  const weights = ORDINARY.map((fate) => shares[fate] * copyOdds[fate] * stakeOdds[fate]);
  let place = dice.next() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [i, fate] of ORDINARY.entries()) {
    place -= weights[i] ?? 0;
    if (place < 0) return fate;
  }
  return 'graduate';
}

function oddsOfStake(firstBuy: number): Record<OrdinaryFate, number> {
  const { small, large } = STAKE_ODDS;
  if (firstBuy < small.belowSol) return small.odds;
  return firstBuy >= large.fromSol ? large.odds : EVEN_ODDS;
}
