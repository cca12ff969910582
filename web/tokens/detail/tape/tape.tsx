import { ArrowLeftRight, ExternalLink, ListFilter, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Cluster, TokenDetail, Trade } from '../../../../common/tokens/model.ts';
import type { WalletLabel } from '../../../../common/tokens/wallets/model.ts';
import { useExplorerUrl } from '../../../chain/config.ts';
import type { Fetched } from '../../../http/loaded.tsx';
import { serverClockAtom } from '../../../live/atoms/clock.ts';
import { Age } from '../../../live/hooks/age.tsx';
import { useAtomValue } from '../../../store.ts';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { CopyAddress } from '../../../ui/copy-address.tsx';
import { type DataColumn, DataTable } from '../../../ui/data-table.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { compact, MISSING, shortAddress } from '../../../ui/format.ts';
import { Price } from '../../../ui/price.tsx';
import { Segments } from '../chart/segments.tsx';
import { Framed } from '../framed.tsx';
import { TRADES_MAX, type WalletLabels } from '../use-detail.ts';
import { WalletBadges } from '../wallet-badges.tsx';
import { filterTrades, lastMinute, TAPE_SIZES, type TapeFilter, wholeTape } from './filter.ts';

const NO_LABELS: readonly WalletLabel[] = [];

/** Shows the token's trades as they happen, with the sums of the last minute and filters. */
export function Tape(props: {
  token: TokenDetail;
  trades: Fetched<Trade[]>;
  labels: WalletLabels;
  /** False when the labels could not be fetched: only the creator has one. */
  hasLabels: boolean;
  /** Class names of the box that scrolls. */
  box?: string;
}) {
  const { token, trades, labels, hasLabels, box = 'max-h-[520px]' } = props;
  return (
    <Framed query={trades} name="transactions" title="Error Loading Transactions">
      {(rows) =>
        rows.length === 0 ? (
          <Empty icon={ArrowLeftRight} title="No Transactions" text="This token has not been traded yet." />
        ) : (
          <Filtered {...{ token, rows, labels, hasLabels, box }} />
        )
      }
    </Framed>
  );
}

function Filtered(props: {
  token: TokenDetail;
  rows: readonly Trade[];
  labels: WalletLabels;
  hasLabels: boolean;
  box: string;
}) {
  const { token, rows, labels, hasLabels, box } = props;
  const [openedAt] = useState(() => Date.now());
  const [filter, setFilter] = useState<TapeFilter>(wholeTape);
  const { cluster } = token.metadata;
  const columns = useMemo(
    () => columnsFor(cluster, labels, (wallet) => setFilter((before) => ({ ...before, wallet }))),
    [cluster, labels],
  );
  const shown = filterTrades(rows, filter, labels);
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-line border-b px-3 py-2">
        <TapeControls filter={filter} onChange={setFilter} />
        <LastMinute trades={rows} />
        {!hasLabels && (
          <p role="status" className="w-full text-muted text-xs">
            Wallet labels could not be loaded. Only the creator is marked.
          </p>
        )}
      </div>
      {shown.length === 0 ? (
        <p className="px-4 py-6 text-center text-muted text-sm">
          No trade of the newest {rows.length} passes the filter.
        </p>
      ) : (
        <DataTable
          columns={columns}
          rows={shown}
          rowId={({ id }) => id}
          box={box}
          rowClass={({ at }) => Date.parse(at) > openedAt && 'animate-row-in'}
        />
      )}
    </>
  );
}

function TapeControls({ filter, onChange }: { filter: TapeFilter; onChange: (filter: TapeFilter) => void }) {
  const { size, kind, wallet } = filter;
  return (
    <>
      <Segments
        label="Least size"
        options={TAPE_SIZES.map((one) => ({ id: String(one), text: one === 0 ? 'All' : `≥ ${one} SOL` }))}
        chosen={String(size)}
        onChange={(id) => onChange({ ...filter, size: TAPE_SIZES.find((one) => String(one) === id) ?? 0 })}
      />
      <Segments
        label="Trades"
        options={[
          { id: 'all', text: 'Both' },
          { id: 'buy', text: 'Buys' },
          { id: 'sell', text: 'Sells' },
          { id: 'developer', text: 'Developer' },
          { id: 'insider', text: 'Insiders' },
        ]}
        chosen={kind}
        onChange={(next) => onChange({ ...filter, kind: next })}
      />
      {wallet !== null && (
        <Button size="sm" onClick={() => onChange({ ...filter, wallet: null })}>
          <X size={14} strokeWidth={1.75} aria-hidden="true" />
          Wallet {shortAddress(wallet)}
        </Button>
      )}
    </>
  );
}

