import {
  Bar,
  CartesianGrid,
  Cell,
  ComposedChart,
  ErrorBar,
  Line,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from 'recharts';
import type { AgeCalibration } from '../../common/calibration/model.ts';
import { type RiskLevel, riskLevel } from '../../common/tokens/levels.ts';
import { count } from '../ui/format.ts';
import { binLabel, rateText } from './text.ts';

const tick = { fill: 'var(--color-muted)', fontSize: 11 };

const colours: Record<RiskLevel, string> = {
  'Low Risk': 'var(--color-risk-low)',
  'Medium Risk': 'var(--color-risk-medium)',
  'High Risk': 'var(--color-risk-high)',
  Unknown: 'var(--color-risk-unknown)',
};

interface Point {
  label: string;
  /** Percent; undefined without cases. */
  share: number | undefined;
  /** Distance of the interval's bounds from the share, percentage points. */
  range: [number, number] | undefined;
  /** Percent that the score itself names; undefined for Unknown. */
  forecast: number | undefined;
  colour: string;
  text: string;
}

/** Draws for each tenth of the scale the share of coins that lost 80 % of their liquidity, beside the share that the score names. */
export default function ReliabilityChart({ bins }: { bins: AgeCalibration['bins'] }) {
  const points = bins.map(pointOf);
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart data={points} margin={{ top: 8, right: 4, bottom: 0, left: 0 }} barCategoryGap="20%">
        <CartesianGrid stroke="var(--color-line)" vertical={false} />
        <XAxis
          dataKey="label"
          tick={tick}
          tickLine={false}
          axisLine={false}
          interval="preserveStartEnd"
          minTickGap={4}
        />
        <YAxis
          tick={tick}
          tickLine={false}
          axisLine={false}
          width={48}
          domain={[0, 100]}
          tickFormatter={(value: number) => `${value}\u00a0%`}
        />
        <Tooltip
          content={ExactRate}
          cursor={{ fill: 'var(--color-text)', fillOpacity: 0.06 }}
          isAnimationActive={false}
        />
        <Bar dataKey="share" isAnimationActive={false} radius={[2, 2, 0, 0]}>
          {points.map(({ label, colour }) => (
            <Cell key={label} fill={colour} fillOpacity={0.75} />
          ))}
          <ErrorBar dataKey="range" width={4} strokeWidth={1.25} stroke="var(--color-text)" isAnimationActive={false} />
        </Bar>
        <Line
          dataKey="forecast"
          stroke="var(--color-muted)"
          strokeDasharray="4 3"
          strokeWidth={1.25}
          dot={false}
          activeDot={false}
          isAnimationActive={false}
        />
      </ComposedChart>
    </ResponsiveContainer>
  );
}

function pointOf({ scores, lost }: AgeCalibration['bins'][number]): Point {
  const { share } = lost;
  const percent = (value: number) => Math.round(value * 1_000) / 10;
  return {
    label: binLabel(scores),
    share: share === null ? undefined : percent(share.value),
    range: share === null ? undefined : [percent(share.value - share.low), percent(share.high - share.value)],
    forecast: scores === null ? undefined : (scores.from + scores.to) / 2,
    colour: colours[riskLevel(scores?.to ?? null)],
    text: lost.cases === 0 ? `${count(0)} coins` : rateText(lost),
  };
}

function ExactRate({ active, payload }: TooltipContentProps) {
  const point: unknown = payload[0]?.payload;
  if (!active || !isPoint(point)) return null;
  return (
    <div className="rounded-md border border-line-strong bg-raised px-2.5 py-1.5 text-xs tabular-nums shadow-raised">
      <p className="text-muted">Score {point.label}</p>
      <p>Lost 80 %: {point.text}</p>
    </div>
  );
}

function isPoint(value: unknown): value is Point {
  return typeof value === 'object' && value !== null && 'label' in value && 'text' in value;
}
