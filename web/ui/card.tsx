import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

/** A bordered surface. With a title it is a labelled region; `actions` are placed at the right of the title. */
export function Card(props: {
  title?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
  /** Removes the inner padding, for tables and lists that reach the border. */
  flush?: boolean;
}) {
  const { title, actions, children, className, flush = false } = props;
  const headingId = useId();
  return (
    <section
      aria-labelledby={title === undefined ? undefined : headingId}
      className={classNames('min-w-0 rounded-lg border border-line bg-surface', className)}
    >
      {title !== undefined && (
        <header
          className={classNames(
            'flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 py-2',
            flush && 'border-line border-b',
          )}
        >
          <h2 id={headingId} className="font-semibold text-base">
            {title}
          </h2>
          {actions}
        </header>
      )}
      <div className={classNames(!flush && 'px-4 pb-4', !flush && title === undefined && 'pt-4')}>{children}</div>
    </section>
  );
}
