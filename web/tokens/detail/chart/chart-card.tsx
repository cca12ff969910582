import { ChartLine } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { causeText } from '../../../../common/alerts/cause.ts';
import { alertCalls } from '../../../../common/alerts/http.ts';
import type { TargetAlert } from '../../../../common/alerts/rules/model.ts';
import {
  type CandleInterval,
  candleIntervalSchema,
  INTERVAL_SECONDS,
} from '../../../../common/tokens/candles/model.ts';
import type { TokenDetail, Trade } from '../../../../common/tokens/model.ts';
import { serverClockAtom } from '../../../live/atoms/clock.ts';
import { useUserQuery } from '../../../live/hooks/use-user-query.ts';
import { atom, useAtom, useAtomValue } from '../../../store.ts';
import { useOwnFills } from '../../../trading/own-fills.ts';
import { useOpenPositions, useTradingAccount } from '../../../trading/state/trading.ts';
import { Card } from '../../../ui/card.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { plainPrice, signedPercent, utcTime } from '../../../ui/format.ts';
import { Problem } from '../../../ui/problem.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { TableSwitch } from '../../../ui/table-switch.tsx';
import type { WalletLabels } from '../use-detail.ts';
import type { CandleSeries } from './candle-series.ts';
import { CandleTable } from './candle-table.tsx';
import type { PriceLine } from './canvas/lines.ts';
import { curveLines, positionLines } from './exit-lines.ts';
import { type ChartMark, ownMarks, walletMarks } from './marks.ts';
import { alertLines, type Picked, PriceAlertDialog, PriceAlerts, usePriceAlerts } from './price-alerts.tsx';
import { type ChartAxis, priceView, supplyOf } from './price-view.ts';
import { Segments } from './segments.tsx';
import { type UsedCandles, useCandles } from './use-candles.ts';
import { useExitDrag } from './use-exit-drag.tsx';

// The charting library is larger than the rest of the page: it is loaded when a chart is shown.
const CandleChart = lazy(() => import('./candle-chart.tsx'));

/** Candles that the first interval of a coin should fill. */
const FITTING = 40;

/** Axis of all charts of this visit. */
const axisAtom = atom<ChartAxis>('market-cap');
const logAtom = atom(false);

/** Returns the longest interval of which a coin of this age (ms) has 40. */
function fittingInterval(age: number): CandleInterval {
  const fits = (one: CandleInterval) => age / 1_000 >= FITTING * INTERVAL_SECONDS[one];
  return candleIntervalSchema.options.findLast(fits) ?? '1s';
}

/** Shows price and volume over time, live, as candles or a table. `since`: creation of the coin, epoch ms. */
export function ChartCard(props: {
  token: TokenDetail;
  since: number;
  trades: readonly Trade[];
  labels: WalletLabels;
}) {
  const { token, since, trades, labels } = props;
  const [interval, setInterval] = useState<CandleInterval>(() => fittingInterval(Date.now() - since));
  const [axis, setAxis] = useAtom(axisAtom);
  const [isLog, setLog] = useAtom(logAtom);
  const [asTable, setAsTable] = useState(false);
  const candles = useCandles(token.address, interval);
  const marks = useMarks(token, trades, labels);
  const alerts = usePriceAlerts(token.address);
  const [picked, setPicked] = useState<Picked | null>(null);
  const hasSupply = supplyOf(token) !== null;
  return (
    <Card
      title="Price and volume"
      actions={
        <div className="flex flex-wrap items-center gap-2">
          <Segments
            label="Time span"
            options={candleIntervalSchema.options.map((id) => ({ id, text: id }))}
            chosen={interval}
            onChange={setInterval}
          />
          <Segments
            label="Axis"
            options={[
              { id: 'market-cap', text: 'MC', disabled: !hasSupply, title: 'Market cap: price × supply' },
              { id: 'price', text: 'Price', title: 'Price in SOL' },
            ]}
            chosen={hasSupply ? axis : 'price'}
            onChange={setAxis}
          />
          <Segments
            label="Scale"
            options={[
              { id: 'linear', text: 'lin' },
              { id: 'log', text: 'log' },
            ]}
            chosen={isLog ? 'log' : 'linear'}
            onChange={(scale) => setLog(scale === 'log')}
          />
          <TableSwitch asTable={asTable} onChange={setAsTable} icon={ChartLine} />
        </div>
      }
    >
      <div className="h-80 xl:h-[380px]">
        <Candles {...{ token, since, candles, marks, alerts, axis, isLog, asTable }} onPick={setPicked} />
      </div>
      <PriceAlerts
        alerts={alerts}
        onNew={() => setPicked({ unit: token.marketCap === null ? 'price' : 'market-cap', value: null })}
      />
      <p className="mt-2 flex flex-wrap justify-between gap-x-3 text-2xs text-muted">
        <OriginNote series={candles.series} />
        <span>Times are UTC.</span>
      </p>
      {picked !== null && <PriceAlertDialog address={token.address} picked={picked} onClose={() => setPicked(null)} />}
    </Card>
  );
}

interface CandlesProps {
  token: TokenDetail;
  since: number;
  candles: UsedCandles;
  marks: readonly ChartMark[];
  axis: ChartAxis;
  isLog: boolean;
  asTable: boolean;
  alerts: readonly TargetAlert[];
  onPick: (picked: Picked) => void;
}

