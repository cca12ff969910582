import {
  Area,
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceDot,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  useYAxisScale,
  XAxis,
  YAxis,
  type YAxisTickContentProps,
} from 'recharts';
import type { Sample } from '../../../common/tokens/model.ts';
import type { OwnFill } from '../../trading/own-fills.ts';
import { clockTime, price, utcTime } from '../../ui/format.ts';
import { FillMark } from './fill-mark.tsx';

interface Point {
  time: number;
  price: number | null;
  /** Lowest and highest price of the span; null when unknown. */
  range: [number, number] | null;
  volume: number;
  at: string;
}

/** Volume takes the lower quarter, below the price. */
const VOLUME_SHARE = 4;
/** Spans shorter than this have labels with seconds, ms: minutes would repeat. */
const SECONDS_BELOW_MS = 600_000;
/** Distances of these labels, ms, and how many fit into a span. */
const SECOND_STEPS = [1, 2, 5, 10, 15, 30, 60, 120].map((seconds) => seconds * 1_000);
const STEPS_MAX = 5;
/** Margin above and below the line, as a share of the price: a constant price is drawn in the middle. */
const PRICE_ROOM = 0.02;
const AXIS_WIDTH = 72;
const LABEL_HEIGHT = 18;
const LABEL_GAP = 4;
/** Least distance between the tag of the last price and a label of the axis, px. */
const LABEL_ROOM = 2;
const tick = { fill: 'var(--color-muted)', fontSize: 11 };

/** Draws the price as a line on the range of each span, the volume as bars below, and marks the user's own trades. */
export default function PriceChart({ samples, marks }: { samples: readonly Sample[]; marks: readonly OwnFill[] }) {
  const points = samples.map(pointOf);
  const last = points.at(-1)?.price ?? null;
  const first = points[0]?.price ?? null;
  const colour = last !== null && first !== null && last < first ? 'var(--color-down)' : 'var(--color-up)';
  const [from, to] = [points[0]?.time ?? 0, points.at(-1)?.time ?? 0];
  const short = to - from < SECONDS_BELOW_MS;
  const most = Math.max(...points.map((point) => point.volume), Number.MIN_VALUE);
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart data={points} margin={{ top: 8, right: 0, bottom: 0, left: 0 }}>
        <CartesianGrid yAxisId="price" stroke="var(--color-line)" vertical={false} />
        <XAxis
          dataKey="time"
          type="number"
          domain={['dataMin', 'dataMax']}
          {...(short ? { ticks: secondTicks(from, to) } : {})}
          tickFormatter={(time: number) => (short ? clockTime(time) : clockTime(time).slice(0, 5))}
          tick={tick}
          tickLine={false}
          axisLine={false}
          minTickGap={48}
          padding={{ left: 4, right: 4 }}
        />
        <YAxis
          yAxisId="price"
          orientation="right"
          domain={priceDomain}
          tick={(label) => <PriceLabel {...label} last={last} />}
          tickLine={false}
          axisLine={false}
          width={AXIS_WIDTH}
        />
        <YAxis yAxisId="volume" hide domain={[0, most * VOLUME_SHARE]} />
        <Tooltip
          content={ExactValues}
          cursor={{ stroke: 'var(--color-line-strong)', strokeDasharray: '3 3' }}
          isAnimationActive={false}
        />
        <Bar
          yAxisId="volume"
          dataKey="volume"
          fill="var(--color-muted)"
          fillOpacity={0.35}
          isAnimationActive={false}
          barSize={3}
        />
        <Area
          yAxisId="price"
          dataKey="range"
          stroke="none"
          fill={colour}
          fillOpacity={0.2}
          activeDot={false}
          isAnimationActive={false}
          connectNulls
        />
        <Line
          yAxisId="price"
          dataKey="price"
          stroke={colour}
          strokeWidth={1.5}
          dot={false}
          activeDot={{ r: 3, strokeWidth: 0, fill: colour }}
          isAnimationActive={false}
          connectNulls
        />
        {last !== null && <LastPrice value={last} colour={colour} />}
        <OwnFills fills={marks} />
      </ComposedChart>
    </ResponsiveContainer>
  );
}

