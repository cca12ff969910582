import { type ReactNode, useState } from 'react';
import { classNames } from '../ui/class-names.ts';

/**
 * Shows a figure that tints for 600 ms when its value changes: green when it rose, red when it fell. Its first value
 * does not tint.
 */
export function Figure(props: { value: number | null; children: ReactNode; className?: string }) {
  const { value, children, className } = props;
  const [seen, setSeen] = useState({ value, changes: 0, rose: true });
  if (seen.value !== value) {
    setSeen({ value, changes: seen.changes + 1, rose: (value ?? 0) >= (seen.value ?? 0) });
  }
  const look = '-mx-1 inline-block rounded-sm px-1';
  // One element fewer in every row that scrolls by.
  if (seen.changes === 0) {
    return (
      <span data-changes={0} className={classNames(look, className ?? 'text-text')}>
        {children}
      </span>
    );
  }
  // A new key restarts the animation, also while it is running.
  return (
    <span
      key={seen.changes}
      data-changes={seen.changes}
      className={classNames(look, 'animate-tint', seen.rose ? 'text-up' : 'text-down')}
    >
      <span className={className ?? 'text-text'}>{children}</span>
    </span>
  );
}