function Candles({ token, since, candles, marks, alerts, axis, isLog, asTable, onPick }: CandlesProps) {
  const { data, error, reload, loading, series, loadOlder } = candles;
  useAtomValue(serverClockAtom);
  const { totalSupply, decimals, solUsd } = token;
  const rate = solUsd?.rate ?? null;
  const view = useMemo(
    () =>
      priceView({ totalSupply, decimals, solUsd: rate === null ? null : { rate, at: '', source: '' } }, axis, isLog),
    [totalSupply, decimals, rate, axis, isLog],
  );
  const lines = useLines(token, alerts);
  const onAxisClick = (value: number) =>
    onPick(view.unit === 'market cap' ? { unit: 'market-cap', value } : { unit: 'price', value: value / view.factor });
  const onDrop = useExitDrag(token.price);
  if (data === undefined && error !== null) {
    return (
      <Problem title="Error Loading Chart" text={error} onRetry={() => void reload()} busy={loading} className="py-6" />
    );
  }
  if (data === undefined) return <Skeleton className="h-full w-full" />;
  const shown = series.candles();
  if (asTable) return <CandleTable candles={shown} />;
  if (shown.length === 0 && data.candles.length === 0) {
    return (
      <Empty icon={ChartLine} title="No trades yet" text="The chart begins with the first trade." className="py-10" />
    );
  }
  return (
    <figure aria-label={summaryOf(series, marks)} className="m-0 h-full overflow-clip">
      <Suspense fallback={<Skeleton className="h-full w-full" />}>
        <CandleChart {...{ series, view, marks, lines, since }} onOlder={loadOlder} {...{ onDrop, onAxisClick }} />
      </Suspense>
      <OwnTrades marks={marks} />
    </figure>
  );
}

/** Lists the user's own trades for screen readers. */
function OwnTrades({ marks }: { marks: readonly ChartMark[] }) {
  const own = marks.filter(({ kind }) => kind === 'own');
  if (own.length === 0) return null;
  return (
    <ul className="sr-only">
      {own.map(({ id, side, text }) => (
        <li key={id} data-fill={side}>
          {text}
        </li>
      ))}
    </ul>
  );
}

/** Returns the events on the chart. */
function useMarks(token: TokenDetail, trades: readonly Trade[], labels: WalletLabels): readonly ChartMark[] {
  const fills = useOwnFills(token.address);
  const { data: alerts } = useUserQuery(alertCalls.list, {});
  const { address, migratedAt } = token;
  return useMemo(() => {
    const rung = (alerts ?? []).filter((alert) => alert.address === address);
    return [
      ...walletMarks(trades, labels),
      ...rung.map(({ id, at, cause }) => {
        const text = cause === null ? 'Alert' : `Alert: ${causeText(cause)}`;
        return { id, kind: 'alert' as const, side: null, time: Date.parse(at), text };
      }),
      ...(migratedAt === null
        ? []
        : [
            {
              id: 'migration',
              kind: 'migration' as const,
              side: null,
              time: Date.parse(migratedAt),
              text: 'Moved into its pool',
            },
          ]),
      ...ownMarks(fills),
    ];
  }, [trades, labels, fills, alerts, address, migratedAt]);
}

/** Returns the lines at prices: those of the curve, of the user's alerts, and of the user's positions in the present mode. */
function useLines(token: TokenDetail, alerts: readonly TargetAlert[]): readonly PriceLine[] {
  const { address, stage, price, currentLiquidity, totalSupply, decimals, solUsd } = token;
  const mode = useTradingAccount()?.mode;
  const positions = useOpenPositions();
  return useMemo(() => {
    const own = (positions ?? []).filter((one) => one.mode === mode && one.token.address === address);
    const curve = curveLines({ stage, price, currentLiquidity });
    return [...curve, ...alertLines(alerts, { totalSupply, decimals, solUsd }), ...own.flatMap(positionLines)];
  }, [positions, alerts, mode, address, stage, price, currentLiquidity, totalSupply, decimals, solUsd]);
}

/** Names the part of the candles that is made of chart points. */
function OriginNote({ series }: { series: CandleSeries }) {
  useAtomValue(serverClockAtom);
  const tape = series.parts().find(({ from }) => from === 'trades');
  const [first] = series.parts();
  if (first === undefined || first.from === 'trades') return <span />;
  const until = tape === undefined ? '' : ` before ${utcTime(tape.since * 1_000)}`;
  const span = first.from === 'hours' ? 'hours' : 'minutes';
  return (
    <span>
      Trades are kept for a day: candles{until} are made of points of {span}, without the sides of the volume.
    </span>
  );
}

/** Returns the content of the chart in one sentence, for screen readers. */
function summaryOf(series: CandleSeries, marks: readonly ChartMark[]): string {
  const candles = series.candles();
  const [first, last] = [candles[0], candles.at(-1)];
  if (first === undefined || last === undefined) return 'Price: no trades yet.';
  const change = first.open > 0 ? (last.close / first.open - 1) * 100 : null;
  const events = marks
    .filter(({ kind }) => kind === 'own' || kind === 'migration')
    .map(({ text }) => ` ${text}.`)
    .join('');
  const prices = `Price from ${plainPrice(first.open)} to ${plainPrice(last.close)} SOL, ${signedPercent(change)}`;
  return `${prices}, in candles of ${series.interval}.${events} The table shows every figure.`;
}
