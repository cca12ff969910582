import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from 'recharts';
import type { SystemMinute } from '../../common/admin/model.ts';
import { clockTime, MISSING, utcTime } from '../ui/format.ts';
import { errorsBySource, errorText, type Series, series, written } from './history.ts';

interface Point {
  time: number;
  value: number | null;
  text: string;
  /** What stands below the figure in the tooltip. */
  more: string;
}

const AXIS_WIDTH = 64;
/** A figure and its unit stay on one line. */
const NO_BREAK = '\u00A0';
const tick = { fill: 'var(--color-muted)', fontSize: 11 };

/** The last hour, a minute a point: small charts side by side. At least two minutes. */
export default function HistoryCharts({
  history,
  nameOf,
}: {
  history: readonly SystemMinute[];
  nameOf: (source: string) => string;
}) {
  return (
    <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-3">
      {series.map((one) => (
        <figure key={one.id} aria-label={summaryOf(one, history)} className="m-0 min-w-0">
          <figcaption className="flex items-baseline justify-between gap-3 text-xs">
            <span className="text-muted">{one.label}</span>
            <span className="font-semibold tabular-nums">{written(one, history.at(-1))}</span>
          </figcaption>
          <div className="mt-1 h-28">
            <SmallChart of={one} points={history.map((minute) => pointOf(one, minute, nameOf))} />
          </div>
        </figure>
      ))}
    </div>
  );
}

function pointOf(one: Series, minute: SystemMinute, nameOf: (source: string) => string): Point {
  const more = one.id === 'errors' ? errorText(errorsBySource([minute]), nameOf) : '';
  return { time: Date.parse(minute.at), value: one.of(minute), text: written(one, minute), more };
}

/** What a chart shows, in one sentence, for those who can't see it. */
function summaryOf(one: Series, history: readonly SystemMinute[]): string {
  const values = history.map(one.of).filter((value) => value !== null);
  const most = values.length === 0 ? MISSING : one.write(Math.max(...values));
  return `${one.label} of the last hour: now ${written(one, history.at(-1))}, at most ${most}. The table shows every minute.`;
}

function SmallChart({ of: { bars, whole, write }, points }: { of: Series; points: Point[] }) {
  const colour = bars ? 'var(--color-down)' : 'var(--color-accent)';
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart data={points} margin={{ top: 4, right: 0, bottom: 0, left: 0 }}>
        <CartesianGrid stroke="var(--color-line)" vertical={false} />
        <XAxis
          dataKey="time"
          type="number"
          domain={['dataMin', 'dataMax']}
          tickFormatter={(time: number) => clockTime(time).slice(0, 5)}
          tick={tick}
          tickLine={false}
          axisLine={false}
          minTickGap={40}
          padding={{ left: 4, right: 4 }}
        />
        <YAxis
          orientation="right"
          domain={[0, topOf]}
          tickCount={3}
          allowDecimals={!whole}
          tickFormatter={(value: number) => write(value).replaceAll(' ', NO_BREAK)}
          tick={tick}
          tickLine={false}
          axisLine={false}
          width={AXIS_WIDTH}
        />
        <Tooltip
          content={ExactValue}
          cursor={{ stroke: 'var(--color-line-strong)', strokeDasharray: '3 3' }}
          isAnimationActive={false}
        />
        {bars ? (
          <Bar dataKey="value" fill={colour} isAnimationActive={false} barSize={3} />
        ) : (
          <Line
            dataKey="value"
            stroke={colour}
            strokeWidth={1.5}
            dot={false}
            activeDot={{ r: 3, strokeWidth: 0, fill: colour }}
            isAnimationActive={false}
          />
        )}
      </ComposedChart>
    </ResponsiveContainer>
  );
}

/** Figures that are all 0 lie on the ground rather than in the middle. */
function topOf(most: number): number {
  return Math.max(most, 1);
}

function ExactValue({ active, payload }: TooltipContentProps) {
  const point: unknown = payload[0]?.payload;
  if (!active || !isPoint(point)) return null;
  return (
    <div className="max-w-56 rounded-md border border-line-strong bg-raised px-2.5 py-1.5 text-xs tabular-nums shadow-raised">
      <p className="text-muted">{utcTime(point.time)}</p>
      <p>{point.text}</p>
      {point.more !== '' && <p className="text-muted">{point.more}</p>}
    </div>
  );
}

function isPoint(value: unknown): value is Point {
  return typeof value === 'object' && value !== null && 'time' in value && 'more' in value;
}
