import { type CheckRule, check, type RiskCheck } from './check.ts';
import type { RiskFacts } from './facts.ts';

/** Points above each limit: `[30, 5]` gives 5 above 30. */
type Steps = readonly (readonly [limit: number, points: number])[];

/** Returns the points of the highest step below the value. */
export function above(value: number, steps: Steps): number {
  let points = 0;
  for (const [limit, worth] of steps) if (value > limit) points = worth;
  return points;
}

/** Returns the highest limit below the value, or the first limit. */
function limitAbove(value: number, steps: Steps): number {
  let passed = steps[0]?.[0] ?? 0;
  for (const [limit] of steps) if (value > limit) passed = limit;
  return passed;
}

const percent = (value: number): string => `${Number(value.toFixed(1))} %`;
const count = (value: number, noun: string): string => `${value} ${noun}${value === 1 ? '' : 's'}`;

/** Limits of the shares of the supply, percent, and the points above them. */
export const shareSteps = {
  topTen: [
    [30, 5],
    [50, 10],
    [70, 15],
  ],
  largestWallet: [
    [10, 4],
    [20, 8],
    [50, 15],
  ],
  creatorHolds: [
    [5, 4],
    [10, 8],
    [20, 12],
  ],
  sameSlotBuyers: [
    [5, 5],
    [15, 10],
    [30, 15],
  ],
} as const satisfies Partial<Record<keyof RiskFacts, Steps>>;

/** Returns the rule for a share of the supply, with the evidence `<who> <percent> of the supply (limit …).` */
function share(label: string, who: string, steps: Steps, unknown: string): CheckRule<keyof typeof shareSteps> {
  return {
    label,
    maxPoints: steps.at(-1)?.[1] ?? 0,
    points: (value) => above(value, steps),
    evidence: (value) => `${who} ${percent(value)} of the supply (limit ${limitAbove(value, steps)} %).`,
    unknown,
  };
}

/** Points of an authority or extension that allows later changes to the coin; it is a hard flag as well. */
const CONTROL_POINTS = 15;

function authority(
  label: string,
  live: string,
  revoked: string,
  unknown: string,
): CheckRule<'mintAuthorityLive' | 'freezeAuthorityLive'> {
  return {
    label,
    maxPoints: CONTROL_POINTS,
    points: (value) => (value ? CONTROL_POINTS : 0),
    hard: (value) => value,
    evidence: (value) => (value ? live : revoked),
    unknown,
  };
}

/** Returns the points of a liquidity in SOL, and their limit. */
export function liquidityPoints(sol: number): { points: number; limit: number } {
  if (sol < 1) return { points: 10, limit: 1 };
  if (sol < 5) return { points: 6, limit: 5 };
  return { points: sol < 20 ? 3 : 0, limit: 20 };
}

function launchPoints(launches: number): number {
  if (launches >= 10) return 12;
  return launches >= 3 ? 6 : 0;
}

function holderPoints(holders: number): number {
  if (holders < 10) return 5;
  return holders < 30 ? 2 : 0;
}

const EARLY_SALE_LIMIT = 50;
/** Buys without a sell that give points; further ones add nothing. */
export const NO_SELL_LIMIT = 20;
const LP_LIMIT = 50;

/**
 * Every risk check, heaviest kinds first. The points are a starting point from published rules and recorded launches, to be
 * calibrated; the three controls carry 15 points besides being hard flags, so that unknown ones lower the coverage.
 */
