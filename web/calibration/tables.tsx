import type { AgeCalibration, ListFigures } from '../../common/calibration/model.ts';
import { ageText } from '../../common/calibration/sentence.ts';
import { classNames } from '../ui/class-names.ts';
import type { DataColumn } from '../ui/data-table.tsx';
import { count } from '../ui/format.ts';
import { LevelShape, levelColor } from '../ui/risk-pill.tsx';
import { TableCard } from '../ui/table-card.tsx';
import { figureText, rateText, shareText } from './text.ts';

const ageColumns: readonly DataColumn<AgeCalibration>[] = [
  { id: 'age', label: 'Age', rowHeader: true, cell: ({ age }) => ageText(age) },
  { id: 'coins', label: 'Coins', align: 'right', cell: ({ cases }) => count(cases) },
  { id: 'lost', label: 'Lost 80 %', align: 'right', cell: ({ lost }) => shareText(lost.share) },
  { id: 'area', label: 'AUC', align: 'right', cell: ({ area }) => figureText(area) },
  { id: 'brier', label: 'Brier', align: 'right', cell: ({ brier }) => figureText(brier) },
];

/** AUC and Brier score by age. */
export function AgeTable({ ages }: { ages: readonly AgeCalibration[] }) {
  return (
    <TableCard title="Separation by age" columns={ageColumns} rows={ages} rowId={({ age }) => String(age)}>
      <p className="border-line border-t px-4 py-3 text-muted text-xs">
        AUC: chance that a coin that loses 80 % of its liquidity had the higher score; 0.5 is a coin toss, 1 is perfect.
        Brier: squared error of the score as a probability; lower is better. Both with 95 % intervals.
      </p>
    </TableCard>
  );
}

type Band = AgeCalibration['bands'][number];

const bandColumns: readonly DataColumn<Band>[] = [
  {
    id: 'band',
    label: 'Badge',
    rowHeader: true,
    cell: ({ band }) => (
      <span className={classNames('inline-flex items-center gap-1.5', levelColor[band])}>
        <LevelShape level={band} />
        {band}
      </span>
    ),
  },
  { id: 'coins', label: 'Coins', align: 'right', cell: ({ lost }) => count(lost.cases) },
  { id: 'lost', label: 'Lost 80 %', align: 'right', cell: ({ lost }) => shareText(lost.share) },
  { id: 'doubled', label: 'Doubled', align: 'right', cell: ({ doubled }) => shareText(doubled.share) },
];

/** What happened within an hour, by the badge at one age. */
export function BandTable({ calibration }: { calibration: AgeCalibration }) {
  return (
    <TableCard
      title="By badge"
      actions={<span className="text-muted text-xs">at {ageText(calibration.age)}, within the next hour</span>}
      columns={bandColumns}
      rows={calibration.bands}
      rowId={({ band }) => band}
    />
  );
}

type RunnerRow = ListFigures & { event: string };

const runnerColumns: readonly DataColumn<RunnerRow>[] = [
  { id: 'event', label: 'Within an hour', rowHeader: true, cell: ({ event }) => event },
  { id: 'precision', label: 'Of the runners', align: 'right', cell: ({ precision }) => rateText(precision) },
  { id: 'base', label: 'Of any coin', align: 'right', cell: ({ base }) => rateText(base) },
  { id: 'recall', label: 'Found by the list', align: 'right', cell: ({ recall }) => rateText(recall) },
];

/** Precision and recall of the runner list at one age, beside the base rate. */
export function RunnerTable({ calibration }: { calibration: AgeCalibration }) {
  const { doubled, graduated } = calibration.runners;
  const rows: RunnerRow[] = [
    { event: 'Doubled', ...doubled },
    { event: 'Graduated', ...graduated },
  ];
  return (
    <TableCard
      title="Runners"
      actions={<span className="text-muted text-xs">in the list at {ageText(calibration.age)}</span>}
      columns={runnerColumns}
      rows={rows}
      rowId={({ event }) => event}
    />
  );
}
