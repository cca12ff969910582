import { isTooLate } from '../../../../common/strategies/conditions.ts';
import { SECOND } from '../../../../common/time.ts';
import { solToLamports } from '../../../../common/tokens/units.ts';
import type { TradingLimits } from '../../../../common/trading/account.ts';
import {
  accountBytes,
  type ExtraCosts,
  noExtraCosts,
  paperPriorityFee,
  quoteIn,
  rentOf,
  SIGNATURE_FEE_LAMPORTS,
  type TradedMarket,
} from '../../../../common/trading/fills.ts';
import { bookOn, dayOf } from '../../../../common/trading/limits/book.ts';
import { holdRefusal, type LimitedAccount, type PurchaseNeed } from '../../../../common/trading/limits/refusal.ts';
import { type Reason, reason } from '../../../../common/trading/reasons.ts';
import { marketOf, tradeRefusal } from '../../../../common/trading/venue.ts';
import type { CoreAccount, CoreFacts, CorePlan, CorePrice } from './model.ts';
import { type ActivePlan, type Block, type CoreState, deadSince, type TrackedToken, type UserState } from './state.ts';

/**
 * Guards of a purchase by a plan, in the order of their reasons: the user's account, the plan's limits, the market, the money with
 * the locks of protections. A lock is the account's, too, but follows the market: it ends by time, and would hide what keeps the
 * token from being bought after its end.
 */

/** Returns why no token is bought for a user at present; null when one may be. */
export function userRefusal(account: CoreAccount | null, isStoppedForAll: boolean): Reason | null {
  if (account === null || account.mode === null) return reason('trading-off');
  if (isStoppedForAll) return reason('stopped-all');
  if (account.isStopped) return reason('stopped');
  if (!account.isUserActive) return reason('user-inactive');
  if (account.wallet === null) return reason('no-wallet');
  if (account.mode === 'paper') return null;
  if (!account.wallet.hasKey) return reason('no-key');
  // A plan has one order for a token, so none is made for money that may not be there.
  return account.moneyLamports === null ? reason('node-away') : null;
}

/** Returns the refusal of a token that was detected too long before `now` (both epoch ms) for the plan; null otherwise. It is final. */
export function lateRefusal(
  { buyWithinSeconds }: Pick<CorePlan, 'buyWithinSeconds'>,
  detectedAt: number,
  now: number,
): Reason | null {
  if (buyWithinSeconds == null || !isTooLate(buyWithinSeconds, detectedAt, now)) return null;
  return reason('too-late', { ageSeconds: (now - detectedAt) / SECOND, limitSeconds: buyWithinSeconds });
}

/** A token's figures that a plan limits. Liquidity in SOL, risk in percent; null is unknown. */
interface Limited {
  liquidity: number | null;
  risk: number | null;
}

/** Returns the limit of a plan that a token misses; null without one. A whitelisted token may have any risk. As `wouldBuy`. */
function limitRefusal(
  { minLiquidity, maxRisk, buyUnknownRisk }: Pick<CorePlan, 'minLiquidity' | 'maxRisk' | 'buyUnknownRisk'>,
  { liquidity, risk }: Limited,
  isWhitelisted: boolean,
): Reason | null {
  if (minLiquidity !== null && liquidity !== null && liquidity < minLiquidity) {
    const limitLamports = solToLamports(minLiquidity);
    return reason('low-liquidity', { liquidityLamports: solToLamports(liquidity), limitLamports });
  }
  if (!isWhitelisted && maxRisk !== null && risk !== null && risk > maxRisk) {
    return reason('high-risk', { riskPercent: risk, limitPercent: maxRisk });
  }
  if (minLiquidity !== null && liquidity === null) return reason('unknown-liquidity');
  return !isWhitelisted && risk === null && !buyUnknownRisk ? reason('unknown-risk') : null;
}

/** What a token is bought by. */
export interface TokenMarket {
  price: CorePrice | null;
  facts: CoreFacts | null;
  /** Since when its source is not live, epoch ms; 0: it never was; null: it is live. */
  deadSince: number | null;
}

/** Returns where a token can be bought at present; or why no user can buy it. */
function openMarket(
  { price, facts, deadSince }: TokenMarket,
  tradesPools: boolean,
): { ok: true; value: TradedMarket; decimals: number } | { ok: false; reason: Reason } {
  if (deadSince !== null) return { ok: false, reason: reason('stale', deadSince === 0 ? {} : { sinceAt: deadSince }) };
  if (price === null || facts === null) return { ok: false, reason: reason('no-depth') };
  const { reserves, stage, venue } = price;
  const { quote } = facts;
  // Before the depth, which no figures could mend.
  const closed = tradeRefusal({ quote, stage }, tradesPools);
  if (closed) return { ok: false, reason: reason(closed) };
  const market = marketOf({ quote, stage, reserves, reservesVenue: venue });
  if (!market.ok) return market;
  const { virtualQuote, virtualToken, realToken } = market.value.reserves;
  if (facts.decimals === null || Math.min(virtualQuote, virtualToken, realToken) <= 0)
    return { ok: false, reason: reason('no-depth') };
  return { ok: true, value: market.value, decimals: facts.decimals };
}

type Ask = Pick<CorePlan, 'lamports' | 'slippageBps'>;

/**
 * Returns the most that a plan's purchase takes from the wallet now, lamports; or why its size is refused. `rentPerByte`: of the
 * network, lamports; null while it is not known.
 */
