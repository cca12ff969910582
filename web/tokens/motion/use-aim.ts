import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import { typesText } from '../../ui/typing.ts';
import { approaches, type Box, type Point } from './approach.ts';
import type { ListMotion } from './list-motion.ts';

/** Height of the header, px, which covers rows that are scrolled below it. */
const HEADER = 48;

/**
 * Watches mouse, touch, keys, wheel, focus and scrolling, and holds the list where they may aim at a row. Returns
 * whether the list is being read, whether its first rows are scrolled out of sight, and whether it is used by touch.
 */
export function useAim(
  motion: ListMotion,
  list: RefObject<HTMLElement | null>,
): { reading: boolean; scrolled: boolean; touched: boolean } {
  const [over, setOver] = useState(false);
  const [focused, setFocused] = useState(false);
  const [scrolled, setScrolled] = useState(false);
  const [touch, setTouch] = useState(() => window.matchMedia('(pointer: coarse)').matches);
  const [hidden, setHidden] = useState(() => document.hidden);

  // Before the rows are painted: a press on them must not come before its listener.
  useLayoutEffect(() => {
    let before: Point | null = null;
    return listenAll(window, {
      pointermove(event) {
        if (!(event instanceof PointerEvent)) return;
        setTouch(event.pointerType === 'touch');
        if (event.pointerType === 'touch') return;
        const now = { x: event.clientX, y: event.clientY };
        if (approaches(visibleBox(list.current), before, now)) motion.attend();
        before = now;
      },
      pointerdown(event) {
        if (event instanceof PointerEvent) setTouch(event.pointerType === 'touch');
      },
      keydown(event) {
        // Typing changes the list itself, and a modifier alone does nothing.
        if (!typesText(event.target)) motion.attend();
      },
      wheel: () => motion.attend(),
      scroll: () => setScrolled(isScrolled(list.current)),
      visibilitychange: () => setHidden(document.hidden),
    });
  }, [motion, list]);

  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    return listenAll(element, {
      pointerenter(event) {
        if (event instanceof PointerEvent) setOver(event.pointerType !== 'touch');
      },
      pointerleave: () => setOver(false),
      focusin: (event) => setFocused(event.target instanceof Element && event.target.matches(AIMING)),
      focusout: () => setFocused(false),
    });
  }, [list]);

  useEffect(() => motion.hold('over', over), [motion, over]);
  useEffect(() => motion.hold('focus', focused), [motion, focused]);
  useEffect(() => motion.hold('scrolled', scrolled), [motion, scrolled]);
  // A list out of sight may change: it is current when the user returns.
  useEffect(() => motion.hold('touch', touch && !hidden), [motion, touch, hidden]);
  return { reading: over || focused || scrolled, scrolled, touched: touch };
}

const AIMING = ':is([data-row-link], [data-row-action]):focus-visible';

type Handlers = Record<string, (event: Event) => void>;

/** Adds passive listeners that also see events whose propagation is stopped; returns a function that removes them. */
function listenAll(target: EventTarget, handlers: Handlers): () => void {
  const all = Object.entries(handlers);
  const options = { passive: true, capture: target === window };
  for (const [name, handler] of all) target.addEventListener(name, handler, options);
  return () => {
    for (const [name, handler] of all) target.removeEventListener(name, handler, options);
  };
}

function visibleBox(list: HTMLElement | null): Box | null {
  if (list === null) return null;
  const { left, right, top, bottom } = list.getBoundingClientRect();
  const box = { left, right, top: Math.max(0, top), bottom: Math.min(window.innerHeight, bottom) };
  return box.bottom > box.top ? box : null;
}

function isScrolled(list: HTMLElement | null): boolean {
  if (list === null) return false;
  // A list may scroll by itself, or with the page.
  return list.scrollTop > 0 || (window.scrollY > 0 && list.getBoundingClientRect().top < HEADER);
}
