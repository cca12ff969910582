import { ArrowUp } from 'lucide-react';
import { classNames } from '../../ui/class-names.ts';
import { count } from '../../ui/format.ts';

/** Shows how many tokens wait; a press shows them. */
export function NewPill({ waiting, onShow }: { waiting: number; onShow: () => void }) {
  return (
    <button
      type="button"
      onClick={onShow}
      className="inline-flex h-7 animate-fade-in items-center gap-1.5 whitespace-nowrap rounded-full border border-accent/40 bg-raised px-2.5 font-medium text-accent text-xs tabular-nums transition-colors hover:border-accent"
    >
      <ArrowUp size={14} strokeWidth={1.75} aria-hidden="true" />
      {count(waiting)} new
    </button>
  );
}

/**
 * Keeps the pill in sight at the top of a list, without taking room. `className` gives its distance from the window's
 * edge while the page is scrolled.
 */
export function FloatingPill(props: { waiting: number; onShow: () => void; className: string }) {
  const { waiting, onShow, className } = props;
  return (
    <div className={classNames('sticky z-20 flex h-0 justify-center', className)}>
      {waiting > 0 && <NewPill waiting={waiting} onShow={onShow} />}
    </div>
  );
}
