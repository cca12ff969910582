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
  // Two names of one animation: the browser starts it again when its name changes, also while it is running.
  const tint = seen.changes > 0 && classNames('animate-tint', seen.rose ? 'before:bg-up' : 'before:bg-down');
  const again = seen.changes % 2 === 0 && 'tint-again';
  return (
    <span className={classNames('-mx-1 inline-block rounded-sm px-1', className ?? 'text-text', tint, again)}>
      {children}
    </span>
  );
}
