import { counted } from '../../../counted.ts';
import { check } from '../check.ts';
import type { Fact, RiskFacts } from '../facts.ts';
import { above, limitAbove, mostPoints, percent, steps } from '../steps.ts';

/** Shares of the supply, percent 0–100; null when unknown. */
interface Bundle {
  bought: number;
  held: number | null;
  wallets: number | null;
}

function bundleOf({ insidersBought, insidersHold, insiderWallets }: RiskFacts): Fact<Bundle> | null {
  if (!insidersBought) return null;
  const { value: bought, at, source } = insidersBought;
  return { at, source, value: { bought, held: insidersHold?.value ?? null, wallets: insiderWallets?.value ?? null } };
}

function bundleEvidence({ bought, held, wallets }: Bundle): string {
  const who = wallets === null ? 'Insiders' : `Insiders (${counted(wallets, 'wallet')})`;
  const rest = held === null ? '' : ` and hold ${percent(held)}`;
  return `${who} bought ${percent(bought)} of the supply${rest} (limit ${limitAbove(bought, steps.insidersBought)} %).`;
}

/** Insiders that bought less of the supply than this, percent, take little from later buyers by selling: most launches have a sniper. */
const SMALL_BUNDLE = 3;

/** What insiders sold, and how much of the supply they had bought. */
interface Exit {
  sold: number;
  bought: number;
}

function exitOf({ insidersSold, insidersBought }: RiskFacts): Fact<Exit> | null {
  if (!insidersSold || !insidersBought) return null;
  return { ...insidersSold, value: { sold: insidersSold.value, bought: insidersBought.value } };
}

/** Checks of wallets that knew of the launch before others. */
export const insiderChecks = [
  check('insidersSold', {
    label: 'Insiders sold',
    maxPoints: mostPoints(steps.insidersSold),
    fact: exitOf,
    points: ({ sold, bought }) => (bought < SMALL_BUNDLE ? 0 : above(sold, steps.insidersSold)),
    evidence: ({ sold, bought }) =>
      `Insiders have sold ${percent(sold)} of the ${percent(bought)} of the supply they bought (${
        bought < SMALL_BUNDLE
          ? `counts from ${SMALL_BUNDLE} % of the supply on`
          : `limit ${limitAbove(sold, steps.insidersSold)} %`
      }).`,
    unknown: 'Buyers right after the creation are not known.',
  }),
  check('insidersBought', {
    label: 'Bundled launch',
    maxPoints: mostPoints(steps.insidersBought),
    fact: bundleOf,
    points: ({ bought }) => above(bought, steps.insidersBought),
    evidence: bundleEvidence,
    unknown: 'Buyers right after the creation are not known.',
  }),
  check('insiderWallets', {
    label: 'Insider wallets',
    maxPoints: mostPoints(steps.insiderWallets),
    fact: (facts) => facts.insiderWallets,
    points: (value) => above(value, steps.insiderWallets),
    evidence: (value) =>
      value === 0
        ? 'No insider bought right after the creation.'
        : `${counted(value, 'insider')} bought right after the creation, in equal sizes or with the developer's money (limit ${limitAbove(value, steps.insiderWallets)}).`,
    unknown: 'Buyers right after the creation are not known.',
  }),
  check('unboughtSales', {
    label: 'Unseen transfers',
    maxPoints: mostPoints(steps.unboughtSales),
    fact: (facts) => facts.unboughtSales,
    points: (value) => above(value, steps.unboughtSales),
    evidence: (value) =>
      value === 0
        ? 'No wallet sold tokens that it had not bought.'
        : `Wallets sold ${percent(value)} of the supply that they had not bought: it was sent to them (limit ${limitAbove(value, steps.unboughtSales)} %).`,
    unknown: 'The trades since the creation are not known.',
  }),
];
