import type { ReactNode } from 'react';
import { type RiskLevel, riskLevel } from '../../common/tokens/levels.ts';
import { classNames } from './class-names.ts';
import { MISSING } from './format.ts';

const looks: Record<RiskLevel, string> = {
  'Low Risk': 'border-risk-low/35 bg-risk-low/10 text-risk-low',
  'Medium Risk': 'border-risk-medium/40 bg-caution/12 text-risk-medium',
  'High Risk': 'border-risk-high/40 bg-risk-high/10 text-risk-high',
  Unknown: 'hatched border-risk-unknown/40 text-risk-unknown',
};

/** Text color of each level. */
export const levelColor = {
  'Low Risk': 'text-risk-low',
  'Medium Risk': 'text-risk-medium',
  'High Risk': 'text-risk-high',
  Unknown: 'text-risk-unknown',
} as const satisfies Record<RiskLevel, string>;

/**
 * Shows a token's risk. Number, word, color and shape all differ between the levels, so that any of them suffices.
 * Unknown is hatched grey with a dash.
 */
export function RiskPill(props: {
  /** 0–100; null while too little is known. */
  scamProbability: number | null;
  title?: string | undefined;
  /** A few words after the level, for places with room. */
  reason?: ReactNode;
  /** Known checks, for places with even more room. */
  known?: string;
  /** Leaves the word of the level to screen readers below 400 px. */
  short?: boolean;
  className?: string;
}) {
  const { scamProbability, title, reason, known, short = false, className } = props;
  const level = riskLevel(scamProbability);
  return (
    <span
      data-level={level}
      title={title}
      className={classNames(
        'inline-flex h-[22px] min-w-0 max-w-full shrink-0 items-center gap-1.5 whitespace-nowrap rounded-full border pr-2.5 pl-2 font-medium text-2xs',
        looks[level],
        className,
      )}
    >
      <LevelShape level={level} />
      <span className="min-w-[2ch] shrink-0 text-right font-semibold text-xs tabular-nums">
        {scamProbability === null ? MISSING : Math.round(scamProbability)}
      </span>
      <span className={classNames('shrink-0', short && 'max-[400px]:sr-only')}>{level}</span>
      {reason !== undefined && (
        <span className="min-w-0 truncate font-normal tabular-nums">
          <span aria-hidden="true">· </span>
          {reason}
        </span>
      )}
      {known !== undefined && <span className="shrink-0 font-normal tabular-nums max-sm:hidden">{known}</span>}
    </span>
  );
}

/** Draws the level as a shape: circle, triangle, octagon, open square. */
export function LevelShape({ level, className }: { level: RiskLevel; className?: string }) {
  return (
    <svg
      viewBox="0 0 10 10"
      className={classNames('size-2.5 shrink-0', className)}
      aria-hidden="true"
      fill="currentColor"
    >
      {level === 'Low Risk' && <circle cx="5" cy="5" r="4" />}
      {level === 'Medium Risk' && <path d="M5 .8 9.6 9H.4Z" />}
      {level === 'High Risk' && <path d="M3.1.4h3.8l2.7 2.7v3.8L6.9 9.6H3.1L.4 6.9V3.1Z" />}
      {level === 'Unknown' && (
        <rect
          x="1.25"
          y="1.25"
          width="7.5"
          height="7.5"
          rx="1"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeDasharray="2 1.4"
        />
      )}
    </svg>
  );
}
