import { useState } from 'react';
import { classNames } from '../ui/class-names.ts';
import { count } from '../ui/format.ts';
import { useNotBlacklisted } from '../watchlists/lists.ts';
import { columns, gridOf, layoutColumns } from './columns.tsx';
import { useHold } from './list/use-hold.ts';
import { TokenRow } from './row.tsx';
import { useLayout } from './use-layout.ts';

/** Renders a short list of tokens, newest first, held still while the pointer is over it or the focus in it. */
export function PlainTokenTable({
  label,
  addresses,
  rows,
  onPaint,
}: {
  label: string;
  addresses: readonly string[];
  /** Maximum number of rows. */
  rows: number;
  onPaint?: ((address: string) => void) | undefined;
}) {
  const [measure, layout] = useLayout();
  const [over, setOver] = useState(false);
  const [focused, setFocused] = useState(false);
  const { shown: heldRows, waiting } = useHold(addresses, over || focused, label);
  // A blacklisted token disappears at once, also from held rows.
  const shown = useNotBlacklisted(heldRows);
  const reading = {
    onPointerEnter: (event: { pointerType: string }) => setOver(event.pointerType === 'mouse'),
    onPointerLeave: () => setOver(false),
    onFocus: (event: { target: Element }) => setFocused(event.target.matches(':focus-visible')),
    onBlur: () => setFocused(false),
  };
  return (
    <div ref={measure} className="relative min-w-0" {...reading}>
      {waiting > 0 && (
        <p
          role="status"
          className="absolute top-1.5 left-1/2 z-20 -translate-x-1/2 animate-fade-in rounded-full border border-accent/40 bg-raised px-2.5 py-0.5 font-medium text-accent text-xs tabular-nums"
        >
          {count(waiting)} new
        </p>
      )}
      <table aria-label={label} className="block w-full">
        {layout !== 'compact' && (
          <thead className="block border-line border-b">
            <tr className="grid h-9 items-center gap-x-4 px-4" style={{ gridTemplateColumns: gridOf(layout) }}>
              {layoutColumns[layout].map((id) => (
                <th
                  key={id}
                  scope="col"
                  className={classNames(
                    'min-w-0 truncate font-medium text-muted text-xs',
                    columns[id].align === 'end' ? 'text-right' : 'text-left',
                  )}
                >
                  <span className={id === 'open' ? 'sr-only' : ''}>{columns[id].label}</span>
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody className="block *:last:border-b-0">
          {shown.slice(0, rows).map((address, at) => (
            <TokenRow key={address} address={address} layout={layout} place={at + 1} onPaint={onPaint} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
