import { useMemo, useState } from 'react';
import { tradingModeNames } from '../../common/trading/account.ts';
import { hasExits } from '../../common/trading/exits.ts';
import { initialRefusal, type Position } from '../../common/trading/position.ts';
import { reasonText } from '../../common/trading/reasons.ts';
import { tokensText } from '../../common/trading/text.ts';
import { walletCalls } from '../../common/wallet/http.ts';
import { useUserId } from '../auth/session.ts';
import { Age } from '../live/hooks/age.tsx';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { useStore } from '../store.ts';
import { EntryLine, useCap } from '../trading/entry-line.tsx';
import { profitPercent, shortSol, symbolOfToken } from '../trading/format.ts';
import { ProfitText } from '../trading/profit-text.tsx';
import { type QuickAction, QuickButtons } from '../trading/quick/quick-button.tsx';
import { pressQuick, type QuickTrade, quickLabel } from '../trading/quick/quick-order.ts';
import { useTradingAccount } from '../trading/state/trading.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { type DataColumn, DataTable } from '../ui/data-table.tsx';
import { MISSING, percentChange } from '../ui/format.ts';
import { Price } from '../ui/price.tsx';
import { exitsText, originText, TokenCell } from './cells.tsx';
import { PositionExitsDialog } from './exits-dialog.tsx';

/** Open positions with their present values, and buttons that sell. */
export function OpenTable({ positions }: { positions: readonly Position[] }) {
  const [editing, setEditing] = useState<Position | null>(null);
  const columns = useMemo(() => columnsFor(setEditing), []);
  return (
    <>
      <DataTable label="Open positions" look="stacked" columns={columns} rows={positions} rowId={({ id }) => id} />
      {editing !== null && <PositionExitsDialog position={editing} onClose={() => setEditing(null)} />}
    </>
  );
}

/** Returns whether a position is in a wallet that is not the present one; false while that is unknown. */
function useIsElsewhere({ mode, wallet }: Position): boolean {
  const { data } = useUserQuery(walletCalls.get, { params: { userId: useUserId() ?? '' } });
  return data !== undefined && mode !== 'paper' && data.walletAddress !== wallet;
}

const OTHER_WALLET = 'This position is in a wallet that is not the present one.';

function OpenTokenCell({ position }: { position: Position }) {
  const isElsewhere = useIsElsewhere(position);
  return <TokenCell position={position} notes={isElsewhere ? [OTHER_WALLET] : []} />;
}

/** The cost, the average price, and the market cap at that price. */
function PaidCell({ position: { costLamports, entryPrice, value } }: { position: Position }) {
  const cap = useCap(entryPrice, value);
  return (
    <>
      <span className="whitespace-nowrap">{shortSol(costLamports)} SOL</span>
      <span className="block whitespace-nowrap text-muted text-xs">
        at <Price value={entryPrice} />
        {cap !== null && <span title="Market cap at the price paid"> · {cap}</span>}
      </span>
    </>
  );
}

type Sale = Extract<QuickTrade, { side: 'sell' }>;

/** Reads the account itself: other columns would mount the buttons again, under the pointer. */
function SellCell({ position }: { position: Position }) {
  const { id, mode, token } = position;
  const account = useTradingAccount();
  const isElsewhere = useIsElsewhere(position);
  const store = useStore();
  // Nothing is armed here, so real money asks first; play money takes one click.
  const [asked, setAsked] = useState<Sale | null>(null);
  if (account === null || mode !== account.mode || isElsewhere) {
    return <span className="text-muted text-xs @max-4xl:hidden">{MISSING}</span>;
  }
  const sale = { side: 'sell', mode, address: token.address, positionId: id, from: 'page' } as const;
  const { sell: presets, chosenSell } = account.presets;
  const { sharePercent: _, ...terms } = presets[chosenSell];
  const actions: QuickAction<Sale>[] = [
    { place: 'sell initial', trade: { ...sale, ...terms, initial: true }, disabledBy: initialRefusal(position) },
    ...presets.slice(1).map((preset, at) => ({
      place: `sell ${at}`,
      trade: { ...sale, ...preset },
      disabledBy: null,
    })),
  ];
  return (
    <span className="flex justify-end gap-1.5">
      <QuickButtons
        look="cell"
        name={symbolOfToken(token)}
        actions={actions}
        {...(mode === 'live' ? { onPress: setAsked } : {})}
      />
      {asked !== null && (
        <Confirm
          open
          title={`${quickLabel(asked)} of this ${symbolOfToken(token)} position?`}
          verb={quickLabel(asked)}
          onCancel={() => setAsked(null)}
          onConfirm={() => {
            setAsked(null);
            void pressQuick(store, asked);
          }}
        >
          {'initial' in asked && `${initialText(position)} `}
          This sells with real money on {tradingModeNames[mode]}. A sale can't be undone.
        </Confirm>
      )}
    </span>
  );
}

