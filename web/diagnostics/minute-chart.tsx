import {
  Bar,
  BarChart,
  CartesianGrid,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from 'recharts';
import type { DetectionCoverage } from '../../common/diagnostics/model.ts';
import { clockTime, count } from '../ui/format.ts';

const tick = { fill: 'var(--color-muted)', fontSize: 11 };

interface Series {
  key: string;
  label: string;
  colour: string;
}

/** One colour per source, in order. A market has two or three sources that report creations. */
const colours = ['var(--color-might-run)', 'var(--color-runner)', 'var(--color-risk-unknown)', 'var(--color-muted)'];

function seriesOf({ sources }: DetectionCoverage): Series[] {
  return [
    { key: 'both', label: 'two sources or more', colour: 'var(--color-accent)' },
    ...sources.map((source, index) => ({
      key: `only ${source}`,
      label: `only ${source}`,
      colour: colours[index % colours.length] ?? 'var(--color-muted)',
    })),
    { key: 'backfill', label: 'only by backfill', colour: 'var(--color-line-strong)' },
  ];
}

/** Detected tokens per minute of the last hour, stacked by source. */
export default function MinuteChart({ coverage }: { coverage: DetectionCoverage }) {
  const series = seriesOf(coverage);
  const points = coverage.minutes.map(({ at, both, only, backfill }) => ({
    at: clockTime(at).slice(0, 5),
    both,
    backfill,
    ...Object.fromEntries(coverage.sources.map((source) => [`only ${source}`, only[source] ?? 0])),
  }));
  return (
    <div className="flex h-full flex-col gap-2">
      <ul aria-label="Legend" className="flex flex-wrap gap-x-3 gap-y-1 text-muted text-xs">
        {series.map(({ key, label, colour }) => (
          <li key={key} className="flex items-center gap-1.5">
            <span aria-hidden="true" className="size-2 rounded-sm" style={{ background: colour }} />
            {label}
          </li>
        ))}
      </ul>
      <div className="min-h-0 flex-1">
        <ResponsiveContainer width="100%" height="100%">
          <BarChart data={points} margin={{ top: 4, right: 0, bottom: 0, left: 0 }} barCategoryGap={1}>
            <CartesianGrid stroke="var(--color-line)" vertical={false} />
            <XAxis dataKey="at" tick={tick} tickLine={false} axisLine={false} minTickGap={32} />
            <YAxis tick={tick} tickLine={false} axisLine={false} width={32} allowDecimals={false} />
            <Tooltip
              content={ExactCounts}
              cursor={{ fill: 'var(--color-text)', fillOpacity: 0.06 }}
              isAnimationActive={false}
            />
            {series.map(({ key, label, colour }) => (
              <Bar key={key} dataKey={key} name={label} stackId="all" fill={colour} isAnimationActive={false} />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
    </div>
  );
}

function ExactCounts({ active, payload, label }: TooltipContentProps) {
  if (!active) return null;
  return (
    <div className="rounded-md border border-line-strong bg-raised px-2.5 py-1.5 text-xs tabular-nums shadow-raised">
      <p className="text-muted">{String(label)}</p>
      {payload.map((entry) => (
        <p key={String(entry.dataKey)}>
          {String(entry.name)}: {count(Number(entry.value))}
        </p>
      ))}
    </div>
  );
}
