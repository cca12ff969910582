import { buy, type Coin, quoteUnits, sell, tokensWorth } from '../coin/coin.ts';
import { BUY_SIZES } from '../figures.ts';
import type { Dice } from '../random.ts';
import type { World } from '../world/world.ts';

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
export function ordinaryBuy(world: World, coin: Coin, at: number): void {
  const { sol, bot } = buySize(world.dice);
  const wallet = bot ? world.identities.bot() : buyer(world, coin);
  world.trade(coin, buy(coin, wallet, quoteUnits(coin, sol, world.solUsd)), at);
}

/** Buys for about `quote` units. */
export function buyFor(world: World, coin: Coin, at: number, quote: number): void {
  world.trade(coin, buy(coin, buyer(world, coin), Math.floor(quote)), at);
}

/** Sells a share of a random holder's balance. */
export function ordinarySell(world: World, coin: Coin, at: number): void {
  const holder = coin.holders.pick(world.dice);
  if (!holder) return;
  world.trade(coin, sell(coin, holder.wallet, soldPart(world.dice, holder.amount)), at);
}

/** Sells for about `quote` units from a larger holder, at most its balance. */
export function sellFor(world: World, coin: Coin, at: number, quote: number): void {
  const holder = coin.holders.pick(world.dice, SELLER_TRIES);
  if (!holder) return;
  const wanted = tokensWorth(coin, quote);
  // A small rest is sold too.
  const tokens = wanted > holder.amount * 0.8 ? holder.amount : wanted;
  world.trade(coin, sell(coin, holder.wallet, tokens), at);
}

/** Sells a share of one wallet's balance, if any. */
export function walletSells(world: World, coin: Coin, at: number, wallet: string, share: number): void {
  world.trade(coin, sell(coin, wallet, Math.ceil(coin.holders.balanceOf(wallet) * share)), at);
}

function soldPart(dice: Dice, amount: number): number {
  return Math.max(1, Math.floor(amount * dice.pick(SOLD_SHARES)));
}

function buyer(world: World, coin: Coin): string {
  const holder = world.dice.chance(REPEAT_BUYER_SHARE) ? coin.holders.pick(world.dice) : null;
  return holder ? holder.wallet : world.identities.trader();
}
