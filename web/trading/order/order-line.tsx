import { useState } from 'react';
import type { Order } from '../../../common/trading/order.ts';
import { Button } from '../../ui/button.tsx';
import { isPending } from '../state/received.ts';
import { OrderDialog } from './order-dialog.tsx';
import { resultText } from './order-text.ts';
import { OrderStatusBadge } from './status-badge.tsx';

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
