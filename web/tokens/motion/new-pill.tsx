import { ArrowUp } from 'lucide-react';
import { classNames } from '../../ui/class-names.ts';
import { count } from '../../ui/format.ts';
import type { MotionView } from './list-motion.ts';

/** What a held list does not show. */
export type Stand = Pick<MotionView, 'waiting' | 'moreWaiting' | 'behind'>;

/** Returns whether a held list has something to show on request. */
export function hasNews({ waiting, behind }: Stand): boolean {
  return waiting > 0 || behind;
}

/** Shows how many tokens wait, or that the order changed; a press shows them. */
export function NewPill({ stand, onShow }: { stand: Stand; onShow: () => void }) {
  const { waiting, moreWaiting } = stand;
  return (
    <button
      type="button"
      onClick={onShow}
      className="inline-flex h-7 animate-fade-in items-center gap-1.5 whitespace-nowrap rounded-full border border-accent/40 bg-raised px-2.5 font-medium text-accent text-xs tabular-nums transition-colors hover:border-accent"
    >
      <ArrowUp size={14} strokeWidth={1.75} aria-hidden="true" />
      {waiting > 0 ? `${count(waiting)}${moreWaiting ? '+' : ''} new` : 'Update'}
    </button>
  );
}

/**
 * Keeps the pill in sight at the top of a list, without taking room. `className` gives its distance from the window's
 * edge while the page is scrolled.
 */
export function FloatingPill(props: { stand: Stand; onShow: () => void; className: string }) {
  const { stand, onShow, className } = props;
  return (
    <div className={classNames('sticky z-20 flex h-0 justify-center', className)}>
      {hasNews(stand) && <NewPill stand={stand} onShow={onShow} />}
    </div>
  );
}
