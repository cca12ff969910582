import type { ReactNode } from 'react';
import { type AuditEntry, auditActions } from '../../common/audit/model.ts';
import { ListProblem } from '../http/list-problem.tsx';
import { Age } from '../live/hooks/age.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { classNames } from '../ui/class-names.ts';
import { MISSING, utcTime } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import type { AuditLog } from './use-audit.ts';

const columns = ['When', 'Who', 'What', 'Whose', 'On what', 'From'] as const;

/** Entries of the audit log, newest first, with a button that loads older ones. */
export function AuditList({ label, log, empty }: { label: string; log: AuditLog; empty: ReactNode }) {
  const { entries, error, loading, reload, hasMore, loadMore, loadingMore } = log;
  if (entries === undefined) {
    if (error !== null) {
      return <ListProblem title="Failed to fetch the audit log" reason={error} onRetry={reload} busy={loading} />;
    }
    return (
      <Card flush>
        <SkeletonRows rows={8} label="Loading the audit log" />
      </Card>
    );
  }
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {error !== null && (
        <Notice tone="warning" title="This list may be out of date">
          {error.message}
        </Notice>
      )}
      <Card flush>{entries.length === 0 ? empty : <Entries label={label} entries={entries} />}</Card>
      {hasMore && (
        <Button className="self-center" onClick={loadMore} busy={loadingMore}>
          Load more
        </Button>
      )}
    </div>
  );
}

/** In a narrow container each entry is a block of lines, else a table row. */
const rowClass =
  'grid grid-cols-[1fr_auto] gap-x-3 gap-y-0.5 px-4 py-2.5 @4xl:table-row *:@4xl:px-3 *:@4xl:py-2 *:@4xl:align-top';

function Entries({ label, entries }: { label: string; entries: readonly AuditEntry[] }) {
  return (
    <div className="@container">
      <table aria-label={label} className="block w-full text-sm @4xl:table">
        <thead className="text-left text-muted text-xs @max-4xl:sr-only">
          <tr className="h-9 border-line border-b *:px-3 *:font-medium">
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="block divide-y divide-line @4xl:table-row-group">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Entry({ entry: { at, actor, action, subject, object, address } }: { entry: AuditEntry }) {
  return (
    <tr className={rowClass}>
      <td className="whitespace-nowrap text-muted tabular-nums @max-4xl:order-2 @max-4xl:text-xs">
        <span className="@max-4xl:hidden">{utcTime(at)}</span>
        <span className="@4xl:hidden">
          <Age at={at} /> ago
        </span>
      </td>
      <td className="min-w-0 break-words @max-4xl:order-3 @max-4xl:col-span-2">
        <Narrow>by </Narrow>
        {actor}
      </td>
      <td className="min-w-0 font-medium @max-4xl:order-1">{auditActions[action]}</td>
      <td
        className={classNames(
          'min-w-0 break-words @max-4xl:order-4 @max-4xl:col-span-2',
          subject === null && '@max-4xl:hidden',
        )}
      >
        <Narrow>of </Narrow>
        {subject ?? <span className="text-muted">{MISSING}</span>}
      </td>
      <td
        className={classNames(
          'min-w-0 break-all text-muted @max-4xl:order-6 @max-4xl:col-span-2 @max-4xl:text-xs',
          object === null && '@max-4xl:hidden',
        )}
      >
        {object ?? MISSING}
      </td>
      <td
        className={classNames(
          'min-w-0 break-all text-muted tabular-nums @max-4xl:order-5 @max-4xl:col-span-2 @max-4xl:text-xs',
          address === null && '@max-4xl:hidden',
        )}
      >
        <Narrow>from </Narrow>
        {address ?? MISSING}
      </td>
    </tr>
  );
}

/** A word that replaces the column heading in a narrow container. */
function Narrow({ children }: { children: string }) {
  return <span className="text-muted @4xl:hidden">{children}</span>;
}
