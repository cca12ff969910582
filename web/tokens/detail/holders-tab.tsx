import { Users } from 'lucide-react';
import { DAY, MINUTE, SECOND } from '../../../common/time.ts';
import type { TokenDetail } from '../../../common/tokens/model.ts';
import { listedAt } from '../../../common/tokens/order.ts';
import type { Holder } from '../../../common/tokens/wallets/model.ts';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CopyAddress } from '../../ui/copy-address.tsx';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { age, compact, count, MISSING, share } from '../../ui/format.ts';
import { Bar } from '../cells.tsx';
import { directionColor } from '../change.tsx';
import { Framed } from './framed.tsx';
import { useHolders } from './use-detail.ts';
import { WalletBadges } from './wallet-badges.tsx';

const TOP = 10;
const PROFIT_DECIMALS = 3;
const MORE = 'max-lg:hidden';

const columns: readonly DataColumn<Holder>[] = [
  {
    id: 'place',
    label: '#',
    align: 'right',
    className: 'w-8',
    cellClass: 'text-muted',
    cell: (_, index) => index + 1,
  },
  { id: 'wallet', label: 'Wallet', cell: (holder) => <WalletCell holder={holder} /> },
  {
    id: 'tokens',
    label: 'Tokens',
    align: 'right',
    className: 'max-2xl:hidden',
    cell: (holder) => compact(holder.tokens),
  },
  {
    id: 'share',
    label: 'Share of supply',
    align: 'right',
    cell: (holder) => (
      <span className="flex items-center justify-end gap-2">
        <Bar share={Math.min(100, holder.share)} className="max-w-16 max-2xl:hidden" />
        {share(holder.share, 2)}
      </span>
    ),
  },
  { id: 'bought', label: 'Bought', align: 'right', className: MORE, cell: ({ bought }) => solOf(bought) },
  { id: 'sold', label: 'Sold', align: 'right', className: MORE, cell: ({ sold }) => solOf(sold) },
  { id: 'left', label: 'Left', align: 'right', className: MORE, cell: ({ remaining }) => share(remaining, 0) },
  {
    id: 'profit',
    label: 'Profit, SOL',
    align: 'right',
    cellClass: ({ profit }) => classNames('whitespace-nowrap', profitColor(profit)),
    cell: ({ profit }) => profitOf(profit),
  },
  { id: 'first', label: 'First buy', align: 'right', className: MORE, cell: firstBuyOf },
];

/** Shows the largest wallets of a token, with what each bought, sold and made. */
export function HoldersTab({ token }: { token: TokenDetail }) {
  return (
    <Framed query={useHolders(token.address)} name="holders" title="Error Loading Holders">
      {(holders) =>
        holders.length === 0 ? (
          <Empty icon={Users} title="No Holder Data" text="The wallets that hold this token are not known yet." />
        ) : (
          <>
            <Concentration token={token} holders={holders} />
            <DataTable columns={columns} rows={holders} rowId={({ wallet }) => wallet} />
            <p className="border-line border-t px-4 py-2 text-muted text-xs">{accuracyOf(token)}</p>
            <p className="px-4 pb-2 text-muted text-xs">{figuresNote(token, holders)}</p>
          </>
        )
      }
    </Framed>
  );
}

/** Shows how much of the supply the groups behind a coin have. */
function Concentration({ token, holders }: { token: TokenDetail; holders: readonly Holder[] }) {
  const topTen = holders.slice(0, TOP).reduce((sum, holder) => sum + holder.share, 0);
  const figures: readonly [string, string][] = [
    ['Top 10', share(Math.min(100, topTen))],
    ['Bundle bought', share(token.bundleShare)],
    ['Insiders hold', share(token.insiderShare)],
    ['Creator holds', share(token.developerShare)],
  ];
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 border-line border-b px-4 py-2 text-xs tabular-nums">
      {figures.map(([label, figure]) => (
        <div key={label} className="flex gap-1.5">
          <dt className="text-muted">{label}</dt>
          <dd className="font-medium">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

function WalletCell({ holder }: { holder: Holder }) {
  const { wallet, isCreator, labels, bought, sold } = holder;
  // The place in the list shows the ten largest.
  const others = labels.filter((label) => label !== 'top-10' && !(isCreator && label === 'developer'));
  return (
    <span className="flex min-w-0 flex-col gap-0.5 py-1">
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <CopyAddress address={wallet} label="holder address" />
        {isCreator && <Badge tone="warning">Creator</Badge>}
        <WalletBadges labels={others} />
      </span>
      {bought !== null && (
        <span className="text-2xs text-muted lg:hidden">
          Bought {solOf(bought)} · sold {solOf(sold)} · {firstBuyOf(holder)}
        </span>
      )}
    </span>
  );
}

function solOf(sol: number | null): string {
  return sol === null ? MISSING : sol.toFixed(3);
}

function profitOf(profit: number | null): string {
  if (profit === null) return MISSING;
  const shown = Math.abs(profit).toFixed(PROFIT_DECIMALS);
  if (Number(shown) === 0) return shown;
  return `${profit < 0 ? '▼ −' : '▲ +'}${shown}`;
}

function profitColor(profit: number | null): string {
  const shown = Number((profit ?? 0).toFixed(PROFIT_DECIMALS));
  return directionColor[shown === 0 ? 'flat' : shown > 0 ? 'up' : 'down'];
}

/** Returns the time of the first purchase after the creation: `+12s`, in seconds up to ten minutes. */
function firstBuyOf({ firstBuyAfter }: Holder): string {
  if (firstBuyAfter === null) return MISSING;
  return `+${firstBuyAfter < 10 * MINUTE ? `${Math.floor(firstBuyAfter / SECOND)}s` : age(0, firstBuyAfter)}`;
}

/** Returns what the profit means, or why it is unknown. */
function figuresNote(token: TokenDetail, holders: readonly Holder[]): string {
  if (holders.some(({ bought }) => bought !== null)) {
    return 'Bought, sold and profit are in SOL without fees; profit has the rest at the present price.';
  }
  const unknown = 'Bought, sold and profit are unknown:';
  if (token.buys === null) return `${unknown} trades before the first one seen are missing.`;
  if (Date.now() - listedAt(token) > DAY) return `${unknown} trades are stored for a day.`;
  return `${unknown} the holders' trades have no value in SOL, or there are too many of them.`;
}

/** Returns what the balances come from, and when they can be wrong. */
function accuracyOf({ holdersFrom, tradesMissed }: TokenDetail): string {
  if (holdersFrom === 'accounts') return 'Read from accounts now and then, not with every trade.';
  if (holdersFrom === 'past-trades') return 'As of the last counted trade; older trades are no longer stored.';
  const trades =
    tradesMissed === 0
      ? ''
      : ` At least ${count(tradesMissed)} ${tradesMissed === 1 ? 'trade was' : 'trades were'} missed, so balances can be wrong.`;
  return `Counted from the observed trades: transfers between wallets are not followed.${trades}`;
}
