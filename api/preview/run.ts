import { setImmediate as nextTurn } from 'node:timers/promises';
import { changePercent } from '../../common/percent-change.ts';
import type { BuyPlan } from '../../common/strategies/conditions.ts';
import { firstBuy } from '../../common/strategies/first-buy.ts';
import { type HistoryPoint, lastAt } from '../../common/strategies/history.ts';
import type { Preview, WouldBuy } from '../../common/strategies/preview.ts';
import { nameIsMissing, symbolIsMissing } from '../../common/tokens/names.ts';
import { roundSignificant } from '../../common/tokens/units.ts';
import type { Exits } from '../../common/trading/account.ts';
import { exitsAlong } from '../../common/trading/exits.ts';
import type { Paths, TokenPath } from './paths.ts';

/** Limit of listed purchases. */
const MAX_BUYS = 50;
/** Points evaluated before the event loop turns: a few ms, even for four conditions over hours. */
const POINTS_PER_TURN = 2000;

/** A user's lists that affect purchases. */
export interface Lists {
  white: ReadonlySet<string>;
  black: ReadonlySet<string>;
}

interface Purchase {
  path: TokenPath;
  at: number;
}

/**
 * Simulates the purchases of a plan along the paths, without blacklisted tokens. The current risk of a token is used for every
 * moment, since earlier ones are not stored; holders are those of each sample. Throws the reason of `signal` once aborted.
 */
export async function runPreview(
  paths: Paths,
  plan: BuyPlan,
  { exits, lists, signal }: { exits: Exits; lists: Lists; signal: AbortSignal },
): Promise<Preview> {
  const purchases: Purchase[] = [];
  let checked = 0;
  let unknown = 0;
  let points = 0;
  for (const path of paths.tokens) {
    points += path.history.points.length;
    if (points > POINTS_PER_TURN) {
      points = 0;
      await nextTurn();
      signal.throwIfAborted();
    }
    if (lists.black.has(path.address)) continue;
    checked += 1;
    const listed = lists.white.has(path.address) ? 'white' : null;
    const bought = firstBuy(plan, { risk: path.risk, listed, bought: false }, path.history, paths.to);
    if (bought.at !== null) purchases.push({ path, at: bought.at });
    else if (bought.unknown) unknown += 1;
  }
  purchases.sort((a, b) => b.at - a.at);
  return {
    total: purchases.length,
    buys: purchases.slice(0, MAX_BUYS).map((purchase) => presentBuy(purchase, exits)),
    checked,
    leftOut: paths.leftOut,
    unknown,
    from: iso(paths.from),
    to: iso(paths.to),
  };
}

/** A purchase pays the current price, or the first known price after it. */
function presentBuy({ path, at }: Purchase, exits: Exits): WouldBuy {
  const { address, name, symbol, history } = path;
  const since = history.points.slice(Math.max(0, lastAt(history.points, at)));
  const paidFrom = since.findIndex(({ price }) => isPrice(price));
  const paid = since[paidFrom]?.price ?? null;
  const later = paidFrom < 0 ? [] : since.slice(paidFrom);
  const priceNow = history.points.at(-1)?.price ?? null;
  return {
    address,
    name: nameIsMissing(name) ? null : name,
    symbol: symbolIsMissing(symbol) ? null : symbol,
    at: iso(at),
    price: rounded(paid),
    priceNow: rounded(priceNow),
    ...(paid === null ? unpriced : outcome({ paid, openedAt: at }, priceNow, later, exits)),
  };
}

const unpriced = { change: null, best: null, worst: null, sold: null } as const;

function outcome(
  { paid, openedAt }: { paid: number; openedAt: number },
  priceNow: number | null,
  later: readonly HistoryPoint[],
  exits: Exits,
) {
  // A purchase needs a price above 0, but the price may fall to 0 afterwards.
  const prices = later.flatMap(({ price }) => (price === null ? [] : [price]));
  const change = (price: number) => roundSignificant(changePercent(paid, price));
  // Not Math.max(...prices): a spread of thousands of values exceeds the limit of arguments.
  const best = prices.reduce((high, price) => Math.max(high, price), paid);
  const worst = prices.reduce((low, price) => Math.min(low, price), paid);
  const sold = exitsAlong(exits, { entryPrice: paid, openedAt }, later).find(
    ({ sharePercent }) => sharePercent === 100,
  );
  return {
    change: priceNow === null ? null : change(priceNow),
    best: change(best),
    worst: change(worst),
    sold: sold
      ? { by: sold.kind, at: iso(sold.at), change: sold.change === null ? null : roundSignificant(sold.change) }
      : null,
  };
}

function isPrice(price: number | null): price is number {
  return price !== null && price > 0;
}

function rounded(price: number | null): number | null {
  return price === null ? null : roundSignificant(price);
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
