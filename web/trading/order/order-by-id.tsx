import { tradingCalls } from '../../../common/trading/http.ts';
import { useUserQuery } from '../../live/hooks/use-user-query.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { OrderDialog } from './order-dialog.tsx';

/** Fetches an order and shows it. */
export function OrderById({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, loading, reload } = useUserQuery(tradingCalls.order, { params: { id } });
  if (data !== undefined) return <OrderDialog order={data} onClose={onClose} />;
  return (
    <Dialog open wide onClose={onClose} title="Order">
      {error === null ? (
        <p role="status" className="flex items-center justify-center gap-3 py-8 text-muted text-sm">
          <Spinner className="size-5 text-accent" />
          Loading order
        </p>
      ) : (
        <Problem title="Error Loading Order" text={error} onRetry={() => void reload()} busy={loading} />
      )}
    </Dialog>
  );
}
