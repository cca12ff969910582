import { cutText, plainText, withoutLinks } from '../../../common/tokens/text/plain-text.ts';
import type { TradingAccount, TradingMode } from '../../../common/trading/account.ts';
import { tradingModeNames } from '../../../common/trading/account.ts';
import { BPS } from '../../../common/trading/amounts.ts';
import { hasExits } from '../../../common/trading/exits.ts';
import { exitTexts } from '../../../common/trading/exits-text.ts';
import type { Fill, Order, OrderToken, Quote, TradeWarning } from '../../../common/trading/order.ts';
import type { Position } from '../../../common/trading/position.ts';
import { reason, reasonText } from '../../../common/trading/reasons.ts';
import { profitText, roughSol, saleProfitText, sol, tokensText } from '../../../common/trading/text.ts';
import { lines, UNKNOWN } from '../commands/text.ts';

/** Longest name of a token in a button or a line. */
const LABEL_MAX = 20;
const PERCENT = 100;

const warningTexts: Record<TradeWarning, string> = {
  'high-risk': 'its risk is high',
  'unknown-risk': 'its risk is unknown',
  'low-liquidity': 'its liquidity is low',
  'copied-symbol': 'another token had this symbol first',
  'no-exit': 'no stop loss is set',
};

/** Returns basis points as '1.2 %'. */
export function percentText(bps: number): string {
  return `${((bps / BPS) * PERCENT).toFixed(1)} %`;
}

/** Returns a short name of a token on one line and without links: its symbol, its name, or a part of its address. */
export function tokenLabel({ symbol, name, address }: Pick<OrderToken, 'symbol' | 'name' | 'address'>): string {
  const plain = [symbol, name].map((text) => shortText(text ?? ''));
  return plain.find((text) => text !== '') ?? `${address.slice(0, 4)}…${address.slice(-4)}`;
}

/** Returns the short name of a position's token, with the rule or strategy that bought it: a token may have a position of each. */
export function ownerLabel({ token, origin }: Pick<Position, 'token' | 'origin'>): string {
  const label = tokenLabel(token);
  return origin.name === null ? label : `${label} by ${shortText(origin.name)}`;
}

function shortText(text: string): string {
  return withoutLinks(cutText(plainText(text), LABEL_MAX));
}

/** Returns the network badge: where the money is. */
export function modeBadge(mode: TradingMode): string {
  return mode === 'live' ? tradingModeNames.live : `${tradingModeNames[mode]}, play money`;
}

/** Reply to an offer of another mode than the present one. */
export function changedModeText(mode: TradingMode): string {
  return `You have changed to ${modeBadge(mode)} since this offer. Nothing was done; send the command again.`;
}

/** Returns the result of a purchase or sale, and every cost by name. */
export function quoteLines(quote: Quote, label: string): string {
  const { side, decimals, tokens, leastTokens, lamports, slippageBps, impactBps, totalLamports } = quote;
  const least = leastTokens === null ? UNKNOWN : tokensText(leastTokens, decimals);
  const amount = tokensText(tokens, decimals);
  return lines(
    side === 'buy'
      ? `${sol(lamports)}: about ${amount} ${label}, at least ${least} (slippage ${percentText(slippageBps)})`
      : `${amount} ${label}: about ${roughSol(lamports)} (slippage ${percentText(slippageBps)})`,
    `Price impact ${percentText(impactBps)}`,
    costsText(quote),
    side === 'buy'
      ? `Leaves your wallet: at most ${roughSol(totalLamports, 'up')}`
      : `Arrives: at least ${roughSol(totalLamports, 'down')}`,
  );
}

function costsText({ costs, venue }: Pick<Quote, 'costs' | 'venue'>): string {
  const named = [
    `${venue === 'pool' ? 'Pool' : 'Launchpad'} fee ${roughSol(costs.launchpadFeeLamports)}`,
    `network ${roughSol(costs.networkFeeLamports)}`,
    costs.priorityFeeLamports === 0 ? 'priority none' : `priority up to ${roughSol(costs.priorityFeeLamports, 'up')}`,
    costs.tipLamports === 0 ? 'tip none' : `tip ${roughSol(costs.tipLamports)}`,
  ];
  if (costs.accountRentLamports > 0) {
    named.push(`account rent ${roughSol(costs.accountRentLamports)} (comes back when you sell all)`);
  }
  if (costs.volumeRentLamports > 0) named.push(`launchpad account ${roughSol(costs.volumeRentLamports)} (once)`);
  if (costs.returnedRentLamports > 0) named.push(`rent returned ${roughSol(costs.returnedRentLamports)}`);
  return named.join(' · ');
}

/** Returns the warnings in one sentence; null without any. */
export function warningsText(warnings: readonly TradeWarning[]): string | null {
  if (warnings.length === 0) return null;
  return `Mind that ${warnings.map((warning) => warningTexts[warning]).join(', and ')}.`;
}

const statusTexts: Record<Order['status'], string> = {
  created: 'waits',
  held: 'waits',
  sent: 'sent, not confirmed yet',
  unknown: 'no verdict yet',
  confirmed: 'confirmed',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** Returns 'Buy 0.1 SOL of SYM: confirmed' with the result or the reason. */
export function orderLines(order: Order): string {
  const { side, lamports, tokens, token, fill, failure, status, mode } = order;
  const label = tokenLabel(token);
  const asked =
    side === 'buy'
      ? `Buy ${label} for ${sol(lamports ?? 0)}`
      : `Sell ${tokensText(tokens ?? '0', token.decimals)} ${label}`;
  return lines(
    `${asked}: ${statusTexts[status]}`,
    fill && fillText(fill, order),
    failure && reasonText(failure),
    `${modeBadge(mode)} · ${order.times.created.slice(0, 19).replace('T', ' ')} UTC`,
  );
}

function fillText({ tokens, lamports }: Fill, order: Order): string {
  const { side, token } = order;
  const profit = saleProfitText(order);
  const amount = `${tokensText(tokens, token.decimals)} ${tokenLabel(token)}`;
  return side === 'buy'
    ? `Got ${amount} for ${roughSol(lamports)}`
    : `Got ${roughSol(lamports)} for ${amount}${profit === null ? '' : `, profit ${profit}`}`;
}

/** Returns why nothing, or nothing more, is bought at present: the stop, or the locks of protections; empty while buying is possible. */
export function blockedText({
  stopped,
  stoppedAll,
  locks,
}: Pick<TradingAccount, 'stopped' | 'stoppedAll' | 'locks'>): string[] {
  if (stoppedAll) return [reasonText(reason('stopped-all'))];
  if (stopped !== null) return [reasonText(reason('stopped'))];
  return locks.map((lock) => reasonText(lock.reason));
}

/** Returns the value and profit of a position; unknown ones with their reason. */
export function positionLines({ token, tokens, costLamports, value, status, exits }: Position): string {
  const label = tokenLabel(token);
  const known = value?.lamports ?? null;
  const profit = value?.profitLamports ?? null;
  return lines(
    `${label}${status === 'stuck' ? ' · its sale does not get through' : ''}`,
    token.address,
    `${tokensText(tokens, token.decimals)} ${label}, cost ${roughSol(costLamports)}`,
    `Would return now: ${known === null ? UNKNOWN : roughSol(known)}`,
    `Profit: ${profit === null ? UNKNOWN : profitText(profit, costLamports)}`,
    hasExits(exits) ? `Exits: ${exitTexts(exits).join(' / ')}` : null,
    value?.unknown ? reasonText(value.unknown) : null,
  );
}
