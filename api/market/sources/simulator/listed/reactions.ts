import { SECOND } from '../../../../../common/time.ts';
import type { Coin } from '../coin/coin.ts';
import { buyFor, sellFor } from '../lives/trades.ts';
import type { Dice } from '../random.ts';
import type { TradingFloor } from '../world/floor.ts';

/** Trades that follow one of a wallet outside: their number, their delay, and their size as a share of it. Estimates. */
const REACTIONS = { most: 3, after: { from: SECOND, to: 9 * SECOND }, size: { from: 0.1, to: 0.5 } } as const;
/** Share of purchases among them: some follow a purchase, others take their profit; some buy after a sale. */
const REACTION_BUYS = { buy: 0.5, sell: 0.55 } as const;
const MOST_REACTIONS = 8;
interface Reaction {
  /** Epoch ms. */
  at: number;
  side: 'buy' | 'sell';
  quote: number;
}

/** Creates the simulated trades that follow one from outside, as others see the price move. */
export function createReactions(dice: Dice) {
  let reactions: Reaction[] = [];
  return {
    add({ side, quoteAmount }: { side: 'buy' | 'sell'; quoteAmount: number }, now: number): void {
      for (let left = dice.whole(1, REACTIONS.most); left > 0 && reactions.length < MOST_REACTIONS; left -= 1) {
        reactions.push({
          at: now + dice.between(REACTIONS.after.from, REACTIONS.after.to),
          side: dice.chance(REACTION_BUYS[side]) ? 'buy' : 'sell',
          quote: quoteAmount * dice.between(REACTIONS.size.from, REACTIONS.size.to),
        });
      }
    },
    /** Makes the due ones. */
    advance(floor: TradingFloor, coin: Coin, now: number): void {
      if (reactions.length === 0) return;
      for (const { side, quote } of reactions.filter(({ at }) => at <= now)) {
        // The holders of a coin of an earlier run are unknown, so there may be no seller.
        if (side === 'buy' || coin.holders.pick(dice) === null) buyFor(floor, coin, now, quote);
        else sellFor(floor, coin, now, quote);
      }
      reactions = reactions.filter(({ at }) => at > now);
    },
    clear(): void {
      reactions = [];
    },
  };
}
