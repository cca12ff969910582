import { ChartLine } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { type SampleRange, sampleRangeSchema } from '../../../common/tokens/http.ts';
import type { Sample } from '../../../common/tokens/model.ts';
import { fillsWithin, type OwnFill, useOwnFills } from '../../trading/own-fills.ts';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { liquidity, MISSING, plainPrice, signedPercent, utcTime } from '../../ui/format.ts';
import { Price } from '../../ui/price.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TableSwitch } from '../../ui/table-switch.tsx';
import { rangeMs, useSamples } from './use-samples.ts';

// The charting library is larger than the rest of the page: it is loaded when a chart is shown.
const PriceChart = lazy(() => import('./price-chart.tsx'));

const rangeLabels: Record<SampleRange, string> = { '10m': '10m', '1h': '1h', '8h': '8h', all: 'All' };
/** Maximum number of rows of the table behind the chart; beyond it, every n-th sample is shown. */
const TABLE_ROWS = 60;

/** Returns the longest span that a token of this age (ms) fills. */
function fittingRange(age: number): SampleRange {
  if (age < 600_000) return '10m';
  return age < 7_200_000 ? '1h' : '8h';
}

/** Shows price and volume over time, live, as a chart or a table. `since`: creation of the token, epoch ms. */
export function ChartCard({ address, since }: { address: string; since: number }) {
  const [range, setRange] = useState<SampleRange>(() => fittingRange(Date.now() - since));
  const [asTable, setAsTable] = useState(false);
  const samples = useSamples(address, range);
  const fills = useOwnFills(address);
  const spanBegin = (to: number) => Math.max(since, to - rangeMs[range]);
  return (
    <Card
      title="Price and volume"
      actions={
        <div className="flex items-center gap-2">
          <fieldset className="flex gap-0.5 rounded-md border border-line p-0.5">
            <legend className="sr-only">Time span</legend>
            {sampleRangeSchema.options.map((one) => (
              <button
                key={one}
                type="button"
                aria-pressed={range === one}
                onClick={() => setRange(one)}
                className={classNames(
                  'h-6 rounded-sm px-2 font-medium text-xs transition-colors',
                  range === one ? 'bg-text/8 text-text' : 'text-muted hover:text-text',
                )}
              >
                {rangeLabels[one]}
              </button>
            ))}
          </fieldset>
          <TableSwitch asTable={asTable} onChange={setAsTable} icon={ChartLine} />
        </div>
      }
    >
      <div className="h-64">
        {samples.data === null && samples.error !== null && (
          <Problem
            title="Error Loading Chart"
            text={samples.error.text}
            onRetry={samples.reload}
            busy={samples.loading}
            className="py-6"
          />
        )}
        {samples.data === null && samples.error === null && <Skeleton className="h-full w-full" />}
        {samples.data !== null && <Samples samples={samples.data} fills={fills} asTable={asTable} begins={spanBegin} />}
      </div>
    </Card>
  );
}

function Samples(props: {
  samples: readonly Sample[];
  fills: readonly OwnFill[];
  asTable: boolean;
  /** Returns the begin of the span that ends at a time, both epoch ms. */
  begins: (to: number) => number;
}) {
  const { samples, fills, asTable, begins } = props;
  const priced = samples.filter((sample) => sample.price !== null);
  if (asTable) return <SampleTable samples={samples} />;
  if (priced.length < 2) {
    return (
      <Empty
        icon={ChartLine}
        title="No prices in this span"
        text="The chart begins with the second trade."
        className="py-10"
      />
    );
  }
  const [from, to] = [Date.parse(priced[0]?.at ?? ''), Date.parse(priced.at(-1)?.at ?? '')];
  const marks = fillsWithin(fills, { since: begins(to), from, to });
  return (
    <figure aria-label={summaryOf(priced, marks)} className="m-0 h-full overflow-x-clip">
      <Suspense fallback={<Skeleton className="h-full w-full" />}>
        <PriceChart samples={priced} marks={marks} />
      </Suspense>
    </figure>
  );
}

/** Returns the content of the chart in one sentence, for screen readers. */
function summaryOf(samples: readonly Sample[], marks: readonly OwnFill[]): string {
  const first = samples[0]?.price ?? null;
  const last = samples.at(-1)?.price ?? null;
  const change = first === null || first === 0 || last === null ? null : (last / first - 1) * 100;
  const trades = marks.map(({ text }) => ` ${text}.`).join('');
  return `Price from ${plainPrice(first)} to ${plainPrice(last)} SOL, ${signedPercent(change)}.${trades} The table shows every figure.`;
}

const sampleColumns: readonly DataColumn<Sample>[] = [
  { id: 'at', label: 'Time', cellClass: 'text-muted', cell: (sample) => utcTime(sample.at) },
  { id: 'price', label: 'Price (SOL)', align: 'right', cell: (sample) => <Price value={sample.price} /> },
  {
    id: 'range',
    label: 'Low – high',
    align: 'right',
    className: 'max-sm:hidden',
    cell: ({ low, high }) => (
      <>
        <Price value={low} /> – <Price value={high} />
      </>
    ),
  },
  { id: 'volume', label: 'Volume (SOL)', align: 'right', cell: (sample) => sample.volume.toFixed(3) },
  {
    id: 'liquidity',
    label: 'Liquidity',
    align: 'right',
    className: 'max-sm:hidden',
    cell: (sample) => liquidity(sample.liquidity),
  },
  { id: 'holders', label: 'Holders', align: 'right', cell: ({ holders }) => holders ?? MISSING },
];

function SampleTable({ samples }: { samples: readonly Sample[] }) {
  const step = Math.max(1, Math.ceil(samples.length / TABLE_ROWS));
  const rows = samples.filter((_, at) => (samples.length - 1 - at) % step === 0).reverse();
  return (
    <DataTable
      look="dense"
      columns={sampleColumns}
      rows={rows}
      rowId={({ at }) => at}
      box="h-full rounded-md border border-line"
    />
  );
}
