import type { Candle } from '../../common/tokens/candles/model.ts';
import { createCandleSeries } from '../tokens/detail/chart/candle-series.ts';
import { createCandleChart } from '../tokens/detail/chart/canvas/engine.ts';

/**
 * The page of `npm run bench:chart`: the chart of a coin without the app around it. `?candles=` is the number of candles, `?rate=`
 * updates a second, `?redraw=1` the control that draws all candles with each update. `data-frames` counts the painted frames.
 */
const query = new URLSearchParams(window.location.search);
const count = Number(query.get('candles'));
const updateMs = 1_000 / Number(query.get('rate'));
const redraws = query.get('redraw') === '1';

const START = 1_790_000_000;
const PRICE = 0.000_000_03;
const box = document.createElement('div');
box.style.cssText = 'width:900px;height:380px';
document.body.append(box);

const nothing = () => undefined;
const chart = createCandleChart(box, { onHover: nothing, onOlder: nothing, onDrop: nothing, onAxisClick: nothing });
const series = createCandleSeries('1s');
let price = PRICE;
/** Moves the price by a fixed pattern, so that runs are alike. */
const step = (index: number) => {
  price *= 1 + 0.01 * Math.sin(index * 1.7) * Math.cos(index * 0.31);
  return price;
};
const candles: Candle[] = Array.from({ length: count }, (_, index) => {
  const open = price;
  const close = step(index);
  const [high, low] = [Math.max(open, close) * 1.004, Math.min(open, close) * 0.996];
  return { at: START + index, open, high, low, close, volume: 1 + (index % 7), bought: index % 5 };
});
series.load({ candles, parts: [{ from: 'trades', since: START }], next: null, newest: null });
chart.setView({ factor: 1, format: (value) => value.toPrecision(4), isLog: false });
chart.setCandles(series.candles(), 1);

let drawn = series.candles().at(-1);
series.subscribe(() => {
  const last = series.candles().at(-1);
  if (redraws) chart.setCandles([...series.candles()], 1);
  else if (last !== undefined) chart.setLast(drawn, last);
  drawn = last;
});

let updates = 0;
setInterval(() => {
  updates += 1;
  // A new candle with every tenth update.
  const at = new Date((START + count) * 1_000 + Math.floor(updates * updateMs)).toISOString();
  const side = updates % 3 === 0 ? 'sell' : 'buy';
  const trade = { id: String(updates), at, side, wallet: 'wallet', sol: 0.1, tokens: 1, price: step(updates) } as const;
  series.addTrades([{ ...trade, signature: null, slot: null }]);
  // The chart paints within the next frame.
  requestAnimationFrame(() => {
    document.body.dataset.frames = String(updates);
  });
}, updateMs);
