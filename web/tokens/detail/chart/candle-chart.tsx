import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { INTERVAL_SECONDS } from '../../../../common/tokens/candles/model.ts';
import type { CandleSeries } from './candle-series.ts';
import { type CandleChart as Chart, createCandleChart, type PriceView } from './canvas/engine.ts';
import type { PriceLine } from './canvas/lines.ts';
import { Legend } from './legend.tsx';
import { type ChartMark, placeMarks } from './marks.ts';

/** Draws candles with marks and lines. `since`: creation of the coin, epoch ms. */
export default function CandleChart(props: {
  series: CandleSeries;
  view: PriceView & { unit: string };
  marks: readonly ChartMark[];
  lines: readonly PriceLine[];
  since: number;
  onOlder: () => void;
  onDrop: (line: PriceLine, price: number) => void;
  onAxisClick: (value: number) => void;
}) {
  const { series, view, marks, lines, since } = props;
  const box = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<Chart | null>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const onOlder = useEffectEvent(props.onOlder);
  const onDrop = useEffectEvent(props.onDrop);
  const onAxisClick = useEffectEvent(props.onAxisClick);

  useEffect(() => {
    if (box.current === null) return undefined;
    const made = createCandleChart(box.current, {
      onHover: setHovered,
      onOlder: () => onOlder(),
      onDrop: (line, price) => onDrop(line, price),
      onAxisClick: (value) => onAxisClick(value),
    });
    setChart(made);
    return () => made.remove();
  }, []);

  useEffect(() => chart?.setView(view), [chart, view]);
  useEffect(() => chart?.setLines(lines), [chart, lines]);
  useEffect(() => {
    if (chart === null) return undefined;
    const place = () => chart.setMarks(placeMarks(marks, series.candles(), series.isWhole() ? since : null));
    let drawn = series.candles().at(-1);
    place();
    return series.subscribe((change) => {
      const last = series.candles().at(-1);
      if (change === 'all' || last?.at !== drawn?.at) place();
      drawn = last;
    });
  }, [chart, series, marks, since]);
  useEffect(() => {
    if (chart === null) return undefined;
    const seconds = INTERVAL_SECONDS[series.interval];
    let drawn = series.candles().at(-1);
    chart.setCandles(series.candles(), seconds);
    return series.subscribe((change) => {
      const last = series.candles().at(-1);
      if (change === 'all') chart.setCandles(series.candles(), seconds);
      else if (last !== undefined) chart.setLast(drawn, last);
      drawn = last;
    });
  }, [chart, series]);

  return (
    <div className="relative h-full">
      <Legend series={series} view={view} marks={marks} since={since} hovered={hovered} />
      {/* The name and the table give its content: a canvas has none for screen readers. */}
      <div ref={box} className="h-full" data-candles />
    </div>
  );
}
