import type { ReactNode } from 'react';
import { type AuditAction, type AuditEntry, auditActions } from '../../common/audit/model.ts';
import { tradingModeNames, tradingModeSchema } from '../../common/trading/account.ts';
import { settingLabel } from '../../common/trading/limits/setting-labels.ts';
import { Loaded, LoadMore } from '../http/loaded.tsx';
import { Age } from '../live/hooks/age.tsx';
import type { Pages } from '../live/hooks/use-pages.ts';
import { Card } from '../ui/card.tsx';
import { classNames } from '../ui/class-names.ts';
import { type DataColumn, DataTable } from '../ui/data-table.tsx';
import { MISSING, utcTime } from '../ui/format.ts';
import { SkeletonRows } from '../ui/skeleton.tsx';

/** Entries of the audit log, newest first, with a button that loads older ones. */
export function AuditList({ label, log, empty }: { label: string; log: Pages<AuditEntry>; empty: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Loaded
        query={log}
        problem="Failed to fetch the audit log"
        outdated="list"
        waiting={
          <Card flush>
            <SkeletonRows rows={8} label="Loading the audit log" />
          </Card>
        }
      >
        {(entries) => (
          <Card flush>
            {entries.length === 0 ? (
              empty
            ) : (
              <DataTable label={label} look="stacked" columns={columns} rows={entries} rowId={({ id }) => id} />
            )}
          </Card>
        )}
      </Loaded>
      <LoadMore {...log} />
    </div>
  );
}

const line = '@max-4xl:col-span-2';

/** In a narrow container the time follows the action, and empty values are hidden. */
const columns: readonly DataColumn<AuditEntry>[] = [
  {
    id: 'when',
    label: 'When',
    className: 'whitespace-nowrap',
    cellClass: 'text-muted @max-4xl:order-2 @max-4xl:text-xs',
    cell: ({ at }) => (
      <>
        <span className="@max-4xl:hidden">{utcTime(at)}</span>
        <span className="@4xl:hidden">
          <Age at={at} /> ago
        </span>
      </>
    ),
  },
  {
    id: 'who',
    label: 'Who',
    cellClass: `min-w-0 break-words @max-4xl:order-3 ${line}`,
    cell: ({ actor }) => (
      <>
        <Narrow>by </Narrow>
        {actor}
      </>
    ),
  },
  {
    id: 'what',
    label: 'What',
    cellClass: 'min-w-0 font-medium @max-4xl:order-1',
    cell: ({ action }) => auditActions[action],
  },
  {
    id: 'whose',
    label: 'Whose',
    cellClass: ({ subject }) =>
      classNames('min-w-0 break-words @max-4xl:order-4', line, subject === null && '@max-4xl:hidden'),
    cell: ({ subject }) => (
      <>
        <Narrow>of </Narrow>
        {subject ?? <span className="text-muted">{MISSING}</span>}
      </>
    ),
  },
  {
    id: 'object',
    label: 'On what',
    cellClass: ({ object }) =>
      classNames(
        'min-w-0 break-all text-muted @max-4xl:order-6 @max-4xl:text-xs',
        line,
        object === null && '@max-4xl:hidden',
      ),
    cell: ({ action, object }) => (object === null ? MISSING : objectText(action, object)),
  },
  {
    id: 'from',
    label: 'From',
    cellClass: ({ address }) =>
      classNames(
        'min-w-0 break-all text-muted @max-4xl:order-5 @max-4xl:text-xs',
        line,
        address === null && '@max-4xl:hidden',
      ),
    cell: ({ address }) => (
      <>
        <Narrow>from </Narrow>
        {address ?? MISSING}
      </>
    ),
  },
];

/** A word that replaces the column heading in a narrow container. */
function Narrow({ children }: { children: string }) {
  return <span className="text-muted @4xl:hidden">{children}</span>;
}

/** Returns the object of an entry as the page shows it: settings and modes of trading are stored by their names. */
function objectText(action: AuditAction, object: string): string {
  switch (action) {
    case 'trading-mode-changed':
    case 'live-trading-on': {
      const mode = tradingModeSchema.safeParse(object);
      return mode.success ? tradingModeNames[mode.data] : object;
    }
    case 'trading-limits-changed':
    case 'trading-protections-changed':
      return object.split(', ').map(settingText).join(' · ');
    default:
      return object;
  }
}

/** Returns a setting by its label, a switch with its position: `Stop-loss guard off`. */
function settingText(setting: string): string {
  const [name = '', ...position] = setting.split(' ');
  const label = settingLabel(name);
  return label === null ? setting : [label, ...position].join(' ');
}