/** A line at the last price, with its value on the axis. */
function LastPrice({ value, colour }: { value: number; colour: string }) {
  return (
    <ReferenceLine
      yAxisId="price"
      y={value}
      stroke={colour}
      strokeDasharray="2 3"
      strokeOpacity={0.6}
      label={<LastLabel text={price(value)} colour={colour} />}
    />
  );
}

/** Marks trades at their times and prices; the axis is extended where a price is outside of it. */
function OwnFills({ fills }: { fills: readonly OwnFill[] }) {
  return fills.map(({ id, side, time, price: paid, text }) => (
    <ReferenceDot
      key={id}
      yAxisId="price"
      x={time}
      y={paid}
      ifOverflow="extendDomain"
      shape={(dot) => <FillMark cx={dot.cx} cy={dot.cy} side={side} text={text} />}
    />
  ));
}

function pointOf({ at, price, low, high, volume }: Sample): Point {
  return { time: Date.parse(at), price, range: low === null || high === null ? null : [low, high], volume, at };
}

/** Returns times of labels with seconds, epoch ms, no two of the same second: those of the library may be. */
function secondTicks(from: number, to: number): number[] {
  const step = SECOND_STEPS.find((one) => to - from <= one * STEPS_MAX) ?? SECONDS_BELOW_MS;
  const first = Math.ceil(from / step);
  const count = Math.floor(to / step) - first + 1;
  // A label at the edge of the chart is not drawn.
  if (count < 2) return [(from + to) / 2];
  return Array.from({ length: count }, (_, index) => (first + index) * step);
}

function priceDomain([low, high]: readonly [number, number]): [number, number] {
  return [low * (1 - PRICE_ROOM), high * (1 + PRICE_ROOM)];
}

/** Draws a price on the axis, unless the tag of the last price would cover a part of it. */
function PriceLabel({ x, y, payload, last }: YAxisTickContentProps & { last: number | null }) {
  const scale = useYAxisScale('price');
  const tagAt = last === null ? undefined : scale?.(last);
  if (tagAt !== undefined && Math.abs(Number(y) - tagAt) < (LABEL_HEIGHT + tick.fontSize) / 2 + LABEL_ROOM) return null;
  return (
    <text x={x} y={y} dy="0.355em" {...tick}>
      {price(Number(payload.value))}
    </text>
  );
}

/** Draws the last price on the axis, in the place of ticks. */
function LastLabel({ text, colour, viewBox }: { text: string; colour: string; viewBox?: unknown }) {
  if (!isBox(viewBox)) return null;
  const left = viewBox.x + viewBox.width + LABEL_GAP;
  return (
    <g data-last-price>
      <rect
        x={left}
        y={viewBox.y - LABEL_HEIGHT / 2}
        width={AXIS_WIDTH - LABEL_GAP}
        height={LABEL_HEIGHT}
        rx={4}
        fill={colour}
      />
      <text x={left + 6} y={viewBox.y + 4} fill="var(--color-bg)" fontSize={11} fontWeight={600}>
        {text}
      </text>
    </g>
  );
}

function isBox(value: unknown): value is { x: number; y: number; width: number } {
  return typeof value === 'object' && value !== null && 'x' in value && 'y' in value && 'width' in value;
}

function ExactValues({ active, payload }: TooltipContentProps) {
  const point: unknown = payload[0]?.payload;
  if (!active || !isPoint(point)) return null;
  return (
    <div className="rounded-md border border-line-strong bg-raised px-2.5 py-1.5 text-xs tabular-nums shadow-raised">
      <p className="text-muted">{utcTime(point.at)}</p>
      <p>Price {price(point.price)} SOL</p>
      {point.range !== null && point.range[0] < point.range[1] && (
        <p>
          Range {price(point.range[0])} – {price(point.range[1])} SOL
        </p>
      )}
      <p>Volume {point.volume.toFixed(3)} SOL</p>
    </div>
  );
}

function isPoint(value: unknown): value is Point {
  return typeof value === 'object' && value !== null && 'at' in value && 'volume' in value;
}
