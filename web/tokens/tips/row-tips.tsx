import { type RefObject, useEffect, useId, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { TOOLTIP_DELAY_MS } from '../../ui/tooltip.tsx';
import { type RowTip, tipsAt, tipsOf } from './tip-text.ts';

interface Shown {
  tips: readonly RowTip[];
  /** Whether it is on screen, or so far only for screen readers. */
  visible: boolean;
}

/**
 * Shows the titles of a row's figures. The row's link covers them, so the browser itself never would. A mouse that rests
 * on a figure shows its title; elsewhere in the row, and by focus, all of them show.
 */
export function RowTips({ list }: { list: RefObject<HTMLElement | null> }) {
  const id = useId();
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    const element = list.current;
    return element === null ? undefined : watch(element, id, setShown);
  }, [list, id]);
  const place = shown?.tips[0]?.box;
  return (
    <div
      id={id}
      role="tooltip"
      className={classNames(
        'pointer-events-none fixed z-50 w-max max-w-80 rounded-md border border-line-strong bg-raised px-2.5 py-1.5 text-text text-xs shadow-raised',
        shown === null && 'hidden',
        shown?.visible === false && 'sr-only',
      )}
      style={place && placeOf(place)}
    >
      {shown?.tips.map(({ text, of }) => (
        <p key={`${of} ${text}`}>
          {of !== '' && <span className="text-muted">{of}: </span>}
          {text}
        </p>
      ))}
    </div>
  );
}

/** Listens to mouse and focus over the rows; returns a function that stops it. */
function watch(list: HTMLElement, id: string, show: (shown: Shown | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let described: Element | null = null;
  const hide = () => {
    clearTimeout(timer);
    described?.removeAttribute('aria-describedby');
    described = null;
    show(null);
  };
  const onMove = ({ clientX, clientY, pointerType }: PointerEvent) => {
    if (pointerType === 'touch' || described !== null) return;
    hide();
    timer = setTimeout(() => {
      const tips = tipsAt(clientX, clientY);
      if (tips.length > 0) show({ tips, visible: true });
    }, TOOLTIP_DELAY_MS);
  };
  const onFocus = ({ target }: FocusEvent) => {
    hide();
    if (!(target instanceof Element) || !target.matches('[data-row-link]:focus-visible')) return;
    const tips = tipsOf(target);
    if (tips.length === 0) return;
    described = target;
    target.setAttribute('aria-describedby', id);
    show({ tips, visible: false });
    timer = setTimeout(() => show({ tips, visible: true }), TOOLTIP_DELAY_MS);
  };
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') hide();
  };
  list.addEventListener('pointermove', onMove);
  list.addEventListener('pointerleave', hide);
  list.addEventListener('pointerdown', hide);
  list.addEventListener('focusin', onFocus);
  list.addEventListener('focusout', hide);
  window.addEventListener('keydown', onKey);
  window.addEventListener('scroll', hide, { passive: true });
  return () => {
    hide();
    list.removeEventListener('pointermove', onMove);
    list.removeEventListener('pointerleave', hide);
    list.removeEventListener('pointerdown', hide);
    list.removeEventListener('focusin', onFocus);
    list.removeEventListener('focusout', hide);
    window.removeEventListener('keydown', onKey);
    window.removeEventListener('scroll', hide);
  };
}

/** Space kept free for a tip, px. */
const ROOM = { width: 336, height: 140 };

/** Returns the place below a box, or above it near the lower edge of the window. */
function placeOf({ left, top, bottom }: DOMRect): { left: number; top?: number; bottom?: number } {
  const from = Math.max(8, Math.min(left, window.innerWidth - ROOM.width));
  if (bottom + ROOM.height < window.innerHeight) return { left: from, top: bottom + 6 };
  return { left: from, bottom: window.innerHeight - top + 6 };
}
