import { useState } from 'react';
import { ruleCalls } from '../../../common/rules/http.ts';
import { strategyCalls } from '../../../common/strategies/http.ts';
import {
  type TradingAccount,
  type TradingMode,
  tradingModeNames,
  tradingModes,
} from '../../../common/trading/account.ts';
import { tradingCalls } from '../../../common/trading/http.ts';
import type { Order } from '../../../common/trading/order.ts';
import { useMutation } from '../../http/use-mutation.ts';
import { useUserQuery } from '../../live/hooks/use-user-query.ts';
import { useAtomValue, useStore } from '../../store.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, type SelectOption } from '../../ui/select.tsx';
import { ModeBadge } from '../mode-badge.tsx';
import { stopTrading } from '../state/changes.ts';
import { isPending, receivedOrdersAtom, useOpenPositions } from '../state/trading.ts';
import { mergeNewest } from '../state/versions.ts';
import { totalsOf } from '../totals.ts';

/** Most open orders that are counted. */
const ORDERS_MAX = 200;

type ExitsChoice = 'go-on' | 'pause';
const exitsChoices: readonly SelectOption<ExitsChoice>[] = [
  { value: 'go-on', label: 'Exits go on' },
  { value: 'pause', label: 'Pause exits too, until you resume' },
];

/** Asks before buying stops, with the counts of what it concerns. */
export function StopDialog(props: { account: TradingAccount; onClose: () => void; onStopped: () => void }) {
  const { account, onClose, onStopped } = props;
  const store = useStore();
  const counts = useCounts(account);
  const [exits, setExits] = useState<ExitsChoice>('go-on');
  const { pending, run } = useMutation(async (sell: boolean) => {
    await stopTrading(store, { sell, pausesExits: exits === 'pause' });
    onStopped();
  });
  return (
    <Dialog
      open
      onClose={onClose}
      busy={pending}
      title="Stop buying?"
      footer={
        <>
          <Button onClick={onClose} disabled={pending}>
            Cancel
          </Button>
          {counts.positions.length > 0 && (
            <Button disabled={pending} onClick={() => void run(true)}>
              Stop and sell everything
            </Button>
          )}
          <Button variant="destructive" data-autofocus="" busy={pending} onClick={() => void run(false)}>
            Stop buying
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        <ModeBadge mode={account.mode ?? 'off'} />
        <p>{stopText(counts)}</p>
        {counts.positions.length > 0 && (
          <SelectField label="Their exits" value={exits} options={exitsChoices} onChange={setExits} />
        )}
      </div>
    </Dialog>
  );
}

interface Counts {
  /** Active rules and strategies. */
  plans: number;
  /** Purchases that are not sent yet, and purchases that are. */
  waiting: number;
  sent: number;
  /** Open positions by mode, named beside the badge where some are in another one than the present. */
  positions: readonly { mode: TradingMode; count: number }[];
  present: TradingMode | null;
}

function useCounts({ mode: present }: TradingAccount): Counts {
  const { data: rules = [] } = useUserQuery(ruleCalls.list, {});
  const { data: strategies = [] } = useUserQuery(strategyCalls.list, {});
  const { data: orders = [] } = useUserQuery(tradingCalls.orders, { query: { state: 'open', limit: ORDERS_MAX } });
  const received = useAtomValue(receivedOrdersAtom);
  const positions = useOpenPositions() ?? [];
  const buys = mergeNewest<Order>(orders, received, (order) => order.side === 'buy' && isPending(order));
  const waiting = buys.filter(({ status }) => status === 'created' || status === 'held').length;
  return {
    plans: [...rules, ...strategies].filter(({ isActive }) => isActive).length,
    waiting,
    sent: buys.length - waiting,
    positions: tradingModes
      .map((mode) => ({ mode, count: totalsOf(positions, mode).count }))
      .filter(({ count }) => count > 0),
    present,
  };
}

/** Returns the consequences of a stop. Empty groups have none. */
export function stopText({ plans, waiting, sent, positions, present }: Counts): string {
  const parts = [
    plans > 0 ? `${plans} ${plans === 1 ? 'plan stops' : 'plans stop'} at once` : null,
    waiting > 0
      ? `${waiting} ${waiting === 1 ? 'order that waits is' : 'orders that wait are'} cancelled`
      : 'no order waits',
    sent > 0
      ? `${sent} that ${sent === 1 ? 'was sent is followed to its end' : 'were sent are followed to their ends'}`
      : null,
  ].filter((part) => part !== null);
  const text = parts.join(', ');
  const total = positions.reduce((sum, { count }) => sum + count, 0);
  const names = positions.map(({ mode, count }) => `${count} ${tradingModeNames[mode]}`).join(', ');
  const where = positions.some(({ mode }) => mode !== present) ? `: ${names}` : '';
  const stay =
    total === 0
      ? 'You have no open positions.'
      : `Your ${total} ${total === 1 ? 'position stays' : 'positions stay'}${where}.`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}. ${stay}`;
}
