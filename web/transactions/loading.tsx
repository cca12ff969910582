import { Spinner } from '../ui/spinner.tsx';

/** Placeholder of the list while it loads. */
export function LoadingTransactions() {
  return (
    <div role="status" className="flex items-center justify-center gap-3 py-12 text-muted text-sm">
      <Spinner className="size-5 text-accent" />
      Loading transactions
    </div>
  );
}
