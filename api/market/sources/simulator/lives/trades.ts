import { buy, type Coin, quoteUnits, sell, tokensWorth } from '../coin/coin.ts';
import { BUY_SIZES } from '../figures.ts';
import type { Dice } from '../random.ts';
import type { World } from '../world/world.ts';

/** Share of buys by a wallet that already holds the coin. */
const REPEAT_BUYER_SHARE = 0.15;
/** What sellers part with, as a share of their bag; most sell all. */
const SOLD_SHARES = [1, 1, 1, 0.75, 0.5, 0.5, 0.25] as const;
/** A coin's second to last buyers are the ones that move fast: how many holders a seller is chosen from. */
const SELLER_TRIES = 4;

/** Net SOL of an ordinary buy, and whether a bot makes it. */
export function buySize(dice: Dice): { sol: number; bot: boolean } {
  if (dice.chance(BUY_SIZES.botShare)) {
    return { sol: dice.between(BUY_SIZES.botSol.from, BUY_SIZES.botSol.to), bot: true };
  }
  return { sol: Math.min(BUY_SIZES.maxSol, dice.logNormal(BUY_SIZES.medianSol, BUY_SIZES.sigma)), bot: false };
}

/** Somebody buys an ordinary amount. */
export function ordinaryBuy(world: World, coin: Coin, at: number): void {
  const { sol, bot } = buySize(world.dice);
  const wallet = bot ? world.identities.bot() : buyer(world, coin);
  world.trade(coin, buy(coin, wallet, quoteUnits(coin, sol, world.solUsd)), at);
}

/** Somebody buys for about `quote` units. */
export function buyFor(world: World, coin: Coin, at: number, quote: number): void {
  world.trade(coin, buy(coin, buyer(world, coin), Math.floor(quote)), at);
}

/** Some holder sells a share of its bag. */
export function ordinarySell(world: World, coin: Coin, at: number): void {
  const holder = coin.holders.pick(world.dice);
  if (!holder) return;
  world.trade(coin, sell(coin, holder.wallet, soldPart(world.dice, holder.amount)), at);
}

/** A larger holder sells for about `quote` units, or all it has. */
export function sellFor(world: World, coin: Coin, at: number, quote: number): void {
  const holder = coin.holders.pick(world.dice, SELLER_TRIES);
  if (!holder) return;
  const wanted = tokensWorth(coin, quote);
  // Nobody leaves a rest that is worth nothing.
  const tokens = wanted > holder.amount * 0.8 ? holder.amount : wanted;
  world.trade(coin, sell(coin, holder.wallet, tokens), at);
}

/** One wallet sells a share of its bag; nothing happens when it holds none. */
export function walletSells(world: World, coin: Coin, at: number, wallet: string, share: number): void {
  world.trade(coin, sell(coin, wallet, Math.ceil(coin.holders.holds(wallet) * share)), at);
}

function soldPart(dice: Dice, amount: number): number {
  return Math.max(1, Math.floor(amount * dice.pick(SOLD_SHARES)));
}

function buyer(world: World, coin: Coin): string {
  const again = world.dice.chance(REPEAT_BUYER_SHARE) ? coin.holders.pick(world.dice) : null;
  // Creators do not prop up their own coins here: what they hold is what they bought first.
  return again && again.wallet !== coin.creator ? again.wallet : world.identities.trader();
}
