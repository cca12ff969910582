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
import { errorCounts, errorsBySource, formatValue, type Series, series } from './history-series.ts';

interface Point {
  time: number;
  value: number | null;
  text: string;
  /** Second line of the tooltip. */
  detail: string;
}

const AXIS_WIDTH = 64;
/** Keeps a figure and its unit on one line. */
const NO_BREAK = '\u00A0';
const tick = { fill: 'var(--color-muted)', fontSize: 11 };

/** Small charts of the last hour, with one point per minute. Needs at least two minutes. */
export default function HistoryCharts(props: { history: readonly SystemMinute[]; nameOf: (source: string) => string }) {
  const { history, nameOf } = props;
  return (
    <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-3">
      {series.map((one) => (
        <figure key={one.id} aria-label={summaryOf(one, history)} className="m-0 min-w-0 overflow-x-clip">
          <figcaption className="flex items-baseline justify-between gap-3 text-xs">
            <span className="text-muted">{one.label}</span>
            <span className="font-semibold tabular-nums">{formatValue(one, history.at(-1))}</span>
          </figcaption>
          <div className="mt-1 h-28">
            <SmallChart series={one} points={history.map((minute) => pointOf(one, minute, nameOf))} />
          </div>
        </figure>
      ))}
    </div>
  );
}

function pointOf(one: Series, minute: SystemMinute, nameOf: (source: string) => string): Point {
  const detail = one.id === 'errors' ? errorCounts(errorsBySource([minute]), nameOf) : '';
  return { time: Date.parse(minute.at), value: one.valueIn(minute), text: formatValue(one, minute), detail };
}

/** Returns a one-sentence description of a chart for screen readers. */
function summaryOf(one: Series, history: readonly SystemMinute[]): string {
  const values = history.map(one.valueIn).filter((value) => value !== null);
  const maximum = values.length === 0 ? MISSING : one.format(Math.max(...values));
  return `${one.label} of the last hour: now ${formatValue(one, history.at(-1))}, at most ${maximum}. The table shows every minute.`;
}

function SmallChart({ series: { bars, whole, format }, points }: { series: Series; points: Point[] }) {
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
          domain={[0, upperBound]}
          tickCount={3}
          allowDecimals={!whole}
          tickFormatter={(value: number) => format(value).replaceAll(' ', NO_BREAK)}
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

/** At least 1, so that figures that are all 0 are drawn at the bottom rather than in the middle. */
function upperBound(maximum: number): number {
  return Math.max(maximum, 1);
}

function ExactValue({ active, payload }: TooltipContentProps) {
  const point: unknown = payload[0]?.payload;
  if (!active || !isPoint(point)) return null;
  return (
    <div className="max-w-56 rounded-md border border-line-strong bg-raised px-2.5 py-1.5 text-xs tabular-nums shadow-raised">
      <p className="text-muted">{utcTime(point.time)}</p>
      <p>{point.text}</p>
      {point.detail !== '' && <p className="text-muted">{point.detail}</p>}
    </div>
  );
}

function isPoint(value: unknown): value is Point {
  return typeof value === 'object' && value !== null && 'time' in value && 'detail' in value;
}
