import { counted } from '../../../counted.ts';
import { check } from '../check.ts';
import type { Fact, RiskFacts } from '../facts.ts';
import { above, limitAbove, mostPoints, percent, steps } from '../steps.ts';

/** Shares of the supply, percent 0–100; null when unknown. */
interface Stake {
  bought: number | null;
  held: number | null;
  /** The most that it was reported to hold. */
  heldMost: number | null;
}

/** Returns what the developer bought, holds and held. Each is enough: a data service reports only the second. */
function stakeOf({ developerBought, creatorHolds, creatorHeld }: RiskFacts): Fact<Stake> | null {
  const from = developerBought ?? creatorHolds ?? creatorHeld;
  if (!from) return null;
  const value = {
    bought: developerBought?.value ?? null,
    held: creatorHolds?.value ?? null,
    heldMost: creatorHeld?.value ?? null,
  };
  return { ...from, value };
}

// What it sold since still counts.
const largest = ({ bought, held, heldMost }: Stake) => Math.max(bought ?? 0, held ?? 0, heldMost ?? 0);

function stakeEvidence(stake: Stake): string {
  const limit = `(limit ${limitAbove(largest(stake), steps.developerStake)} %)`;
  const { bought, held, heldMost } = stake;
  if (bought === null) {
    if (held === null) return `The developer held up to ${percent(heldMost ?? 0)} of the supply ${limit}.`;
    const before = heldMost !== null && heldMost > held ? `, and held up to ${percent(heldMost)} before` : '';
    return `The developer holds ${percent(held)} of the supply${before} ${limit}.`;
  }
  const rest = held === null ? '' : ` and holds ${percent(held)}`;
  return `The developer bought ${percent(bought)} of the supply${rest} ${limit}.`;
}

/** A developer that bought less of the supply than this, percent, takes little from later buyers by selling. */
const SMALL_STAKE = 3;

/** Percent of its purchases that the developer sold, and how much of the supply they were. */
interface Exit {
  sold: number;
  bought: number;
}

function exitOf(key: 'developerSold' | 'developerSoldEarly') {
  return (facts: RiskFacts): Fact<Exit> | null => {
    const sold = facts[key];
    return sold ? { ...sold, value: { sold: sold.value, bought: facts.developerBought?.value ?? 0 } } : null;
  };
}

const exitSteps = ({ bought }: Exit) => (bought < SMALL_STAKE ? steps.smallDeveloperSold : steps.developerSold);

/** The least share of the supply with a figure, percent. */
const LEAST_SHARE = 0.1;

function exitEvidence(exit: Exit): string {
  const { sold, bought } = exit;
  const share = bought < LEAST_SHARE ? `less than ${LEAST_SHARE} %` : percent(bought);
  // An unknown size of the purchases is left out.
  const part = bought === 0 ? 'The developer has' : `The developer bought ${share} of the supply and has`;
  if (sold === 0) return `${part} sold nothing${bought === 0 ? '' : ' of it'}.`;
  const limit = limitAbove(sold, exitSteps(exit));
  const rule = limit === 0 ? 'any sale counts' : `limit ${limit} %`;
  return `${part} sold ${percent(sold)} of ${bought === 0 ? 'its purchases' : 'it'} (${rule}).`;
}

const UNSEEN = 'The trades since the creation are not known.';

/** Checks of the developer: the named creator, the signer and the fee payer of the creation. */
export const developerChecks = [
  check('creatorRugged', {
    label: 'Creator history',
    maxPoints: 12,
    fact: (facts) => facts.creatorRugged,
    points: (value) => (value >= 1 ? 12 : 0),
    hard: (value) => value >= 2,
    evidence: (value) => `${counted(value, 'earlier coin')} of this developer ended as a rug (limit 1).`,
    unknown: 'No earlier coin of this developer is known.',
  }),
  check('developerSold', {
    label: 'Developer sold',
    maxPoints: mostPoints(steps.developerSold),
    fact: exitOf('developerSold'),
    points: (exit) => above(exit.sold, exitSteps(exit)),
    evidence: exitEvidence,
    unknown: UNSEEN,
  }),
  check('developerSoldEarly', {
    label: 'Developer sold early',
    maxPoints: mostPoints(steps.developerSoldEarly),
    fact: exitOf('developerSoldEarly'),
    points: ({ sold, bought }) => (bought < SMALL_STAKE ? 0 : above(sold, steps.developerSoldEarly)),
    evidence: ({ sold }) =>
      sold === 0
        ? 'The developer sold nothing within 5 min of the creation.'
        : `The developer sold ${percent(sold)} of its purchases within 5 min of the creation (limit ${limitAbove(sold, steps.developerSoldEarly)} %).`,
    unknown: 'The first 5 min were not seen, or are not over.',
  }),
  check('developerStake', {
    label: "Developer's share",
    maxPoints: mostPoints(steps.developerStake),
    fact: stakeOf,
    points: (value) => above(largest(value), steps.developerStake),
    evidence: stakeEvidence,
    unknown: "The developer's holding is not known.",
  }),
  check('otherCreator', {
    label: "Launched in another's name",
    maxPoints: 8,
    fact: (facts) => facts.otherCreator,
    points: (value) => (value ? 8 : 0),
    evidence: (value) =>
      value
        ? 'The creation names a creator that did not sign it.'
        : 'The creator named by the creation signed it or paid for it.',
    unknown: 'The signer of the creation is not known.',
  }),
  check('creatorLaunches24h', {
    label: 'Serial launches',
    maxPoints: mostPoints(steps.launches),
    fact: (facts) => facts.creatorLaunches24h,
    points: (value) => above(value, steps.launches),
    evidence: (value) =>
      value === 0
        ? 'No other coin of this developer was seen in the 24 h before.'
        : `${counted(value, 'other coin')} of this developer seen in the 24 h before (limit ${limitAbove(value, steps.launches)}).`,
    unknown: 'The developer is not known.',
  }),
];