/** Returns how much a sale of the initial sells, of its present value. */
function initialText({ paidLamports, proceedsLamports, value }: Position): string {
  const owed = shortSol(paidLamports - proceedsLamports);
  const present =
    value?.lamports == null ? '' : ` of the ${shortSol(value.lamports)} SOL that all of it would return now`;
  return `It sells as much as returns ${owed} SOL, what you paid and have not got back yet${present}.`;
}

function columnsFor(onExits: (position: Position) => void): DataColumn<Position>[] {
  return [
    {
      id: 'token',
      label: 'Token',
      cellClass: 'min-w-0 @4xl:max-w-40',
      cell: (one) => <OpenTokenCell position={one} />,
    },
    ...figures,
    {
      id: 'exits',
      label: 'Exits',
      cellClass: '@max-4xl:order-5',
      cell: (one) => (
        <Button
          variant="ghost"
          size="sm"
          className="-ml-2.5 min-w-0 @4xl:-mt-1 @4xl:max-w-30"
          aria-label={`Exits of ${symbolOfToken(one.token)}: ${exitsText(one.exits)}`}
          title={hasExits(one.exits) ? `Exits: ${exitsText(one.exits)}` : 'Set stop loss, take profit and other exits'}
          onClick={() => onExits(one)}
        >
          <span className="@4xl:hidden">Exits</span>
          <span className="truncate">{hasExits(one.exits) ? exitsText(one.exits, true) : 'Set'}</span>
        </Button>
      ),
    },
    {
      id: 'age',
      label: 'Age',
      cellClass: 'text-muted @max-4xl:order-3 @max-4xl:text-right',
      cell: ({ openedAt }) => <Age at={openedAt} />,
    },
    {
      id: 'sell',
      label: 'Sell',
      align: 'right',
      cellClass: '@max-4xl:order-7 @max-4xl:col-span-2',
      cell: (one) => <SellCell position={one} />,
    },
  ];
}

const figures: readonly DataColumn<Position>[] = [
  {
    id: 'origin',
    label: 'Bought by',
    className: '@max-5xl:hidden',
    // Names of plans and of coins, and several exits, are cut where the buttons would be otherwise.
    cellClass: 'max-w-[10ch] truncate @7xl:max-w-[16ch]',
    cell: originText,
  },
  {
    id: 'amount',
    label: 'Amount',
    align: 'right',
    // Between a phone and a wide window, what can be sold and its result come first.
    className: '@4xl:@max-7xl:hidden',
    cellClass: '@max-4xl:order-4 @max-4xl:text-left',
    cell: ({ tokens, token }) => (
      <>
        {tokensText(tokens, token.decimals)}
        <span className="text-muted @4xl:hidden"> tokens</span>
      </>
    ),
  },
  {
    id: 'paid',
    label: 'Paid',
    align: 'right',
    cellClass: '@max-4xl:hidden',
    cell: (one) => <PaidCell position={one} />,
  },
  {
    id: 'price',
    label: 'Price now',
    align: 'right',
    className: '@4xl:@max-6xl:hidden',
    cellClass: '@max-4xl:order-6 @max-4xl:col-span-2 @max-4xl:text-left',
    cell: (position) => (
      <>
        <span className="text-muted text-xs @4xl:hidden">
          <EntryLine position={position} />
        </span>
        <span className="@max-4xl:hidden">
          <Price value={position.value?.price ?? null} />
        </span>
      </>
    ),
  },
  {
    id: 'value',
    label: 'Would return now',
    align: 'right',
    cellClass: '@max-4xl:order-2 @max-4xl:text-left',
    cell: ({ value, costLamports }) =>
      value?.lamports == null ? (
        <span className="text-muted">
          {MISSING}
          {value?.unknown && (
            <span className="block max-w-[24ch] text-pretty text-xs @4xl:ml-auto">{reasonText(value.unknown)}</span>
          )}
        </span>
      ) : (
        <span className="whitespace-nowrap">
          {shortSol(value.lamports)} SOL<span className="text-muted @4xl:hidden"> of {shortSol(costLamports)}</span>
        </span>
      ),
  },
  {
    id: 'profit',
    label: 'Profit',
    align: 'right',
    cellClass: '@max-4xl:order-1',
    cell: ({ value, costLamports }) => {
      const profit = value?.profitLamports ?? null;
      if (profit === null) return MISSING;
      return (
        <>
          <ProfitText lamports={profit} />
          <span className="block text-xs">
            <ProfitText lamports={profit}>{percentChange(profitPercent(profit, costLamports))}</ProfitText>
          </span>
        </>
      );
    },
  },
];
