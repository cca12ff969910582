import { MINUTE, SECOND } from '../../../../../common/time.ts';
import { slotsIn } from '../../../../chain/slots.ts';
import { type Coin, quoteUnits } from '../coin/coin.ts';
import { CURVE_START, TOTAL_SUPPLY } from '../coin/curve.ts';
import { BUNDLES, EARLY_EXITS, SNIPERS } from '../figures.ts';
import type { Dice } from '../random.ts';
import type { World } from '../world/world.ts';
import type { Fate } from './fates.ts';

/** Launch as its first buyers see it. Times are epoch ms. */
export interface Opening {
  fate: Fate;
  at: number;
  /** Net SOL of the developer's first buy. */
  firstBuy: number;
  /** Time of the insiders' exit; null for a coin that is not dumped. */
  exitAt: number | null;
}

/** Share of developers who sell, and the ages between which they begin, ms. Estimates. */
const DEVELOPER_LEAVES = {
  hype: { share: 0.6, from: 3 * MINUTE, to: 20 * MINUTE },
  fade: { share: 0.5, from: 4 * MINUTE, to: 45 * MINUTE },
  graduate: { share: 0.6, from: 20 * MINUTE, to: 180 * MINUTE },
  climber: { share: 1, from: 25 * MINUTE, to: 65 * MINUTE },
  star: { share: 0.3, from: 70 * MINUTE, to: 140 * MINUTE },
} as const;
/** Developers of coins without interest sell what they bought soon. */
const DEAD_LEAVES = { share: 0.65, after: 3 * SECOND, mean: MINUTE } as const;
/** Gap between partial sales of an honest developer, ms. */
const PROFIT_GAP = { from: 30 * SECOND, to: 4 * MINUTE } as const;
/** Gap between the sales of one leaving wallet, and the spread of a bundle's exits around the planned time, ms. */
const EXIT_GAP = { from: SECOND, to: 12 * SECOND } as const;
const EXIT_SPREAD = [2 * SECOND, 2 * SECOND, 20 * SECOND, 60 * SECOND] as const;
/** Mean age of an honest coin when its insiders sell, ms. */
const FRIENDS_STAY = 25 * MINUTE;

/** Draws the time from a launch to the sale of its first buyers, ms. */
export function earlyExit(dice: Dice): number {
  const { medianMs, sigma, mostMs } = EARLY_EXITS;
  return Math.min(mostMs, 3 * SECOND + dice.logNormal(medianMs, sigma));
}

/** Time after a launch in which the circle and bots buy, ms: no stranger is as fast. */
const FIRST_BUYS_MS = 800;

/** Lets the developer's circle buy in the first slots and plans all their sales, then lets outside bots snipe the launch. */
export function openTrading(world: World, coin: Coin, opening: Opening): void {
  const bundled = world.dice.chance(bundleShare(opening));
  if (bundled) buyBundle(world, coin, opening);
  planDeveloper(world, coin, opening, bundled);
  snipe(world, coin, opening);
}

function bundleShare({ fate, firstBuy }: Opening): number {
  const { dumps, others } = BUNDLES;
  switch (fate) {
    case 'dump':
      return firstBuy < dumps.smallSol ? dumps.small : dumps.large;
    case 'climber':
    case 'star':
      return 0;
    default:
      return others[fate];
  }
}

function buyBundle(world: World, coin: Coin, opening: Opening): void {
  const { dice, identities, slotMs } = world;
  const isDump = opening.fate === 'dump';
  const { supply, inCreationSlot, equalSizes } = BUNDLES;
  const wallets = isDump ? dice.whole(2, 8) : dice.whole(1, 3);
  const bought = Math.min(supply.most, dice.logNormal(isDump ? supply.dump : supply.others, supply.sigma));
  const each = quoteForShare(bought) / wallets;
  const isEqual = dice.chance(equalSizes);
  const isSameSlot = dice.chance(inCreationSlot);
  const funder = drawFunder(world, coin, isDump);
  const spread = dice.pick(EXIT_SPREAD);
  for (let i = 0; i < wallets; i += 1) {
    const wallet = funder === null ? identities.trader() : identities.address();
    if (funder !== null) coin.funders.set(wallet, funder);
    const sol = isEqual ? each : each * dice.logNormal(1, 0.4);
    const slots = isSameSlot ? 0 : dice.whole(1, slotsIn(FIRST_BUYS_MS, slotMs));
    const leavesAt = opening.exitAt ?? opening.at + 2 * MINUTE + dice.exponential(FRIENDS_STAY);
    earlyBuy(world, coin, {
      wallet,
      sol,
      at: opening.at + slots * slotMs,
      leavesAt: leavesAt + dice.between(0, spread),
    });
  }
}

