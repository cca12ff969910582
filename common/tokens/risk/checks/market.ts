import { counted } from '../../../counted.ts';
import { check } from '../check.ts';
import type { Fact, RiskFacts } from '../facts.ts';
import { above, limitAbove, mostPoints, percent, type Steps, steps } from '../steps.ts';

/** Below this many holders concentration says nothing good about a coin: every first buyer is among the largest ten. */
const MEANINGFUL_HOLDERS = 10;

/** Returns a share of the largest wallets; unknown instead of clear while there are hardly any holders. */
function concentration(key: 'topTen' | 'largestWallet', limits: Steps) {
  return (facts: RiskFacts): Fact<number> | null => {
    const share = facts[key];
    const isEmpty = (facts.holders?.value ?? MEANINGFUL_HOLDERS) < MEANINGFUL_HOLDERS;
    return !share || (isEmpty && above(share.value, limits) === 0) ? null : share;
  };
}

/** Returns a figure that says nothing about a coin of less than two minutes unless it is clear already. */
function grown(key: 'liquidity' | 'holders' | 'organicScore', isClear: (value: number) => boolean) {
  return (facts: RiskFacts): Fact<number> | null => {
    const fact = facts[key];
    return fact && facts.maturity?.value === 'early' && !isClear(fact.value) ? null : fact;
  };
}

/** Returns the points of a liquidity in SOL, and their limit. */
export function liquidityPoints(sol: number): { points: number; limit: number } {
  if (sol < 1) return { points: 4, limit: 1 };
  return { points: sol < 5 ? 2 : 0, limit: 5 };
}

/** Returns the points of a number of outside holders. */
export function holderPoints(holders: number): number {
  if (holders < 10) return 3;
  return holders < 30 ? 2 : 0;
}

/** Points of a service's warning: as heavy as a dangerous control, but not decisive, since its reasons are not published. */
const SUSPICIOUS_POINTS = 15;
/** Buys without a sell that give points; further ones add nothing. */
export const NO_SELL_LIMIT = 20;
const UNSEEN_HOLDERS = 'The holders are not known, or too few to say.';

/** Describes a fall from a peak, percent. The fact is in whole steps, so that 0 is a fall smaller than the first. */
function fallEvidence(figure: 'liquidity' | 'price', fall: number, limits: Steps): string {
  if (fall === 0) return `The ${figure} is at its peak, or hardly below.`;
  return `The ${figure} is ${percent(fall)} or more below its peak (counts from ${limitAbove(fall, limits)} % on).`;
}

