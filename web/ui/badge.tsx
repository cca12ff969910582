import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type BadgeTone = 'neutral' | 'accent' | 'runner' | 'might-run' | 'warning' | 'danger';

const tones: Record<BadgeTone, string> = {
  neutral: 'border-line-strong text-muted',
  accent: 'border-accent/30 bg-accent/10 text-accent',
  runner: 'border-runner/30 bg-runner/10 text-runner',
  'might-run': 'border-might-run/35 bg-might-run/10 text-might-run',
  warning: 'border-risk-medium/40 bg-caution/12 text-risk-medium',
  danger: 'border-down/30 bg-down/10 text-down',
};

/** A short word about an item: its list, its source, its network. */
export function Badge(props: {
  tone?: BadgeTone;
  /** A 12 px icon before the word. */
  icon?: ReactNode;
  /** Shows the icon alone; the word stays for screen readers. */
  iconOnly?: boolean;
  title?: string;
  children: ReactNode;
  className?: string;
}) {
  const { tone = 'neutral', icon, iconOnly = false, title, children, className } = props;
  return (
    <span
      title={title}
      className={classNames(
        'inline-flex h-5 shrink-0 items-center gap-1 whitespace-nowrap rounded-full border font-medium text-2xs',
        iconOnly ? 'px-1' : 'px-2',
        tones[tone],
        className,
      )}
    >
      {icon}
      {iconOnly ? <span className="sr-only">{children}</span> : children}
    </span>
  );
}
