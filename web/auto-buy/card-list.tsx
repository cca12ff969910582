import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Loaded } from '../http/loaded.tsx';
import type { UserQuery } from '../live/hooks/use-user-query.ts';
import { Card } from '../ui/card.tsx';
import { classNames } from '../ui/class-names.ts';
import { Empty } from '../ui/empty.tsx';
import { Spinner } from '../ui/spinner.tsx';

/** A grid of the user's cards under a heading, with its states: loading, failed and empty. */
export function CardList<Item>(props: {
  query: UserQuery<Item[]>;
  heading: string;
  /** Classes with the number of grid columns. */
  columns: string;
  /** Text shown while loading. */
  loading: string;
  /** Title shown when loading failed. */
  problem: string;
  empty: { icon: LucideIcon; title: string; text: string; action: ReactNode };
  /** Renders the card of an item. */
  children: (item: Item) => ReactNode;
}) {
  const { query, heading, columns, loading, problem, empty, children } = props;
  const headingId = useId();
  return (
    <Loaded
      query={query}
      problem={problem}
      waiting={
        <Card>
          <div role="status" className="flex items-center justify-center gap-3 py-10 text-muted text-sm">
            <Spinner className="size-5 text-accent" />
            {loading}
          </div>
        </Card>
      }
    >
      {(items) =>
        items.length === 0 ? (
          <Card flush>
            <Empty {...empty} />
          </Card>
        ) : (
          <section aria-labelledby={headingId}>
            <h2 id={headingId} className="mb-2 font-semibold text-base">
              {heading}
            </h2>
            <div className={classNames('grid gap-3', columns)}>{items.map(children)}</div>
          </section>
        )
      }
    </Loaded>
  );
}
