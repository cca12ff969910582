import { useState } from 'react';
import type { Order } from '../../../common/trading/order.ts';
import { Button } from '../../ui/button.tsx';
import { isPending, useOrdersOf } from '../state/trading.ts';
import { OrderDialog } from './order-dialog.tsx';
import { resultText } from './order-text.ts';
import { OrderStatusBadge } from './status-badge.tsx';

/** Orders shown at first. */
const FIRST = 3;

/** Shows the status of an order and its result, with a button that opens its attempts. */
export function OrderLine({ order }: { order: Order }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <OrderStatusBadge order={order} />
      <span className="min-w-0 flex-1 basis-40 text-pretty">{resultText(order) ?? progressText(order)}</span>
      <Button variant="ghost" size="sm" onClick={() => setOpen(true)}>
        Details
      </Button>
      {open && <OrderDialog order={order} onClose={() => setOpen(false)} />}
    </div>
  );
}

function progressText(order: Order): string {
  if (!isPending(order)) return '';
  const sends = order.attempts.reduce((sum, { sends: times }) => sum + times, 0);
  if (sends === 0) return 'Waits for its turn.';
  const attempts = order.attempts.length > 1 ? `attempt ${order.attempts.length}, ` : '';
  return `On its way: ${attempts}sent ${sends === 1 ? 'once' : `${sends} times`}.`;
}

/** Shows the user's latest orders of a token, except `without`; nothing while there are none. */
export function OrdersOfToken({ address, without }: { address: string; without: string | null }) {
  const { data } = useOrdersOf(address);
  const [isWhole, setIsWhole] = useState(false);
  const orders = (data ?? []).filter(({ id }) => id !== without);
  if (orders.length === 0) return null;
  return (
    <section aria-label="Your orders of this token" className="border-line border-t pt-3">
      <h3 className="mb-1 font-medium text-muted text-xs">Your orders</h3>
      <ul className="flex max-h-80 flex-col gap-1 overflow-y-auto">
        {orders.slice(0, isWhole ? orders.length : FIRST).map((order) => (
          <li key={order.id}>
            <OrderLine order={order} />
          </li>
        ))}
      </ul>
      {!isWhole && orders.length > FIRST && (
        <Button variant="ghost" size="sm" className="mt-1" onClick={() => setIsWhole(true)}>
          Show all {orders.length}
        </Button>
      )}
    </section>
  );
}
