import type { ReactNode } from 'react';
import { Card } from './card.tsx';
import { classNames } from './class-names.ts';
import { DataTable, type DataTableProps } from './data-table.tsx';

/** A card with a table that has the card's title as its name, or with the text `empty` while there are no rows. */
export function TableCard<Row extends object>(
  props: Omit<DataTableProps<Row>, 'label'> & {
    title: string;
    /** Shown in place of a table without rows; the headings alone by default. */
    empty?: string;
    actions?: ReactNode;
    /** Class names of the card. */
    className?: string | undefined;
    /** Shown below the table. */
    children?: ReactNode;
  },
) {
  const { title, empty, actions, className, children, ...table } = props;
  return (
    <Card title={title} flush actions={actions} {...(className === undefined ? {} : { className })}>
      {empty !== undefined && table.rows.length === 0 ? (
        <p className="px-4 py-6 text-center text-muted text-sm">{empty}</p>
      ) : (
        <DataTable {...table} box={classNames('scroll-edges', table.box ?? 'whitespace-nowrap')} label={title} />
      )}
      {children}
    </Card>
  );
}
