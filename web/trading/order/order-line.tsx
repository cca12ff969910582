import { useState } from 'react';
import type { Order } from '../../../common/trading/order.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { isPending } from '../state/received.ts';
import { OrderDialog } from './order-dialog.tsx';
import { resultText, statusText } from './order-text.ts';

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

/** Shows the status of an order as a badge. */
export function OrderStatusBadge({ order }: { order: Pick<Order, 'status' | 'side'> }) {
  return (
    <Badge tone={toneOf(order)} icon={toneOf(order) === 'warning' ? <Spinner className="size-3" /> : undefined}>
      {statusText(order)}
    </Badge>
  );
}

function toneOf({ status }: Pick<Order, 'status'>): BadgeTone {
  switch (status) {
    case 'confirmed':
      return 'accent';
    case 'failed':
    case 'cancelled':
      return 'danger';
    case 'unknown':
      return 'neutral';
    case 'created':
    case 'held':
    case 'sent':
      return 'warning';
  }
}

function progressText(order: Order): string {
  if (!isPending(order)) return '';
  const sends = order.attempts.reduce((sum, { sends: times }) => sum + times, 0);
  if (sends === 0) return 'Waits for its turn.';
  const attempts = order.attempts.length > 1 ? `attempt ${order.attempts.length}, ` : '';
  return `On its way: ${attempts}sent ${sends === 1 ? 'once' : `${sends} times`}.`;
}