function totalAt(
  { lamports, slippageBps }: Ask,
  { value: market, decimals }: { value: TradedMarket; decimals: number },
  { mode, limits }: Pick<CoreAccount, 'mode' | 'limits'>,
  rentPerByte: number | null,
): { ok: true; value: number } | { ok: false; reason: Reason } {
  const ask = { side: 'buy' as const, amount: lamports, slippageBps, decimals };
  const quote = quoteIn(market, ask, mostExtra(mode, limits, rentPerByte));
  return quote.ok ? { ok: true, value: quote.value.totalLamports } : quote;
}

/** Returns the most that a purchase may cost besides its price; only the order knows which accounts exist already. */
function mostExtra(
  mode: CoreAccount['mode'],
  { priorityMaxLamports, tipLamports }: TradingLimits,
  rentPerByte: number | null,
): ExtraCosts {
  const most = mode === 'paper' ? paperPriorityFee(priorityMaxLamports) : priorityMaxLamports;
  const network = { networkFeeLamports: SIGNATURE_FEE_LAMPORTS, priorityFeeLamports: most, tipLamports };
  const accountRentLamports = rentOf(accountBytes.token2022, rentPerByte);
  const volumeRentLamports = rentOf(accountBytes.volume, rentPerByte);
  return { ...noExtraCosts, ...network, accountRentLamports, volumeRentLamports };
}

/** Returns the account of a user as if it reserved the needs of orders on their way that it does not reserve yet. */
function withPending(account: CoreAccount, { pending }: UserState, now: number): LimitedAccount {
  const needs = [...pending.values()].filter(({ isHeld }) => !isHeld);
  if (needs.length === 0) return account;
  const book = bookOn(account.book, dayOf(now));
  const lamports = needs.reduce((sum, { buy }) => sum + buy.lamports, 0);
  const totalLamports = needs.reduce((sum, one) => sum + one.totalLamports, 0);
  return {
    ...account,
    book: {
      ...book,
      usedLamports: book.usedLamports + lamports,
      heldLamports: book.heldLamports + lamports,
      reservedLamports: book.reservedLamports + totalLamports,
      places: [...book.places, ...needs.map(({ buy }) => buy.address)],
      lastBuyAt: needs.reduce((last, { buy }) => Math.max(last, buy.decidedAt), book.lastBuyAt),
    },
  };
}

function moneyRefusal(
  state: CoreState,
  user: UserState,
  account: CoreAccount,
  need: Omit<PurchaseNeed, 'isAutomatic'>,
): Reason | null {
  const { now, isDatabaseAway } = state;
  const refusal = holdRefusal(withPending(account, user, now), { ...need, isAutomatic: true }, now);
  return refusal ?? (isDatabaseAway ? reason('database-away') : null);
}

/** Returns the most that a purchase takes from the wallet, lamports; or the first guard that refuses it at the present step. */
export function needsOf(
  state: CoreState,
  { plan, user }: ActivePlan,
  token: TrackedToken,
  now: number,
): { ok: true; value: number } | { ok: false; reason: Reason } {
  const { account, lists } = user;
  const userReason = userRefusal(account, state.isStoppedForAll);
  if (userReason || account === null) return { ok: false, reason: userReason ?? reason('trading-off') };
  const listed = lists.get(token.address);
  if (listed === 'black') return { ok: false, reason: reason('blacklisted') };
  const late = lateRefusal(plan, token.detectedAt, now);
  if (late) return { ok: false, reason: late };
  const { price, facts, figures, address } = token;
  const limit = limitRefusal(plan, { liquidity: figures.liquidity, risk: facts?.risk ?? null }, listed === 'white');
  if (limit) return { ok: false, reason: limit };
  const market = openMarket({ price, facts, deadSince: deadSince(state, token.source) }, account.tradesPools);
  if (!market.ok) return market;
  const total = totalAt(plan, market, account, state.rentPerByte);
  if (!total.ok) return total;
  const refusal = moneyRefusal(state, user, account, { lamports: plan.lamports, address, totalLamports: total.value });
  return refusal ? { ok: false, reason: refusal } : total;
}

/** Returns whether the account refuses a purchase of the token by every plan. */
export function isBlocked(state: CoreState, user: UserState, address: string): boolean {
  const { held, isHeldRefused, isOtherRefused } = blockOf(state, user);
  return held.has(address) ? isHeldRefused : isOtherRefused;
}

/** Returns which tokens the account refuses at the present step. */
export function blockOf(state: CoreState, user: UserState): Block {
  if (user.block === null) {
    const isOtherRefused = refusesAll(state, user, '');
    const ordered = [...user.pending.values()].map(({ buy }) => buy.address);
    const held = new Set([...(user.account?.book.places ?? []), ...ordered]);
    user.block = { held, isOtherRefused, isHeldRefused: isOtherRefused && refusesAll(state, user, null) };
  }
  return user.block;
}

/** `address`: null for a token that needs no place. */
function refusesAll(state: CoreState, user: UserState, address: string | null): boolean {
  const { account } = user;
  if (account === null || userRefusal(account, state.isStoppedForAll)) return true;
  const own = state.plans.ofUser(user.id);
  const lamports = own.reduce((least, { plan }) => Math.min(least, plan.lamports), Number.MAX_SAFE_INTEGER);
  return moneyRefusal(state, user, account, { lamports, address, totalLamports: lamports }) !== null;
}
