import { type RefObject, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { useNotBlacklisted } from '../../watchlists/lists.ts';
import { createListMotion, type ListMotion, type MotionClock, type MotionView } from './list-motion.ts';
import { useAim } from './use-aim.ts';

/** Distance that rows slide to their new places, px: short, so that a row is hit where it is seen at any moment. */
const SLIDE_PX = 12;
const SLIDE_MS = 120;

const browserClock: MotionClock = {
  now: () => performance.now(),
  after(ms, run) {
    let frame = 0;
    // Browsers hand out the waiting movements of the pointer before a frame, so that none of them comes too late on a
    // busy machine. A hidden page has no frames.
    const timer = setTimeout(() => {
      if (document.hidden) run();
      else frame = requestAnimationFrame(run);
    }, ms);
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  },
};

interface UsedMotion extends MotionView {
  motion: ListMotion;
  /** The list keeps still on purpose: it is paused, or being read. */
  held: boolean;
  /** Rows above are scrolled out of sight. */
  scrolled: boolean;
  /** The list is used by touch: rows change only on request, and rows that left the list stay in place. */
  touched: boolean;
}

/**
 * Returns the rows of a live list to show. `list` is the element around the rows, `body` the one that slides. `choice`
 * names the list that `addresses` belongs to; another one is shown at once, and so is the response of the server, which is
 * `pending` before.
 */
export function useListMotion(given: {
  addresses: readonly string[];
  choice: string;
  pending?: boolean;
  paused: boolean;
  list: RefObject<HTMLElement | null>;
  body: RefObject<HTMLElement | null>;
}): UsedMotion {
  const { addresses, choice, pending = false, paused, list, body } = given;
  const responses = Number(!pending);
  const [motion] = useState(() => {
    const created = createListMotion(browserClock);
    created.offer(addresses, choice, responses);
    return created;
  });
  const view = useSyncExternalStore(motion.subscribe, motion.view);
  const aim = useAim(motion, list);
  useLayoutEffect(() => motion.offer(addresses, choice, responses), [motion, addresses, choice, responses]);
  useLayoutEffect(() => motion.hold('paused', paused), [motion, paused]);
  useEffect(() => motion.stop, [motion]);
  const { slides, shift } = view;
  useLayoutEffect(() => {
    if (slides > 0) slideIn(body.current, shift);
  }, [body, slides, shift]);
  return { ...view, motion, held: paused || aim.reading, scrolled: aim.scrolled, touched: aim.touched };
}

/** Moves the rows the last few pixels to their places, for visitors who do not prefer reduced motion. */
function slideIn(body: HTMLElement | null, shift: number): void {
  if (body === null || shift === 0 || !('animate' in body)) return;
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const from = `translateY(${-Math.sign(shift) * SLIDE_PX}px)`;
  body.animate([{ transform: from }, { transform: 'none' }], {
    duration: SLIDE_MS,
    easing: 'cubic-bezier(0.2, 0, 0, 1)',
  });
}

/**
 * Returns the rows of a live list without blacklisted tokens, which disappear at once, also from held rows. On touch they
 * stay as grey rows until the list is updated: the next row must not come under the finger.
 */
export function useVisibleRows({ shown, touched }: UsedMotion): readonly string[] {
  const visible = useNotBlacklisted(shown);
  return touched ? shown : visible;
}