/** Checks of liquidity, price and holders. */
export const marketChecks = [
  check('rugged', {
    label: 'Rug',
    maxPoints: 25,
    fact: (facts) => facts.rugged,
    points: (value) => (value ? 25 : 0),
    hard: (value) => value,
    evidence: (value) =>
      value
        ? 'Developer and insiders sold at least half of their purchases, without a loss, and 75 % of the liquidity left, or they withdrew liquidity from a pool.'
        : 'The coin has not ended as a rug.',
    unknown: 'The trades since the creation are not known.',
  }),
  check('drained', {
    label: 'Drained',
    maxPoints: 25,
    fact: (facts) => facts.drained,
    points: (value) => (value ? 25 : 0),
    hard: (value) => value,
    evidence: (value) =>
      value
        ? 'At least 75 % of a liquidity of 2 SOL or more is gone.'
        : 'The coin has not lost 75 % of a liquidity of 2 SOL or more.',
    unknown: 'The liquidity is not known.',
  }),
  check('drawdown', {
    label: 'Liquidity below its peak',
    maxPoints: mostPoints(steps.drawdown),
    fact: (facts) => facts.drawdown,
    points: (value) => above(value, steps.drawdown),
    evidence: (value) => fallEvidence('liquidity', value, steps.drawdown),
    unknown: 'The liquidity is not known.',
  }),
  check('priceFall', {
    label: 'Price below its peak',
    maxPoints: mostPoints(steps.priceFall),
    fact: (facts) => facts.priceFall,
    points: (value) => above(value, steps.priceFall),
    evidence: (value) => fallEvidence('price', value, steps.priceFall),
    unknown: 'The price is not known.',
  }),
  check('topTen', {
    label: 'Top ten holders',
    maxPoints: mostPoints(steps.topTen),
    fact: concentration('topTen', steps.topTen),
    points: (value) => above(value, steps.topTen),
    evidence: (value) =>
      `Since the last peak the ten largest wallets held up to ${percent(value)} of the supply (limit ${limitAbove(value, steps.topTen)} %).`,
    unknown: UNSEEN_HOLDERS,
  }),
  check('largestWallet', {
    label: 'Largest wallet',
    maxPoints: mostPoints(steps.largestWallet),
    fact: concentration('largestWallet', steps.largestWallet),
    points: (value) => above(value, steps.largestWallet),
    evidence: (value) =>
      `Since the last peak the largest wallet held up to ${percent(value)} of the supply (limit ${limitAbove(value, steps.largestWallet)} %).`,
    unknown: UNSEEN_HOLDERS,
  }),
  check('liquidity', {
    label: 'Liquidity',
    maxPoints: 4,
    fact: grown('liquidity', (sol) => liquidityPoints(sol).points === 0),
    points: (value) => liquidityPoints(value).points,
    evidence: (value) =>
      `${Number(value.toPrecision(4))} SOL of real liquidity (limit ${liquidityPoints(value).limit} SOL).`,
    unknown: 'The liquidity is not known, or it is too early to judge it.',
  }),
  check('buysWithoutSell', {
    label: 'No sells',
    maxPoints: 10,
    fact: (facts) => facts.buysWithoutSell,
    points: (value) => (value >= NO_SELL_LIMIT ? 10 : 0),
    evidence: (value) =>
      value === 0
        ? 'Outside wallets have sold.'
        : `${value >= NO_SELL_LIMIT ? 'At least ' : ''}${counted(value, 'buy')} and no sell by an outside wallet (limit ${NO_SELL_LIMIT}).`,
    unknown: 'The trades since the creation are not known.',
    // A standard coin can always be sold, so that missing sells prove nothing.
    applies: ({ standard }) => !standard,
  }),
  check('suspicious', {
    label: 'Flagged by a data service',
    maxPoints: SUSPICIOUS_POINTS,
    fact: (facts) => facts.suspicious,
    points: (value) => (value ? SUSPICIOUS_POINTS : 0),
    evidence: (value) => `Jupiter ${value ? 'marks' : 'does not mark'} the coin as suspicious.`,
    unknown: 'No data service has judged the coin.',
    optional: true,
  }),
  check('organicScore', {
    label: 'Organic trading',
    maxPoints: 2,
    fact: grown('organicScore', (score) => score > 0),
    points: (value) => (value > 0 ? 0 : 2),
    evidence: (value) => `Jupiter's organic score, its estimate of genuine trading, is ${Math.round(value)} of 100.`,
    unknown: 'No data service has judged the trading.',
    optional: true,
  }),
  check('symbolTwin', {
    label: 'Copied symbol',
    maxPoints: 5,
    fact: (facts) => facts.symbolTwin,
    points: (value) => (value === '' ? 0 : 5),
    evidence: (value) =>
      value === ''
        ? 'No coin of the 24 h before has the same symbol, or one that looks alike.'
        : `Coin ${value} had the same symbol, or one that looks alike, before.`,
    unknown: 'The symbol is not known.',
  }),
  check('holders', {
    label: 'Number of holders',
    maxPoints: 3,
    fact: grown('holders', (holders) => holderPoints(holders) === 0),
    points: holderPoints,
    evidence: (value) => `${counted(value, 'outside holder')} (limit ${value < 10 ? 10 : 30}).`,
    unknown: 'The number of holders is not known, or it is too early to judge it.',
  }),
];
