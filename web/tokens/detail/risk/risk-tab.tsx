import { ChevronDown, ChevronUp, CircleCheck, CircleHelp, type LucideIcon, TriangleAlert } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { riskLevel } from '../../../../common/tokens/levels.ts';
import type { Risk, RiskFactor } from '../../../../common/tokens/model.ts';
import { Age } from '../../../live/hooks/age.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { MISSING } from '../../../ui/format.ts';
import { LevelShape, levelColor } from '../../../ui/risk-pill.tsx';
import { Bar } from '../../cells.tsx';
import { cleanEvidence, cleanText } from '../../text.ts';
import { findingColor } from './verdict-card.tsx';

const groups = [
  { state: 'risk', title: 'Raises the score', icon: TriangleAlert, look: 'text-risk-medium' },
  { state: 'unknown', title: 'Not known', icon: CircleHelp, look: 'text-risk-unknown' },
  { state: 'clear', title: 'Checked and clear', icon: CircleCheck, look: 'text-risk-low' },
] as const satisfies readonly { state: RiskFactor['state']; title: string; icon: LucideIcon; look: string }[];

/** Shows the score, the share of known checks, and every check with its evidence; clear ones are folded. `below` is shown under the score. */
export function RiskTab({ risk, below }: { risk: Risk; below?: ReactNode }) {
  const level = riskLevel(risk.score);
  return (
    <div className="grid gap-3 lg:grid-cols-[240px_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-3 self-start">
        <section aria-label="Risk score" className="rounded-lg border border-line bg-surface p-4">
          <p className="text-muted text-xs">Risk score</p>
          <p
            className={classNames(
              'mt-1 flex items-baseline gap-2 font-semibold text-2xl tabular-nums',
              levelColor[level],
            )}
          >
            {risk.score === null ? MISSING : Math.round(risk.score)}
            <span className="font-normal text-muted text-sm">of 100</span>
          </p>
          <p className={classNames('mt-1 flex items-center gap-1.5 font-medium text-sm', levelColor[level])}>
            <LevelShape level={level} />
            {level}
          </p>
          <p className="mt-4 flex justify-between text-muted text-xs tabular-nums">
            <span>Checks known</span>
            <span className="text-text">{Math.round(risk.coverage)}%</span>
          </p>
          <Bar share={risk.coverage} className="mt-1.5" />
          <p className="mt-1.5 text-2xs text-muted tabular-nums">
            {risk.known} of {risk.total}. Unknown checks count neither for nor against.
          </p>
        </section>
        {below}
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        {groups.map((group) => {
          const factors = risk.factors.filter(({ state, standard }) => state === group.state && !standard);
          if (factors.length === 0) return null;
          return <FactorGroup key={group.state} {...group} factors={factors} />;
        })}
        <StandardChecks factors={risk.factors.filter(({ standard }) => standard)} />
      </div>
    </div>
  );
}

function FactorGroup(props: {
  state: RiskFactor['state'];
  title: string;
  icon: LucideIcon;
  look: string;
  factors: readonly RiskFactor[];
}) {
  const { state, title, icon: Icon, look, factors } = props;
  const canFold = state === 'clear';
  const [open, setOpen] = useState(!canFold);
  const listId = useId();
  const Fold = open ? ChevronUp : ChevronDown;
  return (
    <section aria-label={title} className="overflow-hidden rounded-lg border border-line bg-surface">
      <h3
        className={classNames(
          'flex h-10 items-center gap-2 px-4 font-medium text-sm',
          open && 'border-line border-b',
          state === 'unknown' && 'hatched',
        )}
      >
        <Icon size={16} strokeWidth={1.75} aria-hidden="true" className={look} />
        {title}
        <span className="text-muted text-xs tabular-nums">{factors.length}</span>
        {canFold && (
          <Button
            size="sm"
            className="ml-auto"
            aria-expanded={open}
            aria-controls={listId}
            aria-label={`${open ? 'Hide' : 'Show'} the clear checks`}
            onClick={() => setOpen(!open)}
          >
            <Fold size={14} strokeWidth={1.75} aria-hidden="true" />
            {open ? 'Hide' : 'Show'}
          </Button>
        )}
      </h3>
      <ul id={listId} className="divide-y divide-line" hidden={!open}>
        {factors.map((factor) => (
          <Factor key={factor.id} factor={factor} />
        ))}
      </ul>
    </section>
  );
}

/** One line for the checks that are clear for every coin of the launchpad. */
function StandardChecks({ factors }: { factors: readonly RiskFactor[] }) {
  if (factors.length === 0) return null;
  return (
    <p className="px-4 py-1 text-muted text-xs" title={factors.map(({ evidence }) => evidence).join('\n')}>
      The same for every coin of this launchpad, so not counted: {factors.map(({ label }) => label).join(', ')}.
    </p>
  );
}

function Factor({ factor }: { factor: RiskFactor }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 px-4 py-2.5 text-sm">
      <p className="flex min-w-0 flex-wrap items-center gap-2 font-medium">
        {factor.label}
        {factor.hard && factor.state === 'risk' && <Badge tone="danger">Alone decisive</Badge>}
      </p>
      <p className="text-right tabular-nums">
        {factor.state === 'risk' && (
          <span className={classNames('font-semibold', findingColor(factor))}>+{figure(factor.points)}</span>
        )}
        {factor.state === 'clear' && <span className="text-risk-low">0</span>}
        {factor.state === 'unknown' && <span className="text-risk-unknown">{MISSING}</span>}
        <span className="text-muted text-xs"> of {figure(factor.maxPoints)}</span>
      </p>
      <p className="min-w-0 break-words text-muted text-xs">{cleanEvidence(factor.evidence)}</p>
      <p className="text-right text-2xs text-muted">
        {factor.readAt !== null && (
          <>
            read <Age at={factor.readAt} /> ago
          </>
        )}
      </p>
      {factor.source !== null && (
        <p className="col-span-2 min-w-0 truncate font-mono text-2xs text-faint" title={factor.source}>
          <span className="font-sans">Source </span>
          <bdi>{cleanText(factor.source)}</bdi>
        </p>
      )}
    </li>
  );
}

function figure(points: number): string {
  return Number.isInteger(points) ? String(points) : points.toFixed(1);
}
