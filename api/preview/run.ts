import { setImmediate as nextTurn } from 'node:timers/promises';
import { changePercent } from '../../common/percent-change.ts';
import type { BuyPlan, Candidate } from '../../common/strategies/conditions.ts';
import { firstBuy } from '../../common/strategies/first-buy.ts';
import type { HistoryPoint } from '../../common/strategies/history.ts';
import type { Preview, WouldBuy } from '../../common/strategies/preview.ts';
import { iso } from '../../common/time.ts';
import { nameIsMissing, symbolIsMissing } from '../../common/tokens/names.ts';
import { roundedOrNull, roundSignificant } from '../../common/tokens/units.ts';
import { outcomeOf, type PreviewOrders, type PurchaseOutcome } from './outcome.ts';
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

/** A purchase of a path at a time (epoch ms), with what became of it. */
interface Purchase {
  path: TokenPath;
  at: number;
  outcome: PurchaseOutcome;
}

/** What a preview counts besides its purchases. */
interface Counts {
  checked: number;
  unknown: number;
  tooLarge: number;
  refusedByRisk: number;
}

export interface PreviewTask {
  orders: PreviewOrders;
  lists: Lists;
  signal: AbortSignal;
}

/**
 * Simulates the purchases of a plan along the paths, without blacklisted tokens. The current risk of a token is used for every
 * moment, since earlier ones are not stored; holders are those of each sample. Throws the reason of `signal` once aborted.
 */
export async function runPreview(
  paths: Paths,
  plan: BuyPlan,
  { orders, lists, signal }: PreviewTask,
): Promise<Preview> {
  const purchases: Purchase[] = [];
  const counts: Counts = { checked: 0, unknown: 0, tooLarge: 0, refusedByRisk: 0 };
  let points = 0;
  for (const path of paths.tokens) {
    points += path.history.points.length;
    if (points > POINTS_PER_TURN) {
      points = 0;
      await nextTurn();
      signal.throwIfAborted();
    }
    if (lists.black.has(path.address)) continue;
    counts.checked += 1;
    const token = { risk: path.risk, listed: lists.white.has(path.address) ? 'white' : null, bought: false } as const;
    const bought = firstBuy(plan, token, path.history, paths.to);
    if (bought.at === null) {
      if (bought.unknown) counts.unknown += 1;
      if (isRefusedByRisk(plan, token, path, paths.to)) counts.refusedByRisk += 1;
      continue;
    }
    const outcome = outcomeOf(path, { at: bought.at, until: paths.to }, orders);
    if (outcome === 'too-large') counts.tooLarge += 1;
    else purchases.push({ path, at: bought.at, outcome });
  }
  purchases.sort((a, b) => b.at - a.at);
  return {
    total: purchases.length,
    buys: purchases.slice(0, MAX_BUYS).map(presentBuy),
    ...counts,
    ...moneyOf(purchases),
    leftOut: paths.leftOut,
    from: iso(paths.from),
    to: iso(paths.to),
  };
}

/** Returns whether a token that is not bought would be, if its present risk were low enough. */
function isRefusedByRisk(plan: BuyPlan, token: Candidate, { history }: TokenPath, until: number): boolean {
  const { maxScamProbability = null, buyUnknownRisk } = plan;
  const isTooHigh = token.risk !== null && maxScamProbability !== null && token.risk > maxScamProbability;
  const isUnknown = token.risk === null && !buyUnknownRisk;
  if (token.listed === 'white' || !(isTooHigh || isUnknown)) return false;
  const anyRisk = { ...plan, maxScamProbability: null, buyUnknownRisk: true };
  return firstBuy(anyRisk, token, history, until).at !== null;
}

function moneyOf(purchases: readonly Purchase[]): Pick<Preview, 'uncomputed' | 'sums'> {
  const computed = purchases.flatMap(({ outcome: { money } }) => money ?? []);
  const sum = (name: 'resultLamports' | 'feesLamports' | 'rentLamports') =>
    computed.reduce((total, money) => total + money[name], 0);
  return {
    uncomputed: purchases.length - computed.length,
    sums: {
      resultLamports: sum('resultLamports'),
      feesLamports: sum('feesLamports'),
      rentLamports: sum('rentLamports'),
    },
  };
}

function presentBuy({ path, at, outcome: { since, paid, sold, money } }: Purchase): WouldBuy {
  const { address, name, symbol, history } = path;
  const priceNow = history.points.at(-1)?.price ?? null;
  return {
    address,
    name: nameIsMissing(name) ? null : name,
    symbol: symbolIsMissing(symbol) ? null : symbol,
    at: iso(at),
    price: roundedOrNull(paid),
    priceNow: roundedOrNull(priceNow),
    ...(paid === null ? unpriced : changes(paid, priceNow, since)),
    sold: sold && { by: sold.kind, at: iso(sold.at), change: roundedOrNull(sold.change) },
    feesLamports: money?.feesLamports ?? null,
    resultLamports: money?.resultLamports ?? null,
  };
}

const unpriced = { change: null, best: null, worst: null } as const;

function changes(paid: number, priceNow: number | null, since: readonly HistoryPoint[]) {
  // A purchase needs a price above 0, but the price may fall to 0 afterwards.
  const prices = since.flatMap(({ price }) => (price === null ? [] : [price]));
  const change = (price: number) => roundSignificant(changePercent(paid, price));
  // Not Math.max(...prices): a spread of thousands of values exceeds the limit of arguments.
  const best = prices.reduce((high, price) => Math.max(high, price), paid);
  const worst = prices.reduce((low, price) => Math.min(low, price), paid);
  return { change: priceNow === null ? null : change(priceNow), best: change(best), worst: change(worst) };
}
