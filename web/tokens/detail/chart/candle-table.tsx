import type { Candle } from '../../../../common/tokens/candles/model.ts';
import { type DataColumn, DataTable } from '../../../ui/data-table.tsx';
import { MISSING, utcTime } from '../../../ui/format.ts';
import { Price } from '../../../ui/price.tsx';

/** Rows of the table, at most: the newest candles. */
const TABLE_ROWS = 60;

const columns: readonly DataColumn<Candle>[] = [
  { id: 'at', label: 'Time', cellClass: 'text-muted', cell: ({ at }) => utcTime(at * 1_000) },
  { id: 'open', label: 'Open', align: 'right', className: 'max-sm:hidden', cell: ({ open }) => <Price value={open} /> },
  { id: 'high', label: 'High', align: 'right', className: 'max-sm:hidden', cell: ({ high }) => <Price value={high} /> },
  { id: 'low', label: 'Low', align: 'right', className: 'max-sm:hidden', cell: ({ low }) => <Price value={low} /> },
  { id: 'close', label: 'Close (SOL)', align: 'right', cell: ({ close }) => <Price value={close} /> },
  { id: 'bought', label: 'Bought (SOL)', align: 'right', cell: ({ bought }) => bought?.toFixed(3) ?? MISSING },
  {
    id: 'sold',
    label: 'Sold (SOL)',
    align: 'right',
    cell: ({ volume, bought }) => (volume === null || bought === null ? MISSING : (volume - bought).toFixed(3)),
  },
];

/** Shows candles as a table, newest first. */
export function CandleTable({ candles }: { candles: readonly Candle[] }) {
  return (
    <DataTable
      look="dense"
      columns={columns}
      rows={candles.slice(-TABLE_ROWS).reverse()}
      rowId={({ at }) => String(at)}
      box="h-full rounded-md border border-line"
    />
  );
}
