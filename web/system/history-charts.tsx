import { Fragment } from 'react';
import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceArea,
  ReferenceDot,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from 'recharts';
import type { SystemMinute } from '../../common/admin/model.ts';
import { clockTime, MISSING, utcTime } from '../ui/format.ts';
import {
  errorCounts,
  errorsBySource,
  formatValue,
  type Series,
  type Span,
  scaleOf,
  series,
  spans,
  ticksOf,
} from './history-series.ts';

interface Point {
  time: number;
  /** The value on the scale: at most its end. */
  value: number | null;
  /** Whether the value is above the scale. */
  isOutlier: boolean;
  text: string;
  /** Second line of the tooltip. */
  detail: string;
}

interface HistoryChartsProps {
  /** Points of the span, oldest first; at least two. */
  history: readonly SystemMinute[];
  span: Span;
  /** Starts of the server, oldest first. */
  starts: readonly string[];
  nameOf: (source: string) => string;
}

const AXIS_WIDTH = 64;
/** Keeps a figure and its unit on one line. */
const NO_BREAK = '\u00A0';
const tick = { fill: 'var(--color-muted)', fontSize: 11 };
const markText = { fill: 'var(--color-muted)', fontSize: 10 };
const startLabel = { value: 'Start', position: 'insideTopRight', ...markText } as const;

/** Small charts of a span, with one point per minute, or per ten minutes of a day. */
export default function HistoryCharts({ history, span, starts, nameOf }: HistoryChartsProps) {
  const end = Date.parse(history.at(-1)?.at ?? '');
  const from = end - spans[span];
  const times: Times = { from, to: end, starts: starts.map(Date.parse).filter((at) => at > from && at <= end) };
  return (
    <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-3">
      {series.map((one) => (
        <figure key={one.id} aria-label={summaryOf(one, history, span)} className="m-0 min-w-0 overflow-x-clip">
          <figcaption className="flex items-baseline justify-between gap-3 text-xs">
            <span className="text-muted">{one.label}</span>
            <span className="font-semibold tabular-nums">{formatValue(one, history.at(-1))}</span>
          </figcaption>
          <div className="mt-1 h-28">
            <SmallChart series={one} history={history} times={times} nameOf={nameOf} />
          </div>
        </figure>
      ))}
    </div>
  );
}

/** Returns a one-sentence description of a chart for screen readers. */
function summaryOf(one: Series, history: readonly SystemMinute[], span: Span): string {
  const values = history.map(one.valueIn).filter((value) => value !== null);
  const maximum = values.length === 0 ? MISSING : one.format(Math.max(...values));
  return `${one.label} of the last ${spanNames[span]}: now ${formatValue(one, history.at(-1))}, at most ${maximum}. The table shows every value.`;
}

const spanNames: Record<Span, string> = { '15 m': '15 minutes', '1 h': 'hour', '24 h': '24 hours' };

/** Times of a chart, epoch ms. */
interface Times {
  from: number;
  to: number;
  /** Starts of the server within them, oldest first. */
  starts: readonly number[];
}

function SmallChart(props: {
  series: Series;
  history: readonly SystemMinute[];
  times: Times;
  nameOf: (source: string) => string;
}) {
  const { series: one, history, times, nameOf } = props;
  const { look, whole, format, limits, valueIn } = one;
  const { from, to, starts } = times;
  const scale = scaleOf(history.map(valueIn).filter((value) => value !== null));
  const points = pointsOf(one, { history, scale, nameOf });
  const colour = look === 'bars' ? 'var(--color-down)' : 'var(--color-accent)';
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart data={points} syncId="system" margin={{ top: 12, right: 0, bottom: 0, left: 0 }}>
        {limits !== undefined && <Bands good={limits.good} fair={limits.fair} scale={scale} />}
        <CartesianGrid stroke="var(--color-line)" vertical={false} />
        <XAxis
          dataKey="time"
          type="number"
          domain={[from, to]}
          ticks={ticksOf(from, to)}
          tickFormatter={(time: number) => clockTime(time).slice(0, 5)}
          tick={tick}
          tickLine={false}
          axisLine={false}
          padding={{ left: 4, right: 4 }}
        />
        <YAxis
          orientation="right"
          domain={[0, scale]}
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
        {starts.map((at, place) => (
          // Labels of all starts could overlap, and the label would take a key of the mark as a property.
          <Fragment key={at}>
            <ReferenceLine
              x={at}
              stroke="var(--color-control)"
              strokeDasharray="2 3"
              label={place === starts.length - 1 && startLabel}
            />
          </Fragment>
        ))}
        {look === 'bars' ? (
          <Bar dataKey="value" fill={colour} isAnimationActive={false} barSize={3} />
        ) : (
          <Line
            dataKey="value"
            type={look === 'steps' ? 'stepBefore' : 'linear'}
            stroke={colour}
            strokeWidth={1.5}
            dot={false}
            activeDot={{ r: 3, strokeWidth: 0, fill: colour }}
            isAnimationActive={false}
          />
        )}
        {points
          .filter(({ isOutlier }) => isOutlier)
          .map(({ time, text }) => (
            // The label would take a key of the mark as a property.
            <Fragment key={time}>
              <ReferenceDot x={time} y={scale} r={0} label={{ value: `▲ ${text}`, position: 'top', ...markText }} />
            </Fragment>
          ))}
      </ComposedChart>
    </ResponsiveContainer>
  );
}

/** Returns the points of a chart. Values above `scale`, the top of its axis, stand at it and are marked. */
function pointsOf(
  series: Series,
  { history, scale, nameOf }: { history: readonly SystemMinute[]; scale: number; nameOf: (source: string) => string },
): Point[] {
  return history.map((minute) => {
    const value = series.valueIn(minute);
    return {
      time: Date.parse(minute.at),
      value: value === null ? null : Math.min(value, scale),
      isOutlier: value !== null && value > scale,
      text: formatValue(series, minute),
      detail: series.id === 'errors' ? errorCounts(errorsBySource([minute]), nameOf) : '',
    };
  });
}

/** Colors the ground of good, fair and bad values. */
function Bands({ good, fair, scale }: { good: number; fair: number; scale: number }) {
  const bands = [
    { from: 0, to: good, fill: 'var(--color-up)' },
    { from: good, to: fair, fill: 'var(--color-risk-medium)' },
    { from: fair, to: scale, fill: 'var(--color-down)' },
  ];
  return bands
    .filter(({ from }) => from < scale)
    .map(({ from, to, fill }) => (
      <ReferenceArea key={from} y1={from} y2={Math.min(to, scale)} fill={fill} fillOpacity={0.08} stroke="none" />
    ));
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
