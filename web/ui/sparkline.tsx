import { useId } from 'react';
import { classNames } from './class-names.ts';

const width = 100;
const height = 28;
// Half the stroke, so that the line is not cut at its extremes.
const inset = 1.5;

/** Least number of values of a line: fewer make a diagonal, which looks like a trend and is none. */
const LEAST_VALUES = 4;

/**
 * A tiny line of values, oldest first, stretched to its box. `change` colors it by its last value against the first.
 * Hidden from screen readers, which read the figure beside it.
 */
export function Sparkline(props: {
  values: readonly number[];
  tone?: 'change' | 'accent';
  /** Fills the area below the line faintly. */
  area?: boolean;
  className?: string;
}) {
  const { values, tone = 'change', area = false, className } = props;
  const gradientId = useId();
  const points = sparklinePoints(values);
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      fill="none"
      className={classNames('block h-7 w-24', tone === 'accent' ? 'text-accent' : changeColour(values), className)}
    >
      {points === null ? (
        <line
          x1="0"
          y1={height / 2}
          x2={width}
          y2={height / 2}
          className="stroke-line-strong"
          strokeDasharray="2 4"
          vectorEffect="non-scaling-stroke"
        />
      ) : (
        <>
          {area && (
            <>
              <defs>
                <linearGradient id={gradientId} x1="0" y1="0" x2="0" y2="1">
                  <stop stopColor="currentColor" stopOpacity="0.22" />
                  <stop offset="1" stopColor="currentColor" stopOpacity="0" />
                </linearGradient>
              </defs>
              <polygon points={`0,${height} ${points} ${width},${height}`} fill={`url(#${gradientId})`} />
            </>
          )}
          <polyline
            points={points}
            stroke="currentColor"
            strokeWidth="1.5"
            strokeLinejoin="round"
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
          />
        </>
      )}
    </svg>
  );
}

/** Returns SVG points in a box of 100 × 28; null with too few values for a line. A constant is drawn in the middle. */
function sparklinePoints(values: readonly number[]): string | null {
  if (values.length < LEAST_VALUES) return null;
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  return values
    .map((value, index) => {
      const x = (index / (values.length - 1)) * width;
      const share = span === 0 ? 0.5 : (value - low) / span;
      const y = height - inset - share * (height - 2 * inset);
      return `${round(x)},${round(y)}`;
    })
    .join(' ');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function changeColour(values: readonly number[]): string {
  const first = values[0] ?? 0;
  const last = values.at(-1) ?? 0;
  if (last === first) return 'text-muted';
  return last > first ? 'text-up' : 'text-down';
}
