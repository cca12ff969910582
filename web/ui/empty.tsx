import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** An empty state: icon, sentence, reason, and one action. */
export function Empty(props: {
  icon: LucideIcon;
  /** The sentence, e.g. 'No Matching Tokens'. */
  title: string;
  text?: ReactNode;
  action?: ReactNode;
  className?: string;
}) {
  const { icon: Icon, title, text, action, className } = props;
  return (
    <div className={classNames('flex flex-col items-center px-6 py-12 text-center', className)}>
      <span className="grid size-10 place-items-center rounded-lg border border-line bg-bg text-muted">
        <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <p className="mt-3 font-medium text-base">{title}</p>
      {text !== undefined && <p className="mt-1 max-w-[52ch] text-muted text-sm">{text}</p>}
      {action !== undefined && <div className="mt-4">{action}</div>}
    </div>
  );
}
