import { useMemo } from 'react';
import type { Candle } from '../../../../common/tokens/candles/model.ts';
import { serverClockAtom } from '../../../live/atoms/clock.ts';
import { useAtomValue } from '../../../store.ts';
import { classNames } from '../../../ui/class-names.ts';
import { directionOf, MISSING, signedPercent } from '../../../ui/format.ts';
import { directionColor } from '../../change.tsx';
import type { CandleSeries } from './candle-series.ts';
import type { PriceView } from './canvas/engine.ts';
import { type ChartMark, placeMarks } from './marks.ts';

const place = 'pointer-events-none absolute top-0 left-0 z-10 max-w-[calc(100%-72px)] text-2xs text-muted tabular-nums';

/** Shows the exact figures of the candle under the pointer, or of the last one, with the events at it. */
export function Legend(props: {
  series: CandleSeries;
  view: PriceView & { unit: string };
  marks: readonly ChartMark[];
  since: number;
  /** Begin of the span under the pointer, epoch s; null without one. */
  hovered: number | null;
}) {
  const { series, view, marks, since, hovered } = props;
  // The last candle changes with every trade: it is read once a second.
  useAtomValue(serverClockAtom);
  const candles = series.candles();
  const candle = hovered === null ? candles.at(-1) : candles.find(({ at }) => at === hovered);
  const earliest = series.isWhole() ? since : null;
  const placed = useMemo(
    () => (hovered === null ? [] : placeMarks(marks, candles, earliest)),
    [hovered, marks, candles, earliest],
  );
  if (candle === undefined)
    return hovered === null ? null : (
      <p data-legend className={place}>
        No trade in this span
      </p>
    );
  const change = candle.open > 0 ? (candle.close / candle.open - 1) * 100 : null;
  const figures: [string, number][] = [
    ['O', candle.open],
    ['H', candle.high],
    ['L', candle.low],
    ['C', candle.close],
  ];
  return (
    <div data-legend className={place}>
      <p className="flex flex-wrap gap-x-2">
        {figures.map(([label, value]) => (
          <span key={label}>
            {label} <span className="text-text">{view.format(value * view.factor)}</span>
          </span>
        ))}
        <span className={classNames(directionColor[directionOf(change)])}>{signedPercent(change)}</span>
        <Volume candle={candle} />
      </p>
      {placed
        .filter(({ at }) => at === hovered)
        .map(({ id, text }) => (
          <p key={id} className="text-text">
            {text}
          </p>
        ))}
    </div>
  );
}

function Volume({ candle: { volume, bought } }: { candle: Candle }) {
  if (volume === null) return <span>Vol {MISSING}</span>;
  return (
    <span>
      Vol <span className="text-text">{volume.toFixed(3)} SOL</span>
      {bought !== null && (
        <>
          {' '}
          <span className="text-up">▲ {bought.toFixed(3)}</span>{' '}
          <span className="text-down">▼ {Math.max(0, volume - bought).toFixed(3)}</span>
        </>
      )}
    </span>
  );
}
