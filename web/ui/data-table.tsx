import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table';
import { type ReactNode, useMemo } from 'react';
import { classNames } from './class-names.ts';

export interface DataColumn<Row> {
  /** Unique within the table. */
  id: string;
  label: string;
  /** Leaves the heading to screen readers. */
  labelHidden?: true;
  align?: 'right';
  /** Class names of the heading and the cells, e.g. the width below which the column is hidden. */
  className?: string;
  /** Class names of the cells alone. */
  cellClass?: string | ((row: Row) => string | false);
  /** Makes its cells the headings of their rows. */
  rowHeader?: true;
  /** `index`: position of the row, from 0. */
  cell: (row: Row, index: number) => ReactNode;
}

export interface DataTableProps<Row> {
  /** Accessible name; not needed in a region that has one. */
  label?: string;
  /** A constant, or memoized: the columns are built again when it changes. */
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /**
   * `dense`: small text, for the table behind a chart. `stacked`: columns in a wide container; in a narrow one each row
   * is a grid of two columns, whose places the columns set by `@max-4xl:order-…`.
   */
  look?: 'default' | 'dense' | 'stacked';
  /** Class names of the box that scrolls, e.g. `max-h-80`; the headings stay at its top. */
  box?: string;
  rowClass?: (row: Row) => string | false;
}

const features = tableFeatures({});

const looks = {
  default: {
    table: 'w-full text-sm',
    head: 'sticky top-0 z-10 bg-surface text-xs shadow-[inset_0_-1px_0_var(--color-line)]',
    headRow: 'h-9 *:px-2 *:first:pl-4 *:last:pr-4 sm:*:px-3',
    body: '',
    row: 'h-9 border-line border-b *:px-2 *:first:pl-4 *:last:pr-4 last:border-b-0 sm:*:px-3',
  },
  dense: {
    table: 'w-full whitespace-nowrap text-xs',
    head: 'sticky top-0 z-10 bg-surface shadow-[inset_0_-1px_0_var(--color-line)]',
    headRow: 'h-8 *:px-3',
    body: '',
    row: 'h-7 border-line border-b *:px-3 last:border-b-0',
  },
  stacked: {
    table: 'block w-full text-sm @4xl:table',
    head: 'text-xs @max-4xl:sr-only',
    headRow: 'h-9 border-line border-b *:px-3 *:first:pl-4 *:last:pr-4',
    body: 'block divide-y divide-line @4xl:table-row-group',
    row: classNames(
      'grid grid-cols-[1fr_auto] gap-x-3 gap-y-1 px-4 py-2.5',
      '@4xl:table-row *:@4xl:px-3 *:@4xl:py-2 *:@4xl:align-top *:@4xl:first:pl-4 *:@4xl:last:pr-4',
    ),
  },
} as const;

/** Renders a small table: headings, and one row for each of `rows` in their order. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowId, look = 'default', box, rowClass } = props;
  const table = useTable({
    features,
    columns: useMemo(() => {
      const helper = createColumnHelper<typeof features, Row>();
      return columns.map(({ id, label: header, cell }) =>
        helper.display({ id, header, cell: ({ row }) => cell(row.original, row.index) }),
      );
    }, [columns]),
    data: useMemo(() => [...rows], [rows]),
    getRowId: rowId,
  });
  const classes = looks[look];
  return (
    <div
      className={classNames(
        look === 'stacked' && '@container',
        // A stacked table fits its container: it scrolls only where its height is limited.
        (look !== 'stacked' || box !== undefined) && 'scroll-quiet relative overflow-auto',
        box,
      )}
    >
      <table aria-label={label} className={classNames(classes.table, 'tabular-nums')}>
        <thead
          className={classNames(
            'text-muted',
            classes.head,
            look === 'stacked' && box !== undefined && '@4xl:sticky @4xl:top-0 @4xl:z-10 @4xl:bg-surface',
          )}
        >
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} className={classes.headRow}>
              {group.headers.map((header, at) => (
                <th key={header.id} scope="col" className={headingClass(columns[at])}>
                  <span className={columns[at]?.labelHidden && 'sr-only'}>
                    <table.FlexRender header={header} />
                  </span>
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody className={classes.body}>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id} className={classNames(classes.row, rowClass?.(row.original))}>
              {row.getAllCells().map((cell, at) => (
                <BodyCell key={cell.id} column={columns[at]} row={row.original}>
                  <table.FlexRender cell={cell} />
                </BodyCell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function headingClass<Row>(column: DataColumn<Row> | undefined): string {
  return classNames('font-medium', column?.align === 'right' ? 'text-right' : 'text-left', column?.className);
}

function BodyCell<Row>(props: { column: DataColumn<Row> | undefined; row: Row; children: ReactNode }) {
  const { column, row, children } = props;
  const own = typeof column?.cellClass === 'function' ? column.cellClass(row) : column?.cellClass;
  const className = classNames(column?.align === 'right' ? 'text-right' : 'text-left', column?.className, own);
  if (column?.rowHeader !== true) return <td className={className}>{children}</td>;
  return (
    <th scope="row" className={classNames('font-medium', className)}>
      {children}
    </th>
  );
}
