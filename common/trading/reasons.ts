import { z } from 'zod';
import { utcText } from '../time.ts';
import { solText } from '../tokens/units.ts';

/**
 * Figures of a reason, by name: lamports in names that end with `Lamports`, basis points in `Bps`, percent in `Percent`, times
 * (epoch ms) in `At`, else counts.
 */
type Numbers = Readonly<Record<string, number>>;

const ROUGH_DIGITS = 4;

const sol = (lamports: number) => `${solText(BigInt(lamports))} SOL`;
/** Rounded down to four digits: a figure of the market never seems to reach the limit that it is below. */
const roughSol = (figure: number) => {
  const lamports = Math.floor(figure);
  const step = 10 ** Math.max(0, String(lamports).length - ROUGH_DIGITS);
  return sol(Math.floor(lamports / step) * step);
};
/** With a second digit where it counts: a figure never reads like the limit that it is beyond. */
const percent = (bps: number) => `${(bps / 100).toFixed(bps % 10 === 0 ? 1 : 2)} %`;
const wholePercent = (figure: number) => `${Math.round(figure)} %`;
/** A time of day, UTC. */
const time = (at: number) => `${new Date(at).toISOString().slice(11, 16)} UTC`;

function hasAll<Name extends string>(
  numbers: Numbers,
  names: readonly Name[],
): numbers is Numbers & Readonly<Record<Name, number>> {
  return names.every((name) => numbers[name] !== undefined);
}

/** Returns the sentence with its figures, or one without when any of them is unknown. */
function figured<Name extends string>(
  names: readonly Name[],
  sentence: (numbers: Readonly<Record<Name, number>>) => string,
  without: string,
): (numbers: Numbers) => string {
  return (numbers) => (hasAll(numbers, names) ? sentence(numbers) : without);
}

/** Returns what a sale of a removed token would have returned last, and when; empty while that is unknown. */
function lastValue(numbers: Numbers): string {
  const { lastAt, lastLamports } = numbers;
  if (lastAt === undefined || lastLamports === undefined) return '';
  return ` At its last figures, of ${utcText(lastAt)}, all of it would return ${sol(lastLamports)}.`;
}

/** Returns what no purchase spends of a wallet; empty for 0, where the chain refuses it. */
function keptBack(lamports: number): string {
  return lamports === 0 ? '' : ` Another ${sol(lamports)} are kept back to pay for a sale.`;
}

/**
 * The closed list of reasons why an order is not made, ends without a trade, or is only tried again: each with the sentence
 * for the user, built from its numbers. Codes are stored with orders, so they keep their meaning.
 */
