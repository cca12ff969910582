import { classNames } from './class-names.ts';

/** A placeholder block; set its size by class, e.g. `h-4 w-24`. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classNames('animate-pulse rounded-sm bg-text/8', className)} />;
}

/** Placeholder rows of a table, announced once. */
export function SkeletonRows(props: { rows: number; label: string; rowClassName?: string }) {
  const { rows, label, rowClassName = 'h-10' } = props;
  const keys = Array.from({ length: rows }, (_, index) => `row-${index + 1}`);
  return (
    <div role="status" aria-label={label}>
      {keys.map((key) => (
        <div
          key={key}
          className={classNames('flex items-center gap-4 border-line border-b px-4 last:border-b-0', rowClassName)}
        >
          <Skeleton className="size-6 shrink-0 rounded-full" />
          <Skeleton className="h-3.5 w-2/5 max-w-40" />
          <Skeleton className="ml-auto h-3.5 w-1/6 max-w-20" />
          <Skeleton className="h-3.5 w-1/6 max-w-20 max-md:hidden" />
          <Skeleton className="h-5 w-1/6 max-w-24 rounded-full" />
        </div>
      ))}
    </div>
  );
}
