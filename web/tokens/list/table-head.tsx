import {
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { Token } from '../../../common/tokens/model.ts';
import { type SortField, sortFieldSchema, sortValue } from '../../../common/tokens/order.ts';
import { classNames } from '../../ui/class-names.ts';
import { type ColumnId, columnIds, columns, gridOf, type Layout } from '../columns.tsx';
import { type Controls, defaultControls } from './controls.ts';

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { basic: sortFn_basic },
});
const helper = createColumnHelper<typeof features, Token>();

/** All columns in every layout: a table may be sorted by a column that has no room, or by `migrated`, which is never shown. */
const tableColumns = helper.columns([...columnIds, 'migrated' as const].map(tableColumn));

function tableColumn(id: ColumnId | SortField) {
  const field = sortFieldSchema.safeParse(id);
  const header = id === 'migrated' ? 'Migrated' : columns[id].label;
  if (!field.success) return helper.display({ id, header });
  return helper.accessor((token) => sortValue(token, field.data) ?? undefined, {
    id,
    header,
    sortFn: 'basic',
    // Unknown values are neither high nor low.
    sortUndefined: 'last',
    sortDescFirst: true,
  });
}

/** The sorted column and its direction. */
export type Sorting = Pick<Controls, 'sort' | 'order'>;

/** Returns the table of the tokens, sorted by the chosen column. */
export function useTokenTable(tokens: readonly Token[], { sort, order }: Sorting, onSort: (sorting: Sorting) => void) {
  const sorting = useMemo(() => [{ id: sort, desc: order === 'desc' }], [sort, order]);
  const data = useMemo(() => [...tokens], [tokens]);
  return useTable({
    features,
    columns: tableColumns,
    data,
    getRowId: (token) => token.address,
    state: { sorting },
    onSortingChange: (change) => {
      const [next] = typeof change === 'function' ? change(sorting) : change;
      const field = sortFieldSchema.safeParse(next?.id);
      const { sort: first, order: direction } = defaultControls;
      onSort(
        field.success ? { sort: field.data, order: next?.desc ? 'desc' : 'asc' } : { sort: first, order: direction },
      );
    },
  });
}

/** Renders the headings, which sort the table. */
export function TableHead({ table, layout }: { table: ReturnType<typeof useTokenTable>; layout: Layout }) {
  return (
    <thead className="sticky top-12 max-md:top-22 z-10 flat:top-10! block rounded-t-lg border-line border-b bg-surface">
      {table.getHeaderGroups().map((group) => (
        <tr
          key={group.id}
          aria-rowindex={1}
          className="grid h-9 flat:h-8 items-center gap-x-4 px-4"
          style={{ gridTemplateColumns: gridOf(layout) }}
        >
          {headersOf(group.headers, layout).map((header) => (
            <SortHeader
              key={header.id}
              align={columnOf(header.id).align}
              sorted={header.column.getIsSorted()}
              onSort={header.column.getCanSort() ? header.column.getToggleSortingHandler() : undefined}
              hidden={header.id === 'open'}
              under={layout.density === 'comfortable' && columnOf(header.id).under}
            >
              <table.FlexRender header={header} />
            </SortHeader>
          ))}
        </tr>
      ))}
    </thead>
  );
}

/** Returns the headers of the shown columns, in the order of the layout. */
function headersOf<Header extends { id: string }>(headers: readonly Header[], { columns: shown }: Layout): Header[] {
  return shown.flatMap((id) => headers.find((header) => header.id === id) ?? []);
}

function columnOf(id: string) {
  return Object.hasOwn(columns, id) ? columns[id as ColumnId] : columns.token;
}

function SortHeader(props: {
  align: 'start' | 'end';
  sorted: false | 'asc' | 'desc';
  onSort: ((event: unknown) => void) | undefined;
  hidden: boolean;
  /** Stands below the label. */
  under: ReactNode;
  children: ReactNode;
}) {
  const { align, sorted, onSort, hidden, under, children } = props;
  const Arrow = sorted === 'asc' ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      aria-sort={sorted === false ? undefined : sorted === 'asc' ? 'ascending' : 'descending'}
      className={classNames(
        'flex min-w-0 flex-col font-medium text-muted text-xs',
        align === 'end' ? 'items-end' : 'items-start',
      )}
    >
      {onSort === undefined ? (
        <span className={hidden ? 'sr-only' : 'truncate'}>{children}</span>
      ) : (
        <button
          type="button"
          onClick={onSort}
          className={classNames(
            '-mx-1 inline-flex items-center gap-0.5 rounded-sm px-1 py-0.5 transition-colors hover:text-text',
            sorted !== false && 'text-text',
          )}
        >
          {children}
          {sorted !== false && <Arrow size={12} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />}
        </button>
      )}
      {under}
    </th>
  );
}
