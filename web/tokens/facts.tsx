import type { Token } from '../../common/tokens/model.ts';
import { type Steps, steps } from '../../common/tokens/risk/steps.ts';
import { classNames } from '../ui/class-names.ts';
import { compact, count, MISSING, share } from '../ui/format.ts';

/** A figure about holders, trades or the developer, small in a row. */
export interface Fact {
  /** A few letters before the figure. */
  short: string;
  /** Null while unknown. */
  figure: string | null;
  /** The figure in a sentence with its limit, or why it is unknown. */
  evidence: string;
  tone: 'plain' | 'raised' | 'high';
}

/** Returns the facts of a token that decide about it at a glance. */
export function factsOf(token: Token): readonly Fact[] {
  const { buys, sells, curveProgress, stage, developerLaunches } = token;
  return [
    shareFact('Dev', 'The developer holds', token.developerShare, steps.developerStake),
    shareFact('T10', 'The ten largest wallets hold', token.topTenShare, steps.topTen),
    shareFact('Ins', 'Insiders hold', token.insiderShare, steps.insidersBought),
    {
      short: 'B/S',
      figure: buys === null || sells === null ? null : `${compact(buys)}/${compact(sells)}`,
      evidence:
        buys === null || sells === null
          ? 'Purchases and sales are unknown: trades before the detection may be missing.'
          : `${count(buys)} purchases and ${count(sells)} sales since the creation.`,
      tone: 'plain',
    },
    {
      short: 'Crv',
      figure: stage === 'pool' ? 'done' : curveProgress === null ? null : share(curveProgress, 0),
      evidence: curveText(token),
      tone: 'plain',
    },
    {
      short: 'Coins',
      figure: developerLaunches === null ? null : count(developerLaunches),
      evidence:
        developerLaunches === null
          ? 'The developer is unknown, and so are its other coins.'
          : `The developer launched ${count(developerLaunches)} other coins within the 24 hours before (limit ${limitOf(steps.launches)}).`,
      tone: toneOf(developerLaunches, steps.launches),
    },
  ];
}

function shareFact(short: string, who: string, value: number | null, limits: Steps): Fact {
  return {
    short,
    figure: value === null ? null : share(value, 0),
    evidence:
      value === null
        ? `${who} an unknown share of the supply so far.`
        : `${who} ${share(value)} of the supply (limit ${limitOf(limits)}%).`,
    tone: toneOf(value, limits),
  };
}

function curveText({ stage, curveProgress }: Token): string {
  if (stage === 'pool') return 'The curve is sold: the coin trades in a pool.';
  return curveProgress === null
    ? 'How much of the curve is sold is unknown.'
    : `${share(curveProgress)} of the curve is sold.`;
}

function limitOf(limits: Steps): number {
  return limits[0]?.[0] ?? 0;
}

function toneOf(value: number | null, limits: Steps): Fact['tone'] {
  if (value === null || value <= limitOf(limits)) return 'plain';
  return value > (limits.at(-1)?.[0] ?? 0) ? 'high' : 'raised';
}

const tones: Record<Fact['tone'], string> = {
  plain: 'text-muted',
  raised: 'text-risk-medium',
  high: 'text-risk-high',
};

/** Shows facts: grey within their limits, in color above, hatched while unknown. */
export function Facts({ facts, className }: { facts: readonly Fact[]; className?: string }) {
  return facts.map(({ short, figure, evidence, tone }) => (
    <span key={short} title={evidence} className={classNames('min-w-0 truncate text-muted', className)}>
      {short}{' '}
      <span
        className={classNames('font-medium', figure === null ? 'hatched rounded-sm px-0.5 text-muted' : tones[tone])}
      >
        {figure ?? MISSING}
      </span>
    </span>
  ));
}

/** Shows the facts in two lines of three, in one where there is room. */
export function FactsCell({ token }: { token: Token }) {
  return (
    <span className="grid w-full grid-cols-[repeat(auto-fit,minmax(61px,1fr))] items-center gap-x-2 text-2xs leading-3.5 tabular-nums">
      <Facts facts={factsOf(token)} />
    </span>
  );
}
