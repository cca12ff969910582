import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** `ink`: the color of icon and title. */
const tones = {
  info: { icon: Info, look: 'border-line-strong bg-surface text-muted', ink: 'text-text' },
  warning: { icon: TriangleAlert, look: 'border-risk-medium/40 bg-caution/12', ink: 'text-risk-medium' },
  danger: { icon: CircleAlert, look: 'border-down/30 bg-down/10 text-down', ink: '' },
} as const;

/** Important information, with an optional action. */
export function Notice(props: { tone: keyof typeof tones; title?: string; children: ReactNode; action?: ReactNode }) {
  const { tone, title, children, action } = props;
  const { icon: Icon, look, ink } = tones[tone];
  return (
    <div role="note" className={classNames('flex flex-wrap items-center gap-3 rounded-md border px-3 py-2', look)}>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" className={classNames('shrink-0', ink)} />
      <div className="wrap-anywhere min-w-0 flex-1 basis-60 text-sm">
        {title !== undefined && <p className={classNames('font-semibold', ink)}>{title}</p>}
        <div>{children}</div>
      </div>
      {action}
    </div>
  );
}
