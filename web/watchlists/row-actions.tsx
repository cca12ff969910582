import { type KeyboardEvent, type MouseEvent, memo, type ReactNode } from 'react';
import type { WatchlistName } from '../../common/watchlists/model.ts';
import { classNames } from '../ui/class-names.ts';
import { useChangeList } from './change-list.tsx';
import { listLooks } from './list-looks.tsx';
import type { Marks } from './lists.ts';

/**
 * Shows the buttons Watch, Whitelist and Blacklist over the last column of a row while it has the pointer or the focus.
 * The row's link is the only stop of the Tab key; the arrow keys lead to the actions and back (`moveInRow`).
 */
export const RowActions = memo(function RowActions(props: {
  address: string;
  name: string;
  marks: Marks | null;
  /** Further actions, after these. */
  children?: ReactNode;
}) {
  const { address, name, marks, children } = props;
  const change = useChangeList();

  function press(event: MouseEvent<HTMLButtonElement>, list: WatchlistName): void {
    // The second click of a double click would hit the row that replaced this one.
    if (marks === null || event.detail > 1) return;
    const on = !marks[list];
    // Activated by keyboard: the focus would disappear with the row.
    if (list === 'black' && on && event.detail === 0) focusBeside(event.currentTarget);
    change({ list, address, on });
  }

  return (
    <span
      className={classNames(
        'pointer-events-none absolute inset-y-0.5 right-11 z-1 flex items-center bg-raised pl-2 opacity-0 transition-opacity',
        'group-hover:pointer-events-auto group-hover:opacity-100 group-focus-within:pointer-events-auto group-focus-within:opacity-100',
        'has-data-[state=open]:pointer-events-auto has-data-[state=open]:opacity-100',
      )}
    >
      {listLooks.map(({ list, verb, icon: Icon }) => (
        <button
          key={list}
          type="button"
          tabIndex={-1}
          data-row-action=""
          disabled={marks === null}
          aria-pressed={marks?.[list] ?? false}
          aria-label={`${verb} ${name}`}
          title={verb}
          onClick={(event) => press(event, list)}
          className={classNames(
            'grid size-7 place-items-center rounded-md transition-colors hover:bg-text/8 disabled:opacity-50',
            marks?.[list] === true ? 'text-accent' : 'text-muted hover:text-text',
          )}
        >
          <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
        </button>
      ))}
      {children}
    </span>
  );
});

/** Focuses the link of a neighbouring row. */
function focusBeside(button: HTMLElement): void {
  const row = button.closest('tr');
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  next?.querySelector<HTMLElement>('[data-row-link]')?.focus();
}

/** Moves the focus by the arrow keys between a row's link and its actions. */
export function moveInRow(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by === undefined) return;
  const stops = [
    ...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-link], [data-row-action]:not(:disabled)'),
  ].filter((stop) => stop.checkVisibility());
  const at = stops.findIndex((stop) => stop.matches(':focus'));
  if (at < 0) return;
  event.preventDefault();
  stops[at + by]?.focus();
}
