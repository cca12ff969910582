import { ArrowUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { type SortField, type SortOrder, sortFieldSchema } from '../../../common/tokens/order.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuChoice, MenuLine } from '../../ui/menu.tsx';
import { useRootMark } from '../../ui/use-root-mark.ts';
import { columns } from '../columns.tsx';
import type { Sorting } from './table-head.tsx';
import { DisplayButton, FiltersButton, PauseButton } from './toolbar-buttons.tsx';

interface ListBarProps {
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  limited: number;
  filtering: boolean;
  onFiltering: () => void;
  paused: boolean;
  onPause: () => void;
  /** State of the list. */
  children: ReactNode;
}

/** Sorts and filters the list of a narrow screen: a bar at the thumb, above that of the menu. */
export function ListBar({ sorting, onSort, children, ...rest }: ListBarProps) {
  useRootMark('data-list-bar');
  return (
    <fieldset className="fixed inset-x-0 bottom-14 flat:bottom-11 z-30 flex h-11 flat:h-9 items-center gap-1.5 border-line border-t bg-surface px-2">
      <legend className="sr-only">Sort and filter</legend>
      <SortMenu sorting={sorting} onSort={onSort} />
      <FiltersButton {...rest} />
      <span className="ml-auto flex min-w-0 items-center">
        {children}
        <DisplayButton />
        <PauseButton {...rest} />
      </span>
    </fieldset>
  );
}

const fields = sortFieldSchema.options.map((value) => ({ value, label: fieldLabel(value) }));

function SortMenu({ sorting, onSort }: Pick<ListBarProps, 'sorting' | 'onSort'>) {
  const { sort, order } = sorting;
  return (
    <Menu
      trigger={
        <Button size="sm" className="h-8!">
          <ArrowUpDown size={14} strokeWidth={1.75} aria-hidden="true" />
          <span className="sr-only">Sort: </span>
          {sortText(sorting)}
        </Button>
      }
    >
      <MenuChoice
        label="Sort by"
        value={sort}
        options={fields}
        onChange={(field: SortField) => onSort({ sort: field, order: 'desc' })}
      />
      <MenuLine />
      <MenuChoice
        label="Order"
        value={order}
        options={orders.map((value) => ({ value, label: orderLabel(sort, value) }))}
        onChange={(chosen: SortOrder) => onSort({ sort, order: chosen })}
      />
    </Menu>
  );
}

const orders = ['desc', 'asc'] as const;

function fieldLabel(field: SortField): string {
  if (field === 'migrated') return 'Migrated';
  return field === 'detected' ? 'Time' : columns[field].label;
}

function orderLabel(field: SortField, order: SortOrder): string {
  if (field === 'detected' || field === 'migrated') return order === 'desc' ? 'Newest first' : 'Oldest first';
  return order === 'desc' ? 'Highest first' : 'Lowest first';
}

/** Returns an order in a few words: `newest`, `market cap ↑`. */
function sortText({ sort, order }: Sorting): string {
  if (sort === 'detected') return order === 'desc' ? 'newest' : 'oldest';
  return `${fieldLabel(sort).toLowerCase()} ${order === 'desc' ? '↓' : '↑'}`;
}