/** Returns the wallet that funded a bundle's wallets; null when they are ordinary ones. */
function drawFunder(world: World, coin: Coin, isDump: boolean): string | null {
  const { fundedByDeveloper, fundedByOneWallet } = BUNDLES;
  const place = world.dice.next();
  const byDeveloper = isDump ? fundedByDeveloper.dump : fundedByDeveloper.others;
  if (place < byDeveloper) return coin.developer;
  return place < byDeveloper + fundedByOneWallet ? world.identities.address() : null;
}

/** Returns the SOL that buys this share of the supply, 0–1, at the start of a standard curve. */
function quoteForShare(share: number): number {
  const tokens = share * TOTAL_SUPPLY;
  return (tokens * CURVE_START.virtualQuote) / (CURVE_START.virtualToken - tokens) / 1e9;
}

/** Buys at once or some slots after the creation, and plans the sale of it all. */
function earlyBuy(world: World, coin: Coin, plan: { wallet: string; sol: number; at: number; leavesAt: number }): void {
  coin.holders.plan(plan.wallet);
  const enter = (at: number): void => {
    world.plannedBuy(coin, plan.wallet, quoteUnits(coin, plan.sol, world.solUsd), at);
  };
  if (plan.at === coin.createdAt) enter(plan.at);
  else world.scheduleForCoin(plan.at, enter);
  leave(world, coin, plan.wallet, Math.max(plan.leavesAt, plan.at + SECOND));
}

/** Sells everything, mostly in one or two sales. */
function leave(world: World, coin: Coin, wallet: string, at: number): void {
  const { dice } = world;
  const place = dice.next();
  const { oneSale, twoSales } = EARLY_EXITS;
  const fewer = place < oneSale + twoSales ? 2 : dice.whole(3, 5);
  sellInParts(world, coin, wallet, { at, parts: place < oneSale ? 1 : fewer, gap: EXIT_GAP });
}

function sellInParts(
  world: World,
  coin: Coin,
  wallet: string,
  plan: { at: number; parts: number; gap: { from: number; to: number } },
): void {
  let when = plan.at;
  for (let left = plan.parts; left > 0; left -= 1) {
    const share = 1 / left;
    world.scheduleForCoin(when, (at) => world.plannedSale(coin, wallet, share, at));
    when += world.dice.between(plan.gap.from, plan.gap.to);
  }
}

function planDeveloper(world: World, coin: Coin, opening: Opening, bundled: boolean): void {
  const { dice } = world;
  const { fate, at, exitAt } = opening;
  if (opening.firstBuy <= 0) return;
  if (exitAt !== null) {
    if (!(bundled && dice.chance(BUNDLES.developerStays))) leave(world, coin, coin.developer, exitAt);
    return;
  }
  if (fate === 'dead') {
    if (!dice.chance(DEAD_LEAVES.share)) return;
    leave(world, coin, coin.developer, at + DEAD_LEAVES.after + dice.exponential(DEAD_LEAVES.mean));
    return;
  }
  if (fate === 'dump') return;
  const plan = DEVELOPER_LEAVES[fate];
  if (!dice.chance(plan.share)) return;
  const begin = at + dice.between(plan.from, plan.to);
  sellInParts(world, coin, coin.developer, { at: begin, parts: dice.whole(1, 3), gap: PROFIT_GAP });
}

/** Lets outside bots buy in the slot of the creation, or within 0.8 s after it, and plans their sales. */
function snipe(world: World, coin: Coin, { fate, at }: Opening): void {
  const { dice, identities, slotMs } = world;
  const { most, mostSol } = fate === 'climber' || fate === 'star' ? SNIPERS.scheduled : SNIPERS.ordinary;
  const inSlot = dice.chance(SNIPERS.share) ? Math.min(most, dice.geometric(SNIPERS.mean)) : 0;
  const later = dice.chance(SNIPERS.laterShare) ? 1 : 0;
  for (let i = 0; i < inSlot + later; i += 1) {
    const slots = i < inSlot ? 0 : dice.whole(1, slotsIn(FIRST_BUYS_MS, slotMs));
    earlyBuy(world, coin, {
      wallet: identities.bot(),
      sol: Math.min(mostSol, dice.logNormal(SNIPERS.medianSol, SNIPERS.sigma)),
      at: at + slots * slotMs,
      leavesAt: at + earlyExit(dice),
    });
  }
}
