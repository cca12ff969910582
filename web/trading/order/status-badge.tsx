import type { Order } from '../../../common/trading/order.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { statusText } from './order-text.ts';

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
