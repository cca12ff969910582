import type { WouldBuy } from '../../common/strategies/preview.ts';
import { exitNames } from '../../common/trading/exits.ts';
import { Age } from '../live/hooks/age.tsx';
import { detailPath } from '../tokens/links.ts';
import { nameOf, symbolOf } from '../tokens/text.ts';
import { ProfitText } from '../trading/profit-text.tsx';
import { classNames } from '../ui/class-names.ts';
import { type DataColumn, DataTable } from '../ui/data-table.tsx';
import { directionOf, MISSING, percentChange } from '../ui/format.ts';
import { Price } from '../ui/price.tsx';

/** Columns are hidden by the width of the section rather than the screen, since a dialog can be narrow too. */
const whenWidest = '@max-5xl:hidden';
const whenWide = '@max-4xl:hidden';
const whenRoomy = '@max-3xl:hidden';
const whenMedium = '@max-lg:hidden';

const columns: readonly DataColumn<WouldBuy>[] = [
  {
    id: 'token',
    label: 'Token',
    // In a narrow section names are truncated, never figures.
    cellClass: 'max-w-40 truncate @max-lg:w-full @max-lg:max-w-0',
    cell: (buy) => <TokenLink buy={buy} />,
  },
  { id: 'bought', label: 'Bought', align: 'right', cellClass: 'text-muted', cell: ({ at }) => <Age at={at} /> },
  {
    id: 'price',
    label: 'Price paid',
    align: 'right',
    className: whenWidest,
    cell: (buy) => <Price value={buy.price} />,
  },
  {
    id: 'priceNow',
    label: 'Price now',
    align: 'right',
    className: whenWidest,
    cell: (buy) => <Price value={buy.priceNow} />,
  },
  {
    id: 'change',
    label: 'Change',
    align: 'right',
    className: whenRoomy,
    cell: ({ change }) => <Change percent={change} />,
  },
  { id: 'best', label: 'Best', align: 'right', className: whenWide, cell: ({ best }) => <Change percent={best} /> },
  { id: 'worst', label: 'Worst', align: 'right', className: whenWide, cell: ({ worst }) => <Change percent={worst} /> },
  {
    id: 'sold',
    label: 'Sold by',
    className: whenMedium,
    cell: ({ sold }) => (sold === null ? <Held /> : <Sold sold={sold} />),
  },
  {
    id: 'result',
    label: 'Result',
    align: 'right',
    cell: ({ resultLamports }) => <ProfitText lamports={resultLamports} />,
  },
];

/** Simulated purchases, newest first. */
export function PreviewTable({ buys }: { buys: readonly WouldBuy[] }) {
  return (
    <DataTable
      label="Purchases that would have happened"
      columns={columns}
      rows={buys}
      rowId={({ address }) => address}
      box="max-h-[320px] border-line border-t"
    />
  );
}

/** Opens the token in a new tab, so that the form keeps its input. */
function TokenLink({ buy }: { buy: WouldBuy }) {
  return (
    <a
      href={detailPath(buy.address)}
      target="_blank"
      rel="noopener"
      title={nameOf(buy)}
      className="font-medium hover:underline"
    >
      <bdi>{symbolOf(buy) ?? nameOf(buy)}</bdi>
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}

function Sold({ sold }: { sold: NonNullable<WouldBuy['sold']> }) {
  return (
    <span className="flex gap-1.5 whitespace-nowrap">
      {exitNames[sold.by]} <Change percent={sold.change} />
    </span>
  );
}

function Held() {
  return (
    <span className="text-muted">
      <span aria-hidden="true">{MISSING}</span>
      <span className="sr-only">still held</span>
    </span>
  );
}

function Change({ percent }: { percent: number | null }) {
  const direction = directionOf(percent);
  return (
    <span
      className={classNames(
        'whitespace-nowrap',
        direction === 'up' && 'text-up',
        direction === 'down' && 'text-down',
        direction === 'flat' && 'text-muted',
      )}
    >
      {percentChange(percent)}
    </span>
  );
}
