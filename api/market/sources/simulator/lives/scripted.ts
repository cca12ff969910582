import type { Coin } from '../coin/coin.ts';
import { BUY_SHARE } from '../figures.ts';
import type { Dice } from '../random.ts';
import type { LifePath, TradingFloor } from '../world/floor.ts';
import { ordinaryBuy, ordinarySell } from './trades.ts';

type Act = (floor: TradingFloor, coin: Coin, at: number) => void;
interface Cue {
  /** ms after the path began. */
  after: number;
  act: Act;
}

/** Path of fixed cues; the coin is dead after the last one. */
function follow(cues: readonly Cue[]): LifePath {
  const left = cues.toSorted((a, b) => b.after - a.after);
  let elapsed = 0;
  return {
    lasting: false,
    step(floor, coin, at) {
      const cue = left.at(-1);
      if (!cue) return null;
      if (cue.after > elapsed) {
        const wait = cue.after - elapsed;
        elapsed = cue.after;
        return wait;
      }
      left.pop();
      cue.act(floor, coin, at);
      const next = left.at(-1);
      return next ? 0 : null;
    },
  };
}

/** Path without interest: at most two outside buys besides bots. */
export function deadOnArrival(dice: Dice): LifePath {
  const cues: Cue[] = [];
  for (let buys = dice.whole(0, 2); buys > 0; buys -= 1)
    cues.push({ after: dice.between(500, 40_000), act: ordinaryBuy });
  if (dice.chance(0.3)) cues.push({ after: 20_000 + dice.exponential(120_000), act: ordinarySell });
  return follow(cues);
}

/** Path of a quick rug: buyers arrive until the insiders leave after `exitAfter` ms, and the others flee. */
export function dump(dice: Dice, exitAfter: number): LifePath {
  const cues: Cue[] = [];
  const trades = 2 + Math.floor((exitAfter / 1_000) * dice.between(0.03, 0.25));
  for (let i = 0; i < trades; i += 1) {
    const act = dice.chance(0.8) ? ordinaryBuy : ordinarySell;
    cues.push({ after: dice.between(400, exitAfter), act });
  }
  for (let i = Math.ceil(trades * 0.7); i > 0; i -= 1) {
    cues.push({ after: exitAfter + 400 + dice.exponential(30_000), act: ordinarySell });
  }
  // Small late trades keep dead coins looking alive.
  for (let i = dice.whole(0, 3); i > 0; i -= 1) {
    cues.push({
      after: exitAfter + dice.exponential(400_000),
      act: dice.chance(BUY_SHARE) ? ordinaryBuy : ordinarySell,
    });
  }
  return follow(cues);
}