/** Sums the trades of the last minute, which move out of it with the time. */
function LastMinute({ trades }: { trades: readonly Trade[] }) {
  const now = useAtomValue(serverClockAtom);
  const { buys, bought, sells, sold, isWhole } = lastMinute(trades, now, TRADES_MAX);
  return (
    <p className="ml-auto whitespace-nowrap text-muted text-xs tabular-nums">
      Last 60 s{isWhole ? '' : ', at least'}: <span className="text-up">▲ {buys}</span> {solText(bought)} ·{' '}
      <span className="text-down">▼ {sells}</span> {solText(sold)}
    </p>
  );
}

function solText(sol: number | null): string {
  return sol === null ? MISSING : `${sol.toFixed(3)} SOL`;
}

function columnsFor(
  cluster: Cluster,
  labels: WalletLabels,
  onWallet: (wallet: string) => void,
): readonly DataColumn<Trade>[] {
  return [
    { id: 'age', label: 'Age', cellClass: 'text-muted', cell: (trade) => <Age at={trade.at} /> },
    {
      id: 'side',
      label: 'Side',
      cellClass: ({ side }) => classNames('font-medium', side === 'buy' ? 'text-up' : 'text-down'),
      cell: ({ side }) => (side === 'buy' ? '▲ Buy' : '▼ Sell'),
    },
    { id: 'sol', label: 'SOL', align: 'right', cell: ({ sol }) => (sol === null ? MISSING : sol.toFixed(3)) },
    {
      id: 'tokens',
      label: 'Tokens',
      align: 'right',
      className: 'max-sm:hidden',
      cell: (trade) => compact(trade.tokens),
    },
    {
      id: 'price',
      label: 'Price',
      align: 'right',
      className: 'max-md:hidden',
      cell: (trade) => <Price value={averagePrice(trade)} />,
    },
    {
      id: 'wallet',
      label: 'Wallet',
      cell: (trade) => (
        <Trader trade={trade} cluster={cluster} labels={labels.get(trade.wallet) ?? NO_LABELS} onWallet={onWallet} />
      ),
    },
  ];
}

/** Returns the price of a trade itself, by its own figures; the price after it while these are unknown. */
function averagePrice({ sol, tokens, price }: Trade): number | null {
  return sol === null || tokens === 0 ? price : sol / tokens;
}

function Trader(props: {
  trade: Trade;
  cluster: Cluster;
  labels: readonly WalletLabel[];
  onWallet: (wallet: string) => void;
}) {
  const { trade, cluster, labels, onWallet } = props;
  const { wallet, signature } = trade;
  const url = useExplorerUrl('tx', signature, cluster);
  return (
    <span className="flex items-center justify-between gap-2">
      <span className="flex min-w-0 items-center gap-1.5">
        <CopyAddress address={wallet} label="wallet address" />
        <WalletBadges labels={labels} max={2} />
      </span>
      <span className="flex items-center gap-2">
        <button
          type="button"
          aria-label={`Show only trades of ${shortAddress(wallet)}`}
          title="Show only trades of this wallet"
          onClick={() => onWallet(wallet)}
          className="grid size-6 place-items-center rounded-sm text-muted hover:text-text"
        >
          <ListFilter size={14} strokeWidth={1.75} aria-hidden="true" />
        </button>
        {url !== null && (
          <a
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            aria-label="View transaction on explorer"
            className="text-muted hover:text-text"
          >
            <ExternalLink size={14} strokeWidth={1.75} aria-hidden="true" />
          </a>
        )}
      </span>
    </span>
  );
}