export const riskChecks: readonly RiskCheck[] = [
  check(
    'mintAuthorityLive',
    authority(
      'Mint authority',
      'The mint authority is live: more of the coin can be made at any time.',
      'The mint authority is revoked.',
      'The mint account has not been read yet.',
    ),
  ),
  check(
    'freezeAuthorityLive',
    authority(
      'Freeze authority',
      'The freeze authority is live: wallets can be stopped from selling.',
      'The freeze authority is revoked.',
      'The mint account has not been read yet.',
    ),
  ),
  check('extensions', {
    label: 'Dangerous extensions',
    maxPoints: CONTROL_POINTS,
    points: (value) => (value.length > 0 ? CONTROL_POINTS : 0),
    hard: (value) => value.length > 0,
    evidence: (value) =>
      value.length > 0
        ? `Token-2022 extensions that give others power over your coins: ${value.join(', ')}.`
        : 'No dangerous Token-2022 extension is on.',
    unknown: 'The mint account has not been read yet.',
  }),
  check('creatorRugged', {
    label: 'Creator history',
    maxPoints: 20,
    points: (value) => (value >= 1 ? 20 : 0),
    hard: (value) => value >= 2,
    evidence: (value) => `${count(value, 'earlier coin')} of this creator ended as a rug (limit 1).`,
    unknown: 'No earlier coin of this creator is known.',
  }),
  check(
    'topTen',
    share(
      'Top ten holders',
      'The ten largest wallets hold',
      shareSteps.topTen,
      'The holders are not known: the creation was not seen.',
    ),
  ),
  check(
    'largestWallet',
    share(
      'Largest wallet',
      'The largest wallet holds',
      shareSteps.largestWallet,
      'The holders are not known: the creation was not seen.',
    ),
  ),
  check(
    'creatorHolds',
    share('Creator holding', 'The creator holds', shareSteps.creatorHolds, "The creator's holding is not known."),
  ),
  check(
    'sameSlotBuyers',
    share(
      'Bundled launch',
      'Wallets that bought in the slot of the creation hold',
      shareSteps.sameSlotBuyers,
      'Buyers in the slot of the creation are not known.',
    ),
  ),
  check('creatorSoldEarly', {
    label: 'Creator sold early',
    maxPoints: 15,
    points: (value) => (value >= EARLY_SALE_LIMIT ? 15 : 0),
    evidence: (value) =>
      `The creator sold ${percent(value)} of its first buy within 60 s (limit ${EARLY_SALE_LIMIT} %).`,
    unknown: 'The first 60 s were not seen, or are not over.',
  }),
  check('lpUnlocked', {
    label: 'LP unlocked',
    maxPoints: 18,
    points: (value) => (value >= LP_LIMIT ? 18 : 0),
    evidence: (value) => `${percent(value)} of the LP is neither burnt nor locked (limit ${LP_LIMIT} %).`,
    unknown: 'Whether the LP is burnt or locked has not been read.',
    onlyInPool: true,
  }),
  check('creatorLaunches24h', {
    label: 'Serial launches',
    maxPoints: 12,
    points: launchPoints,
    evidence: (value) => `${count(value, 'other coin')} of this creator seen in the 24 h before (limit 3).`,
    unknown: 'The creator is not known.',
  }),
  check('transferFeeBps', {
    label: 'Transfer fee',
    maxPoints: 12,
    points: (value) =>
      above(value, [
        [0, 6],
        [500, 12],
      ]),
    evidence: (value) => `Every transfer costs ${Number((value / 100).toFixed(2))} % (limit ${value > 500 ? 5 : 0} %).`,
    unknown: 'The mint account has not been read yet.',
  }),
  check('liquidity', {
    label: 'Liquidity',
    maxPoints: 10,
    points: (value) => liquidityPoints(value).points,
    evidence: (value) =>
      `${Number(value.toPrecision(4))} SOL of real liquidity (limit ${liquidityPoints(value).limit} SOL).`,
    unknown: 'The liquidity is not known.',
  }),
  check('buysWithoutSell', {
    label: 'No sells',
    maxPoints: 10,
    points: (value) => (value >= NO_SELL_LIMIT ? 10 : 0),
    evidence: (value) =>
      value === 0
        ? 'Wallets other than the creator have sold.'
        : `${value >= NO_SELL_LIMIT ? 'At least ' : ''}${count(value, 'buy')} and no sell by another wallet (limit ${NO_SELL_LIMIT}).`,
    unknown: 'The trades since the creation are not known.',
  }),
  check('standardCurve', {
    label: 'Bonding curve',
    maxPoints: 8,
    points: (value) => (value ? 0 : 8),
    evidence: (value) => `The curve ${value ? 'began' : 'did not begin'} with the standard reserves.`,
    unknown: 'The creation was not seen.',
  }),
  check('symbolTwin', {
    label: 'Copied symbol',
    maxPoints: 5,
    points: (value) => (value === '' ? 0 : 5),
    evidence: (value) =>
      value === '' ? 'No coin of the 24 h before has the same symbol.' : `Coin ${value} had the same symbol before.`,
    unknown: 'The symbol is not known.',
  }),
  check('holders', {
    label: 'Number of holders',
    maxPoints: 5,
    points: holderPoints,
    evidence: (value) => `${count(value, 'holder')} (limit ${value < 10 ? 10 : 30}).`,
    unknown: 'The number of holders is not known.',
  }),
  check('metadataMutable', {
    label: 'Metadata can change',
    maxPoints: 2,
    points: (value) => (value ? 2 : 0),
    evidence: (value) =>
      value ? 'Name and picture can still be changed.' : 'Name and picture can no longer be changed.',
    unknown: 'The metadata account has not been read.',
  }),
  check('metadataFile', {
    label: 'Metadata file',
    maxPoints: 2,
    points: (value) => (value ? 0 : 2),
    evidence: (value) => (value ? 'The creation named a metadata file.' : 'The creation named no metadata file.'),
    unknown: 'The creation was not seen.',
  }),
];
