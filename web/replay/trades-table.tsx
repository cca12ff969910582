import type { ReplayTrade } from '../../common/replay/model.ts';
import { reasonText } from '../../common/trading/reasons.ts';
import { shortSol, symbolOfToken } from '../trading/format.ts';
import { ProfitText } from '../trading/profit-text.tsx';
import { type DataColumn, DataTable } from '../ui/data-table.tsx';
import { shortAddress } from '../ui/format.ts';
import { timeText } from './hours.ts';
import type { TradeRow } from './rows.ts';

/** Purchases of a run beside the live ones. */
export function TradesTable({ rows }: { rows: readonly TradeRow[] }) {
  return (
    <DataTable
      label="Trades"
      look="stacked"
      columns={columns}
      rows={rows}
      rowId={({ replay, live }) => (replay ?? live)?.address ?? ''}
      box="max-h-[32rem]"
    />
  );
}

const columns: readonly DataColumn<TradeRow>[] = [
  {
    id: 'token',
    label: 'Token',
    cellClass: 'min-w-0',
    cell: ({ replay, live }) => {
      const trade = replay ?? live;
      if (trade === null) return null;
      const { symbol, address, planName, at } = trade;
      return (
        <>
          <span className="block truncate font-medium">{symbolOfToken({ symbol, name: null, address })}</span>
          <span className="block text-muted text-xs">
            <code>{shortAddress(address)}</code> · {timeText(at)} · {planName}
          </span>
        </>
      );
    },
  },
  {
    id: 'result',
    label: 'Result',
    align: 'right',
    cellClass: 'whitespace-nowrap',
    cell: ({ replay }) => <Result trade={replay} />,
  },
  { id: 'replay', label: 'Replay', cellClass: '@max-4xl:col-span-2', cell: ({ replay }) => <Story trade={replay} /> },
  {
    id: 'live',
    label: 'Live',
    cellClass: '@max-4xl:col-span-2 text-muted',
    cell: ({ live }) => (
      <>
        <span className="@4xl:hidden">Live: </span>
        <Story trade={live} />
        {/* A failed purchase usually cost nothing. */}
        {live !== null && !(live.state === 'failed' && live.resultLamports === 0) && (
          <>
            {' · '}
            <Result trade={live} />
          </>
        )}
      </>
    ),
  },
];

function Result({ trade }: { trade: ReplayTrade | null }) {
  return trade?.resultLamports == null ? '–' : <ProfitText lamports={trade.resultLamports} />;
}

/** What became of a purchase, in one line. */
function Story({ trade }: { trade: ReplayTrade | null }) {
  return <span className="text-sm">{storyOf(trade)}</span>;
}

function storyOf(trade: ReplayTrade | null): string {
  if (trade === null) return 'Not bought';
  const { state, lamports, sales, feesLamports, failure } = trade;
  if (state === 'failed') return failure === null ? 'Failed' : reasonText(failure);
  const sold = sales.map(
    ({ exit, at, lamports: received }) => `${exit ?? 'sold'} ${timeText(at)} for ${shortSol(received)}`,
  );
  const end = state === 'open' ? ['still open'] : [];
  return [`Paid ${shortSol(lamports)} SOL`, ...sold, ...end, `fees ${shortSol(feesLamports)}`].join(' · ');
}
