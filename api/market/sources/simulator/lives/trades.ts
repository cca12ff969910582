import { type Coin, quoteUnits, tokensWorth } from '../coin/coin.ts';
import { BUY_SIZES } from '../figures.ts';
import type { Dice } from '../random.ts';
import type { TradingFloor } from '../world/floor.ts';

/** Share of buys by a wallet that already holds the coin. */
const REPEAT_BUYER_SHARE = 0.15;
/** Shares of their balance that sellers sell; most sell all. */
const SOLD_SHARES = [1, 1, 1, 0.75, 0.5, 0.5, 0.25] as const;
/** Random holders among which the largest becomes the seller. */
const SELLER_TRIES = 4;

/** Returns the net SOL of an ordinary buy, and whether the buyer is a bot. */
export function buySize(dice: Dice): { sol: number; bot: boolean } {
  if (dice.chance(BUY_SIZES.botShare)) {
    return { sol: dice.between(BUY_SIZES.botSol.from, BUY_SIZES.botSol.to), bot: true };
  }
  return { sol: Math.min(BUY_SIZES.maxSol, dice.logNormal(BUY_SIZES.medianSol, BUY_SIZES.sigma)), bot: false };
}

/** Buys an ordinary amount. */
export function ordinaryBuy(floor: TradingFloor, coin: Coin, at: number): void {
  const { sol, bot } = buySize(floor.dice);
  const wallet = bot ? floor.identities.bot() : buyer(floor, coin);
  floor.buy(coin, wallet, quoteUnits(coin, sol, floor.solUsd), at);
}

/** Buys for about `quote` units. */
export function buyFor(floor: TradingFloor, coin: Coin, at: number, quote: number): void {
  floor.buy(coin, buyer(floor, coin), Math.floor(quote), at);
}

/** Sells a share of a random holder's balance. */
export function ordinarySell(floor: TradingFloor, coin: Coin, at: number): void {
  const holder = coin.holders.pick(floor.dice);
  if (!holder) return;
  floor.sell(coin, holder.wallet, soldPart(floor.dice, holder.amount), at);
}

/** Sells for about `quote` units from a larger holder, at most its balance. */
export function sellFor(floor: TradingFloor, coin: Coin, at: number, quote: number): void {
  const holder = coin.holders.pick(floor.dice, SELLER_TRIES);
  if (!holder) return;
  const wanted = tokensWorth(coin, quote);
  // A small rest is sold too.
  const tokens = wanted > holder.amount * 0.8 ? holder.amount : wanted;
  floor.sell(coin, holder.wallet, tokens, at);
}

function soldPart(dice: Dice, amount: number): number {
  return Math.max(1, Math.floor(amount * dice.pick(SOLD_SHARES)));
}

function buyer(floor: TradingFloor, coin: Coin): string {
  const holder = floor.dice.chance(REPEAT_BUYER_SHARE) ? coin.holders.pick(floor.dice) : null;
  return holder ? holder.wallet : floor.identities.trader();
}
