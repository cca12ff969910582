import { type RefObject, useEffect, useId, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { TOOLTIP_DELAY_MS } from '../../ui/tooltip.tsx';

interface Shown extends Tips {
  /** Whether it is on screen, or so far only for screen readers. */
  visible: boolean;
}

/**
 * Shows the titles of a row's figures. The row's link covers them, so the browser itself never would. A mouse that rests
 * or a finger that stays on a figure shows its title; elsewhere in the row, and by focus, all of them show.
 */
export function RowTips({ list }: { list: RefObject<HTMLElement | null> }) {
  const id = useId();
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    const stops = [watch(element, id, setShown), watchTouch(element, setShown)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [list, id]);
  return (
    <div
      id={id}
      role="tooltip"
      className={classNames(
        'pointer-events-none fixed z-50 w-max max-w-80 rounded-md border border-line-strong bg-raised px-2.5 py-1.5 text-text text-xs shadow-raised',
        shown === null && 'hidden',
        shown?.visible === false && 'sr-only',
      )}
      style={shown === null ? undefined : placeOf(shown)}
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
  let onChange = (): unknown => undefined;
  const changes = new MutationObserver(() => onChange());
  const hide = () => {
    clearTimeout(timer);
    changes.disconnect();
    described?.removeAttribute('aria-describedby');
    described = null;
    show(null);
  };
  const onMove = ({ clientX, clientY, pointerType }: PointerEvent) => {
    if (pointerType === 'touch' || described !== null) return;
    hide();
    timer = setTimeout(() => {
      const found = tipsAt(clientX, clientY);
      if (found !== null) show({ ...found, visible: true });
    }, TOOLTIP_DELAY_MS);
  };
  // A title that a finger has called stays until the next press.
  const onLeave = ({ pointerType }: PointerEvent) => pointerType !== 'touch' && hide();
  const onFocus = ({ target }: FocusEvent) => {
    hide();
    if (!(target instanceof Element) || !target.matches('[data-row-link]:focus-visible')) return;
    const row = target.closest('[data-address]');
    let visible = false;
    const read = () => {
      const found = tipsOf(target);
      // A removed token has none.
      if (found === null) hide();
      else show({ ...found, visible });
      return found !== null;
    };
    if (row === null || !read()) return;
    described = target;
    target.setAttribute('aria-describedby', id);
    // The focus stays while the figures change. An age alone, which ticks, has the same title.
    changes.observe(row, { subtree: true, attributeFilter: ['title'] });
    onChange = read;
    timer = setTimeout(() => {
      visible = true;
      read();
    }, TOOLTIP_DELAY_MS);
  };
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') hide();
  };
  list.addEventListener('pointermove', onMove);
  list.addEventListener('pointerleave', onLeave);
  list.addEventListener('pointerdown', hide);
  list.addEventListener('focusin', onFocus);
  list.addEventListener('focusout', hide);
  window.addEventListener('keydown', onKey);
  window.addEventListener('scroll', hide, { passive: true });
  return () => {
    hide();
    list.removeEventListener('pointermove', onMove);
    list.removeEventListener('pointerleave', onLeave);
    list.removeEventListener('pointerdown', hide);
    list.removeEventListener('focusin', onFocus);
    list.removeEventListener('focusout', hide);
    window.removeEventListener('keydown', onKey);
    window.removeEventListener('scroll', hide);
  };
}

/** Time that a finger stays on a figure for its title, ms. */
const TOUCH_MS = 400;
/** Distance that a finger may move meanwhile, px. */
const TOUCH_MOVES = 10;

/** Listens to long presses over the rows; returns a function that stops it. The click that ends one opens no row. */
function watchTouch(list: HTMLElement, show: (shown: Shown | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let from = { x: 0, y: 0 };
  let isHeld = false;
  const onDown = ({ clientX, clientY, pointerType }: PointerEvent) => {
    isHeld = false;
    if (pointerType !== 'touch') return;
    from = { x: clientX, y: clientY };
    timer = setTimeout(() => {
      const found = tipsAt(clientX, clientY);
      if (found === null) return;
      isHeld = true;
      show({ ...found, visible: true });
    }, TOUCH_MS);
  };
  const onMove = ({ clientX, clientY }: PointerEvent) => {
    if (Math.hypot(clientX - from.x, clientY - from.y) > TOUCH_MOVES) clearTimeout(timer);
  };
  const onEnd = () => clearTimeout(timer);
  // The browser's own menu of a link would cover the titles.
  const onMenu = (event: Event) => isHeld && event.preventDefault();
  const onClick = (event: Event) => {
    if (!isHeld) return;
    isHeld = false;
    event.preventDefault();
    event.stopPropagation();
  };
  list.addEventListener('pointerdown', onDown);
  list.addEventListener('pointermove', onMove);
  list.addEventListener('pointerup', onEnd);
  list.addEventListener('pointercancel', onEnd);
  list.addEventListener('contextmenu', onMenu);
  list.addEventListener('click', onClick, true);
  return () => {
    clearTimeout(timer);
    list.removeEventListener('pointerdown', onDown);
    list.removeEventListener('pointermove', onMove);
    list.removeEventListener('pointerup', onEnd);
    list.removeEventListener('pointercancel', onEnd);
    list.removeEventListener('contextmenu', onMenu);
    list.removeEventListener('click', onClick, true);
  };
}

/** Space kept free for a tip, px. */
const ROOM = { width: 336, height: 140 };
/** Least distance from the edges of the window, px. */
const EDGE = 8;

/** Returns the place below a box, or above it near the lower edge of the window. */
function placeOf({ box, ofRow }: Tips): { left?: number; right?: number; top?: number; bottom?: number } {
  const { innerWidth, innerHeight } = window;
  const across = ofRow
    ? { right: Math.max(EDGE, innerWidth - box.right + EDGE) }
    : { left: Math.max(EDGE, Math.min(box.left, innerWidth - ROOM.width)) };
  if (box.bottom + ROOM.height < innerHeight) return { ...across, top: box.bottom + 6 };
  return { ...across, bottom: innerHeight - box.top + 6 };
}

/** Titles of a row's figures, and where they show. */
interface Tips {
  tips: readonly RowTip[];
  /** The figure, or the row: its titles show below its end, since its start has the names. */
  box: DOMRect;
  ofRow: boolean;
}

/** A title of a row's figure, and the figure's text ('' where the title repeats it). */
interface RowTip {
  text: string;
  of: string;
}

/**
 * Returns the title under a point of the window, which the row's link covers, or all titles of the row where the point
 * has none; null outside of rows and over buttons, which have their own.
 */
function tipsAt(x: number, y: number): Tips | null {
  const under = document.elementsFromPoint(x, y);
  if (under.some((element) => element.closest('[data-row-action]') !== null)) return null;
  for (const element of under) {
    const titled = element.closest('[data-address] [title]');
    if (titled !== null) {
      return { tips: [{ ...tipOf(titled), of: '' }], box: titled.getBoundingClientRect(), ofRow: false };
    }
  }
  const [first] = under;
  const all = first === undefined ? null : tipsOf(first);
  // Below the pointer, which has not left the row.
  return all && { ...all, box: new DOMRect(x, all.box.top, 0, all.box.height), ofRow: false };
}

/** Returns all titles of the row around an element, in reading order; null where there are none. */
function tipsOf(element: Element): Tips | null {
  const row = element.closest('[data-address]');
  const titled = [...(row?.querySelectorAll('[title]:not([data-row-action])') ?? [])];
  if (row === null || titled.length === 0) return null;
  return { tips: titled.map(tipOf), box: row.getBoundingClientRect(), ofRow: true };
}

function tipOf(element: Element): RowTip {
  const text = element.getAttribute('title') ?? '';
  const of = element.textContent.trim();
  // A title that repeats its figure needs no label.
  const repeats = element.matches('[data-level]') || text.startsWith(of.slice(0, 3));
  return { text, of: repeats ? '' : of };
}
