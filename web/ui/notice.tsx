import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

const tones = {
  info: { icon: Info, look: 'border-line-strong bg-surface text-muted', title: 'text-text' },
  warning: { icon: TriangleAlert, look: 'border-risk-medium/30 bg-risk-medium/10 text-risk-medium', title: '' },
  danger: { icon: CircleAlert, look: 'border-down/30 bg-down/10 text-down', title: '' },
} as const;

/** Important information, with an optional action. */
export function Notice(props: { tone: keyof typeof tones; title?: string; children: ReactNode; action?: ReactNode }) {
  const { tone, title, children, action } = props;
  const { icon: Icon, look, title: titleLook } = tones[tone];
  return (
    <div role="note" className={classNames('flex flex-wrap items-center gap-3 rounded-md border px-3 py-2', look)}>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      <div className="min-w-0 flex-1 basis-60 text-sm">
        {title !== undefined && <p className={classNames('font-semibold', titleLook)}>{title}</p>}
        <div>{children}</div>
      </div>
      {action}
    </div>
  );
}
