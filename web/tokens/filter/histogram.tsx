import type { Range } from '../../../common/tokens/filters.ts';
import type { Facet } from '../../../common/tokens/http.ts';
import { count } from '../../ui/format.ts';
import { shortFigure, type Unit } from './fields.ts';

const WIDTH = 200;
const HEIGHT = 22;
/** Height of a bar with at least one token, so that it is seen beside a high one. */
const LEAST = 2;

/** Shows how the tokens are spread over a figure; the bars within the range are in color. */
export function Histogram({ facet, range, unit }: { facet: Facet; range: Range; unit: Unit }) {
  const { bars, bounds, unknown } = facet;
  const low = bounds[0];
  const high = bounds.at(-1);
  if (low === undefined || high === undefined) return null;
  const most = Math.max(1, ...bars);
  const step = WIDTH / bars.length;
  // Where all figures are nearly the same, the server's bars still rise to a highest bound, which no token has.
  const areAlike = unit !== 'percent' && bars.every((tokens, at) => at === 0 || tokens === 0);
  return (
    <figure>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="block h-5.5 w-full"
      >
        {bars.map((tokens, at) => {
          const size = tokens === 0 ? 0 : Math.max(LEAST, (tokens / most) * HEIGHT);
          const isWithin =
            (range.min ?? 0) <= (bounds[at + 1] ?? high) &&
            (range.max ?? Number.POSITIVE_INFINITY) >= (bounds[at] ?? low);
          return (
            <rect
              // Bars have no name but their place.
              key={bounds[at]}
              x={at * step + 0.5}
              y={HEIGHT - size}
              width={step - 1}
              height={size}
              className={isWithin ? 'fill-accent/70' : 'fill-line-strong'}
            />
          );
        })}
        <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="stroke-line" />
      </svg>
      <figcaption className="flex justify-between text-2xs text-muted leading-3.5 tabular-nums">
        <span>
          <span className="sr-only">From </span>
          {shortFigure(low, unit)}
        </span>
        {unknown > 0 && <span>{count(unknown)} unknown</span>}
        {!areAlike && (
          <span>
            <span className="sr-only">to </span>
            {shortFigure(high, unit)}
          </span>
        )}
      </figcaption>
    </figure>
  );
}