const sentences = {
  // Trading as a whole, and the user's account.
  'trading-off': () => 'Trading is switched off on this server.',
  'stopped-all': () => 'An administrator has stopped trading for everybody.',
  'user-inactive': () => 'Your account is deactivated.',
  stopped: () => 'You have stopped trading. Resume it to buy again.',
  'no-wallet': () => 'No wallet is set.',
  'no-key': () => 'The private key of your wallet is not stored here, so nothing can be signed.',
  'mode-changed': () => 'Your trading mode has changed. Nothing was ordered.',
  'wallet-changed': () => 'Your wallet was replaced before this order was signed.',
  'per-trade': figured(
    ['needsLamports', 'limitLamports'],
    (n) => `${sol(n.needsLamports)} exceeds your limit of ${sol(n.limitLamports)} a trade, which counts all costs.`,
    'This exceeds your limit a trade.',
  ),
  'priority-limit': figured(
    ['needsLamports', 'limitLamports'],
    (n) =>
      `A priority fee of up to ${sol(n.needsLamports)} exceeds your limit of ${sol(n.limitLamports)} a transaction.`,
    'The priority fee exceeds your limit a transaction.',
  ),
  'tip-limit': figured(
    ['needsLamports', 'limitLamports'],
    (n) => `A tip of ${sol(n.needsLamports)} exceeds your limit of ${sol(n.limitLamports)} a transaction.`,
    'The tip exceeds your limit a transaction.',
  ),
  'day-budget': figured(
    ['needsLamports', 'leftLamports'],
    (n) => `This needs ${sol(n.needsLamports)}; ${sol(n.leftLamports)} of today's budget are left.`,
    "This needs more than is left of today's budget.",
  ),
  'open-positions': figured(
    ['open', 'limit'],
    (n) => `You have open positions in ${n.open} tokens; your limit is ${n.limit}.`,
    'You have open positions in as many tokens as your limit allows.',
  ),
  'day-loss': figured(
    ['limitLamports', 'untilAt'],
    (n) => `Today's losses reached your limit of ${sol(n.limitLamports)}. Nothing is bought before ${time(n.untilAt)}.`,
    "Today's losses reached your limit. Nothing is bought before the next day (UTC).",
  ),
  'stop-loss-guard': figured(
    ['untilAt', 'stopLosses', 'minutes'],
    (n) =>
      `Automatic buying is locked until ${time(n.untilAt)} by the stop-loss guard: ${n.stopLosses} stop losses in ${n.minutes} minutes. You can still buy by hand.`,
    'Automatic buying is locked by the stop-loss guard. You can still buy by hand.',
  ),
  cooldown: figured(
    ['seconds'],
    (n) => `Your next buy is possible in ${n.seconds} s, by your cooldown.`,
    'Your next buy waits for your cooldown.',
  ),
  balance: figured(
    ['hasLamports', 'needsLamports', 'keptBackLamports'],
    (n) =>
      `Your wallet has ${sol(n.hasLamports)}; this needs ${sol(n.needsLamports)} with all costs.${keptBack(n.keptBackLamports)}`,
    'Your wallet has too little SOL for this with all costs.',
  ),
  'no-tokens': () => 'Your wallet holds nothing of this token.',
  'no-position': () => 'You have no such open position. It may have been sold already.',
  'initial-returned': () => 'Your sales of this position have returned what you paid for it.',
  'initial-short': figured(
    ['paidLamports', 'returnsLamports'],
    (n) =>
      `All of this position returns ${roughSol(n.returnsLamports)} after fees, less than the ${sol(n.paidLamports)} still to return.`,
    'All of this position returns less than you paid for it.',
  ),
  'being-sold': () => 'This position is being sold already.',
  'unknown-orders': figured(
    ['count'],
    (n) => `${n.count} of your orders have no verdict yet. Buying waits for the chain.`,
    'Several of your orders have no verdict yet. Buying waits for the chain.',
  ),
  blacklisted: () => 'This token is on your blacklist.',
  // The token and its market.
  'not-sol': () => 'This coin is not traded against SOL.',
  'between-venues': () => 'The coin is moving from its bonding curve into a pool. It cannot be traded in between.',
  'in-pool': () => 'The coin trades in a pool. This server does not trade in pools.',
  'no-depth': () => 'The depth of its market is unknown.',
  removed: (n) =>
    `The token was removed from this site. Its price is not followed, and exits do not fire.${lastValue(n)}`,
  stale: ({ sinceAt }) =>
    `The source of its figures is not live${sinceAt === undefined ? '' : ` since ${utcText(sinceAt)}`}, so its price may be out of date.`,
  'not-listable': () => 'This simulated coin cannot be put on the local chain.',
  'too-many-listed': figured(
    ['limit'],
    (n) => `${n.limit} simulated coins are on the local chain already.`,
    'Too many simulated coins are on the local chain already.',
  ),
  impact: figured(
    ['impactBps', 'slippageBps'],
    (n) =>
      `This would move the price by ${percent(n.impactBps)}; your limit for price and slippage is ${percent(n.slippageBps)}.`,
    'This would move the price beyond your limit for price and slippage.',
  ),
  'too-small': () => 'The amount is too small to buy or sell anything.',
  // A rule or strategy and the token.
  inactive: () => 'The rule or strategy is switched off.',
  'not-new': () => 'Only new tokens that are detected after the plan was switched on are considered.',
  'not-followed': ({ detectedAt }) =>
    `This token is not followed at present: it has not traded for a while, newer tokens took its place, or its past figures are still loading.${detectedAt === undefined ? '' : ` It was detected ${utcText(detectedAt)}.`}`,
  'too-late': figured(
    ['ageSeconds', 'limitSeconds'],
    (n) =>
      `This token was detected ${Math.ceil(n.ageSeconds)} s before; the plan buys only within ${n.limitSeconds} s of detection.`,
    'This token was detected too long ago for the plan.',
  ),
  'already-tried': () => 'The plan has made its one order for this token.',
  never: () => 'The conditions can no longer be met for this token.',
  waiting: () => 'The conditions are not met yet.',
  'unknown-value': () => 'The conditions need a figure that is unknown.',
  'low-liquidity': figured(
    ['liquidityLamports', 'limitLamports'],
    (n) => `The liquidity of ${roughSol(n.liquidityLamports)} is below the minimum of ${sol(n.limitLamports)}.`,
    'The liquidity is below the minimum.',
  ),
  'high-risk': figured(
    ['riskPercent', 'limitPercent'],
    (n) => `The risk of ${wholePercent(n.riskPercent)} is above the limit of ${wholePercent(n.limitPercent)}.`,
    'The risk is above the limit.',
  ),
  'unknown-liquidity': () => 'The liquidity is unknown.',
  'unknown-risk': () => 'The risk is unknown, or it is too early to tell.',
  'database-away': () => 'The database does not answer. Buying waits for it.',
  // Signing, sending and the chain's response.
  'node-away': () => 'The Solana node does not answer.',
  'wrong-node': () => 'The Solana node belongs to another network than configured. Real trading is locked.',
  'other-cluster': () => 'This was bought on another Solana network than the server trades on now.',
  'interface-changed': () => "The launchpad's program answered in an unknown way. Real buying is locked.",
  'not-tested': () =>
    'Real buying waits for a test of the launchpad, which needs the Solana node and a coin on its curve.',
  slippage: figured(
    ['slippageBps'],
    (n) => `The price moved beyond your limit of ${percent(n.slippageBps)}.`,
    'The price moved beyond your limit.',
  ),
  expired: () => 'No block took the transaction before it expired.',
  'no-effect': () => 'The transaction was included in a block and moved no tokens.',
  'data-limit': () => 'The transaction read more data of accounts than it had allowed itself.',
  'chain-error': () => 'The network rejected the transaction.',
  // The way into a pool, by instructions from Jupiter. None of these was signed.
  'route-away': () => 'Jupiter, which trades in pools, does not answer.',
  'no-route': () => 'Jupiter has no route for this trade.',
  'route-denied': () => "Jupiter refuses requests of this server. Its API key or plan doesn't allow them.",
  'route-unreadable': () => "Jupiter's answer could not be read. Nothing was signed.",
  'route-program': () => 'The transaction for the pool calls an unknown program. Nothing was signed.',
  'route-signer': () =>
    'The transaction for the pool needs another signature than that of your wallet. Nothing was signed.',
  'route-instruction': () => 'The transaction for the pool does more than this trade needs. Nothing was signed.',
  'route-terms': () => 'The transaction for the pool has other amounts than your order. Nothing was signed.',
  'route-tables': () =>
    'The transaction for the pool names accounts that the chain does not have there. Nothing was signed.',
  'route-overspends': figured(
    ['spentLamports', 'limitLamports'],
    (n) =>
      `The transaction for the pool would take ${sol(n.spentLamports)} from your wallet; your order allows ${sol(n.limitLamports)}. Nothing was signed.`,
    'The transaction for the pool would take more from your wallet than your order allows. Nothing was signed.',
  ),
  'route-shortfall': figured(
    ['shortBps'],
    (n) =>
      `The transaction for the pool brings ${percent(n.shortBps)} less than the minimum of your order. Nothing was signed.`,
    'The transaction for the pool brings less than your order accepts. Nothing was signed.',
  ),
  'route-tokens': () => 'The transaction for the pool would take other tokens of your wallet. Nothing was signed.',
  'route-authority': () =>
    'The transaction for the pool would give others rights over your wallet or its tokens. Nothing was signed.',
  // The order's own end.
  cancelled: () => 'Cancelled before it was sent.',
  'too-old': () => 'It was not sent in time and is no longer made.',
  'tries-used': figured(
    ['tries', 'feesLamports'],
    (n) => `Tried ${n.tries} times without success. Fees lost: ${sol(n.feesLamports)}.`,
    'Tried several times without success.',
  ),
} as const satisfies Record<string, (numbers: Numbers) => string>;

export type ReasonCode = keyof typeof sentences;
export const reasonCodes = Object.keys(sentences) as [ReasonCode, ...ReasonCode[]];

/** A reason with its figures. */
export const reasonSchema = z.strictObject({
  code: z.enum(reasonCodes),
  numbers: z.record(z.string(), z.number()),
});
export type Reason = z.infer<typeof reasonSchema>;

/** Returns a reason with its figures. */
export function reason(code: ReasonCode, numbers: Numbers = {}): Reason {
  return { code, numbers: { ...numbers } };
}

/** Returns the sentence of a reason, for pages, bot and log. */
export function reasonText({ code, numbers }: Reason): string {
  return sentences[code](numbers);
}
