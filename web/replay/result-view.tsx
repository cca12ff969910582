import { SearchX } from 'lucide-react';
import { counted } from '../../common/counted.ts';
import type { ReplayResult, ReplaySums } from '../../common/replay/model.ts';
import { tradingModeNames } from '../../common/trading/account.ts';
import { reasonText } from '../../common/trading/reasons.ts';
import { shortSol, signedSol } from '../trading/format.ts';
import { ProfitText } from '../trading/profit-text.tsx';
import { Card } from '../ui/card.tsx';
import { type DataColumn, DataTable } from '../ui/data-table.tsx';
import { Empty } from '../ui/empty.tsx';
import { count } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { gapsText, timeText } from './hours.ts';
import { rowsOf } from './rows.ts';
import { TradesTable } from './trades-table.tsx';

/** The result of a run beside what the plan really bought: totals, trades, and why tokens were not bought. */
export function ResultView({ result }: { result: ReplayResult }) {
  const { replay, live, gaps, considered, refusals } = result;
  const rows = rowsOf(replay.trades, live.trades);
  const refused = refusals.reduce((sum, refusal) => sum + refusal.count, 0);
  return (
    <section aria-label="Result" className="flex min-w-0 flex-col gap-3">
      {gaps.length > 0 && (
        <Notice tone="warning">Not recorded: {gapsText(gaps)}. Nothing is bought or sold in between.</Notice>
      )}
      {(live.mode === 'local' || live.mode === 'live') && (
        <Notice tone="info">
          Live orders of this hour were on the {tradingModeNames[live.mode]}. The replay fills its orders on paper.
        </Notice>
      )}
      <Card
        title={`${timeText(result.from)} to ${timeText(result.to)} UTC · ${counted(considered, 'new token')}`}
        flush
      >
        <DataTable
          label="Totals"
          columns={sumColumns(live.mode)}
          rows={sums(replay.sums, live.sums)}
          rowId={({ name }) => name}
        />
      </Card>
      <Card title="Trades" flush>
        {rows.length === 0 ? (
          <Empty icon={SearchX} title="Nothing was bought." text="Neither in this run nor live in that hour." />
        ) : (
          <TradesTable rows={rows} />
        )}
      </Card>
      {refusals.length > 0 && (
        <Card title={`Not bought · ${counted(refused, 'token')}`} flush>
          <p className="px-4 py-2 text-muted text-xs">Each token counts once, with its last reason.</p>
          <DataTable label="Reasons" columns={refusalColumns} rows={refusals} rowId={({ reason }) => reason.code} />
        </Card>
      )}
      <p className="text-muted text-xs">
        On paper, others are assumed to have traded the same. Open positions count with what their sale would return at
        the end of the hour. Live shows what became of your positions of this hour until now.
      </p>
    </section>
  );
}

interface SumRow {
  name: string;
  replay: number | null;
  live: number | null;
  unit: 'count' | 'sol' | 'profit';
}

function sums(replay: ReplaySums, live: ReplaySums): SumRow[] {
  const row = (name: string, key: keyof ReplaySums, unit: SumRow['unit']): SumRow => ({
    ...{ name, unit, replay: replay[key], live: live[key] },
  });
  return [
    row('Bought', 'bought', 'count'),
    row('Failed', 'failed', 'count'),
    row('Sold', 'closed', 'count'),
    row('Still open', 'open', 'count'),
    row('Spent', 'spentLamports', 'sol'),
    row('Fees', 'feesLamports', 'sol'),
    row('Realised', 'realisedLamports', 'profit'),
    row('Result', 'resultLamports', 'profit'),
  ];
}

function Figure({ value, unit }: { value: number | null; unit: SumRow['unit'] }) {
  if (value === null) return '–';
  if (unit === 'count') return count(value);
  return unit === 'sol' ? `${shortSol(value)} SOL` : <ProfitText lamports={value}>{signedSol(value)}</ProfitText>;
}

function sumColumns(mode: ReplayResult['live']['mode']): DataColumn<SumRow>[] {
  const liveName = mode === null ? 'Live' : `Live · ${tradingModeNames[mode]}`;
  return [
    { id: 'name', label: 'Total', labelHidden: true, rowHeader: true, cell: ({ name }) => name },
    {
      id: 'replay',
      label: 'Replay · Paper',
      align: 'right',
      cell: ({ replay, unit }) => <Figure value={replay} unit={unit} />,
    },
    { id: 'live', label: liveName, align: 'right', cell: ({ live, unit }) => <Figure value={live} unit={unit} /> },
  ];
}

const refusalColumns: readonly DataColumn<ReplayResult['refusals'][number]>[] = [
  {
    id: 'reason',
    label: 'Last reason, with the figures of one token',
    cellClass: 'py-2',
    cell: ({ reason }) => reasonText(reason),
  },
  { id: 'count', label: 'Tokens', align: 'right', cell: (refusal) => count(refusal.count) },
];
