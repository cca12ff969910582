import { check } from '../check.ts';
import type { RiskFacts } from '../facts.ts';
import { above, limitAbove, mostPoints, percent, steps } from '../steps.ts';

/** Points of an authority or extension that allows later changes to the coin; it is a hard flag as well. */
const CONTROL_POINTS = 15;
/** Most points for liquidity that strangers withdrew. */
const STRANGERS_LP = 8;
const LP_LIMIT = 50;
const UNREAD = 'The mint account has not been read yet.';

function authority(
  id: 'mintAuthorityLive' | 'freezeAuthorityLive',
  { label, live, revoked }: { label: string; live: string; revoked: string },
) {
  return check(id, {
    label,
    maxPoints: CONTROL_POINTS,
    fact: (facts: RiskFacts) => facts[id],
    points: (value) => (value ? CONTROL_POINTS : 0),
    hard: (value) => value,
    evidence: (value) => (value ? live : revoked),
    unknown: UNREAD,
    guaranteed: true,
  });
}

/** Checks of what others may still do to the coin and its metadata. */
export const controlChecks = [
  authority('mintAuthorityLive', {
    label: 'Mint authority',
    live: 'The mint authority is live: more of the coin can be made at any time.',
    revoked: 'The mint authority is revoked.',
  }),
  authority('freezeAuthorityLive', {
    label: 'Freeze authority',
    live: 'The freeze authority is live: wallets can be stopped from selling.',
    revoked: 'The freeze authority is revoked.',
  }),
  check('extensions', {
    label: 'Dangerous extensions',
    maxPoints: CONTROL_POINTS,
    fact: (facts) => facts.extensions,
    points: (value) => (value.length > 0 ? CONTROL_POINTS : 0),
    hard: (value) => value.length > 0,
    evidence: (value) =>
      value.length > 0
        ? `Token-2022 extensions that give others power over your coins: ${value.join(', ')}.`
        : 'No dangerous Token-2022 extension is on.',
    unknown: UNREAD,
    guaranteed: true,
  }),
  check('lpUnlocked', {
    label: 'LP unlocked',
    maxPoints: 18,
    fact: (facts) => facts.lpUnlocked,
    points: (value) => (value >= LP_LIMIT ? 18 : 0),
    evidence: (value) => `${percent(value)} of the LP is neither burnt nor locked (limit ${LP_LIMIT} %).`,
    unknown: 'Whether the LP is burnt or locked has not been read.',
    applies: ({ stage }) => stage === 'pool',
    guaranteed: true,
  }),
  check('lpPulled', {
    label: 'LP pulled',
    maxPoints: mostPoints(steps.lpPulled),
    fact: (facts) => facts.lpPulled,
    // Anyone may fill a pool and empty it again, but a developer lured others into it.
    points: ({ sol, byInsider }) =>
      Math.min(byInsider ? mostPoints(steps.lpPulled) : STRANGERS_LP, above(sol, steps.lpPulled)),
    hard: ({ sol, byInsider }) => byInsider && above(sol, steps.lpPulled) > 0,
    evidence: ({ sol, byInsider }) =>
      sol === 0
        ? 'No liquidity was withdrawn from other pools of the coin.'
        : `${Number(sol.toPrecision(3))} SOL were withdrawn from other pools of the coin${byInsider ? ', by the developer' : ''} (limit ${limitAbove(sol, steps.lpPulled)} SOL).`,
    unknown: 'The move into the pool was not seen.',
    applies: ({ stage }) => stage === 'pool',
  }),
  check('transferFeeBps', {
    label: 'Transfer fee',
    maxPoints: mostPoints(steps.transferFeeBps),
    fact: (facts) => facts.transferFeeBps,
    points: (value) => above(value, steps.transferFeeBps),
    evidence: (value) =>
      `Every transfer costs ${Number((value / 100).toFixed(2))} % (limit ${limitAbove(value, steps.transferFeeBps) / 100} %).`,
    unknown: UNREAD,
    guaranteed: true,
  }),
  check('standardCurve', {
    label: 'Bonding curve',
    maxPoints: 8,
    fact: (facts) => facts.standardCurve,
    points: (value) => (value ? 0 : 8),
    evidence: (value) => `The curve ${value ? 'began' : 'did not begin'} with the standard reserves.`,
    unknown: 'The creation was not seen.',
    guaranteed: true,
  }),
  check('metadataMutable', {
    label: 'Metadata can change',
    maxPoints: 2,
    fact: (facts) => facts.metadataMutable,
    points: (value) => (value ? 2 : 0),
    evidence: (value) =>
      value ? 'Name and picture can still be changed.' : 'Name and picture can no longer be changed.',
    unknown: 'The metadata account has not been read.',
  }),
  check('metadataFile', {
    label: 'Metadata file',
    maxPoints: 2,
    fact: (facts) => facts.metadataFile,
    points: (value) => (value ? 0 : 2),
    evidence: (value) => (value ? 'The creation named a metadata file.' : 'The creation named no metadata file.'),
    unknown: 'The creation was not seen.',
  }),
];
