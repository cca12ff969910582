import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useOrdersOf } from '../state/trading.ts';
import { OrderLine } from './order-line.tsx';

/** Orders shown at first. */
const FIRST = 3;

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
