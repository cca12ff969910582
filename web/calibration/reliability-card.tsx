import { ChartColumn } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { AgeCalibration } from '../../common/calibration/model.ts';
import { ageText } from '../../common/calibration/sentence.ts';
import { Card } from '../ui/card.tsx';
import { classNames } from '../ui/class-names.ts';
import { type DataColumn, DataTable } from '../ui/data-table.tsx';
import { Empty } from '../ui/empty.tsx';
import { count } from '../ui/format.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { TableSwitch } from '../ui/table-switch.tsx';
import { binLabel, shareText } from './text.ts';

const ReliabilityChart = lazy(() => import('./reliability-chart.tsx'));

type Bin = AgeCalibration['bins'][number];

const columns: readonly DataColumn<Bin>[] = [
  { id: 'score', label: 'Score', rowHeader: true, cell: ({ scores }) => binLabel(scores) },
  { id: 'coins', label: 'Coins', align: 'right', cell: ({ lost }) => count(lost.cases) },
  { id: 'lost', label: 'Lost 80 %', align: 'right', cell: ({ lost }) => shareText(lost.share) },
];

/** Share of coins by score that lost 80 % of their liquidity within an hour, at one age, as a chart or as a table. */
export function ReliabilityCard(props: { ages: readonly AgeCalibration[]; age: number; onAge: (age: number) => void }) {
  const { ages, age, onAge } = props;
  const [asTable, setAsTable] = useState(false);
  const current = ages.find((one) => one.age === age);
  return (
    <Card
      title="Reliability"
      actions={
        <div className="flex items-center gap-2">
          <fieldset className="flex gap-0.5 rounded-md border border-line p-0.5">
            <legend className="sr-only">Age of the coins</legend>
            {ages.map((one) => (
              <button
                key={one.age}
                type="button"
                aria-pressed={one.age === age}
                onClick={() => onAge(one.age)}
                className={classNames(
                  'h-6 whitespace-nowrap rounded-sm px-2 font-medium text-xs transition-colors',
                  one.age === age ? 'bg-text/8 text-text' : 'text-muted hover:text-text',
                )}
              >
                {ageText(one.age)}
              </button>
            ))}
          </fieldset>
          <TableSwitch asTable={asTable} onChange={setAsTable} icon={ChartColumn} />
        </div>
      }
    >
      {current !== undefined && <Bins calibration={current} asTable={asTable} />}
      <p className="mt-2 text-muted text-xs">
        Bars: coins with this score at {ageText(age)} that lost 80 % of their liquidity within the next hour, with 95 %
        intervals. Dashed line: the share that the score names if it is read as a probability.
      </p>
    </Card>
  );
}

function Bins({ calibration, asTable }: { calibration: AgeCalibration; asTable: boolean }) {
  const { age, bins, cases } = calibration;
  if (cases === 0) {
    return (
      <Empty
        icon={ChartColumn}
        title="No cases yet"
        text="A case is settled one hour after a coin has reached this age."
        className="py-10"
      />
    );
  }
  if (asTable) {
    return (
      <DataTable
        label="Losses by score"
        look="dense"
        box="max-h-72"
        columns={columns}
        rows={bins}
        rowId={({ scores }) => binLabel(scores)}
      />
    );
  }
  const known = bins.filter(({ lost }) => lost.cases > 0);
  const spoken = known.map(({ scores, lost }) => `score ${binLabel(scores)}: ${shareText(lost.share)}`).join('; ');
  return (
    <figure
      aria-label={`Losses by score at ${ageText(age)}: ${spoken}`}
      className="m-0 h-64 min-w-0 overflow-x-clip xl:h-88"
    >
      <Suspense fallback={<Skeleton className="h-full" />}>
        <ReliabilityChart bins={bins} />
      </Suspense>
    </figure>
  );
}
