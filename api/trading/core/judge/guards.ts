import { isTooLate } from '../../../../common/strategies/conditions.ts';
import { DAY, SECOND } from '../../../../common/time.ts';
import { solToLamports } from '../../../../common/tokens/units.ts';
import type { TradingLimits } from '../../../../common/trading/account.ts';
import { BPS } from '../../../../common/trading/amounts.ts';
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
import { locksOf } from '../../../../common/trading/limits/locks.ts';
import { holdRefusal, type LimitedAccount, type PurchaseNeed } from '../../../../common/trading/limits/refusal.ts';
import { type Reason, reason } from '../../../../common/trading/reasons.ts';
import { marketOf, tradeRefusal } from '../../../../common/trading/venue.ts';
import type { CoreAccount, CoreFacts, CorePlan, CorePrice } from '../model.ts';
import type { PendingNeeds } from '../state/users.ts';

/**
 * Guards of a purchase by a plan, in the order of their reasons: the user's account, the plan's limits, the market, the money with
 * the locks of protections. A lock is the account's, too, but follows the market: it ends by time, and would hide what keeps the
 * token from being bought after its end.
 */

/** Returns why nothing is bought for a user at present, whatever it is; null when something may be. */
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
export function limitRefusal(
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
export function openMarket(
  { price, facts, deadSince }: TokenMarket,
  tradesPools: boolean,
): { ok: true; value: TradedMarket; decimals: number } | { ok: false; reason: Reason } {
  const refused = (code: Reason['code']) => ({ ok: false as const, reason: reason(code) });
  if (deadSince !== null) return { ok: false, reason: reason('stale', deadSince === 0 ? {} : { sinceAt: deadSince }) };
  if (price === null || facts === null) return refused('no-depth');
  const { reserves, stage, venue } = price;
  const { quote } = facts;
  // Before the depth, which no figures could mend.
  const closed = tradeRefusal({ quote, stage }, tradesPools);
  if (closed) return refused(closed);
  const market = marketOf({ quote, stage, reserves, reservesVenue: venue });
  if (!market.ok) return market;
  const { virtualQuote, virtualToken, realToken } = market.value.reserves;
  if (facts.decimals === null || Math.min(virtualQuote, virtualToken, realToken) <= 0) return refused('no-depth');
  return { ok: true, value: market.value, decimals: facts.decimals };
}

type Ask = Pick<CorePlan, 'lamports' | 'slippageBps'>;

/**
 * Returns the most that a plan's purchase takes from the wallet now, lamports; or why its size is refused. `rentPerByte`: of the
 * network, lamports; null while it is not known.
 */
export function totalAt(
  { lamports, slippageBps }: Ask,
  { value: market, decimals }: { value: TradedMarket; decimals: number },
  { mode, limits }: Pick<CoreAccount, 'mode' | 'limits'>,
  rentPerByte: number | null,
): { ok: true; value: number } | { ok: false; reason: Reason } {
  const ask = { side: 'buy' as const, amount: lamports, slippageBps, decimals };
  const quote = quoteIn(market, ask, mostExtra(mode, limits, rentPerByte));
  return quote.ok ? { ok: true, value: quote.value.totalLamports } : quote;
}

/** Returns whether a purchase certainly moves the price by less than its slippage: no quote is needed to know. */
export function isSmall({ lamports, slippageBps }: Ask, { reserves }: TradedMarket): boolean {
  return lamports >= SMALLEST_LAMPORTS && reserves.virtualQuote * slippageBps > 2 * lamports * BPS;
}

/** From here on a purchase brings tokens on every curve. */
const SMALLEST_LAMPORTS = 1_000_000;

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

/** Returns an account as if it reserved the needs of orders on their way. */
export function withPending(account: CoreAccount, pending: PendingNeeds, now: number): LimitedAccount {
  if (pending.addresses.length === 0) return account;
  const book = bookOn(account.book, dayOf(now));
  return {
    ...account,
    book: {
      ...book,
      usedLamports: book.usedLamports + pending.lamports,
      heldLamports: book.heldLamports + pending.lamports,
      reservedLamports: book.reservedLamports + pending.totalLamports,
      places: [...book.places, ...pending.addresses],
      lastBuyAt: Math.max(book.lastBuyAt, pending.lastAt),
    },
  };
}

/** Returns the limit of an account, see `withPending`, that refuses a purchase at `now` (epoch ms); null without one. */
export function moneyRefusal(
  account: LimitedAccount,
  need: Omit<PurchaseNeed, 'isAutomatic'>,
  now: number,
): Reason | null {
  return holdRefusal(account, { ...need, isAutomatic: true }, now);
}

/** What an account may allow: a first look at many purchases. */
export interface Allowance {
  /** Of the largest purchase; 0 for none. */
  lamports: number;
  /** Tokens that it is limited to, while all places are taken; null: any. */
  tokens: ReadonlySet<string> | null;
}

/** Returns what the account may allow at `now` (epoch ms). */
export function allowanceOf(account: LimitedAccount, now: number): Allowance {
  const locks = locksOf(account, now);
  if (locks.some(({ kind }) => kind !== 'open-positions')) return { lamports: 0, tokens: null };
  const { usedLamports, reservedLamports } = bookOn(account.book, dayOf(now));
  const { perTradeLamports, perDayLamports } = account.limits;
  const has = account.moneyLamports === null ? Number.POSITIVE_INFINITY : account.moneyLamports - reservedLamports;
  const lamports = Math.max(0, Math.min(perTradeLamports, perDayLamports - usedLamports, has));
  return { lamports, tokens: locks.length > 0 ? new Set(account.book.places) : null };
}

/** Returns the next moment at which time alone ends a limit of the account, epoch ms. */
export function nextMoneyMoment(account: LimitedAccount, now: number): number {
  const nextDay = (Math.floor(now / DAY) + 1) * DAY;
  const ends = locksOf(account, now).map(({ until }) => until ?? nextDay);
  return Math.min(nextDay, ...ends.filter((until) => until > now));
}
