import type { Position } from '../../common/trading/position.ts';
import { Age } from '../live/hooks/age.tsx';
import { profitPercent, shortSol } from '../trading/format.ts';
import { ProfitText } from '../trading/profit-text.tsx';
import { type DataColumn, DataTable } from '../ui/data-table.tsx';
import { percentChange } from '../ui/format.ts';
import { originText, TokenCell } from './cells.tsx';

/** Closed positions with what they brought. */
export function ClosedTable({ positions }: { positions: readonly Position[] }) {
  return (
    <DataTable label="Closed positions" look="stacked" columns={columns} rows={positions} rowId={({ id }) => id} />
  );
}

const columns: readonly DataColumn<Position>[] = [
  { id: 'token', label: 'Token', cellClass: 'min-w-0', cell: (one) => <TokenCell position={one} /> },
  { id: 'origin', label: 'Bought by', cellClass: 'max-w-[16ch] truncate @max-4xl:order-3', cell: originText },
  {
    id: 'paid',
    label: 'Paid',
    align: 'right',
    cellClass: 'whitespace-nowrap @max-4xl:order-2 @max-4xl:text-left',
    cell: ({ paidLamports }) => (
      <>
        <span className="text-muted @4xl:hidden">paid </span>
        {shortSol(paidLamports)} SOL
      </>
    ),
  },
  {
    id: 'received',
    label: 'Received',
    align: 'right',
    cellClass: 'whitespace-nowrap @max-4xl:order-2',
    cell: ({ proceedsLamports }) => (
      <>
        <span className="text-muted @4xl:hidden">received </span>
        {shortSol(proceedsLamports)} SOL
      </>
    ),
  },
  {
    id: 'fees',
    label: 'Fees',
    align: 'right',
    cellClass: 'whitespace-nowrap @max-4xl:hidden',
    cell: ({ feesLamports }) => `${shortSol(feesLamports)} SOL`,
  },
  {
    id: 'profit',
    label: 'Profit',
    align: 'right',
    cellClass: '@max-4xl:order-1',
    cell: ({ realisedLamports, paidLamports }) => (
      <>
        <ProfitText lamports={realisedLamports} />
        <span className="block text-xs">
          <ProfitText lamports={realisedLamports}>
            {percentChange(profitPercent(realisedLamports, paidLamports))}
          </ProfitText>
        </span>
      </>
    ),
  },
  {
    id: 'closed',
    label: 'Closed',
    align: 'right',
    cellClass: 'whitespace-nowrap text-muted @max-4xl:order-4',
    cell: ({ closedAt, openedAt }) => (
      <>
        <Age at={closedAt ?? openedAt} /> ago
      </>
    ),
  },
];
