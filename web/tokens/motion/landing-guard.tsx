import {
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useLiveMarket } from '../../live/live.ts';
import { CHANGED_AT } from '../../trading/quick/armed.ts';
import { nameOf, symbolOf } from '../text.ts';
import { createPlacements, LANDING_MS, type Landing, type Placement, TRADE_LANDING_MS } from './placements.ts';
import { useMoved } from './use-moved.ts';

/** Time for which the text and the glow stay, ms. */
const SHOWN_MS = 2_500;
/** Space for the text at the right edge of the window, px. */
const TEXT_WIDTH = 260;

/** A press that did nothing: its row or its action had only just arrived under the pointer. */
interface Refused extends Press {
  x: number;
  y: number;
}

/** A press on a row, or on a button of it that trades. */
interface Press {
  /** Row under the pointer. */
  address: string;
  /** Row that was there before, to mark it; null without one. */
  previous: string | null;
  trades: boolean;
}

/** The element that holds the rows, the rows in it, and their height in px. */
interface Guarded extends Omit<Placement, 'top'> {
  body: RefObject<HTMLElement | null>;
}

/**
 * Refuses presses on rows that have just arrived at their place, and on buttons whose trade has just
 * changed. Returns the last refused press while its text shows, whether the press under way is on such a row, and the handlers
 * of the element around the rows.
 * Keyboard presses pass: they follow the focus, not the place.
 */
export function useLandingGuard(guarded: Guarded) {
  const placements = usePlacements(guarded);
  const pressed = useRef<{ at: number; landed: Press | null } | null>(null);
  const [refused, setRefused] = useState<Refused | null>(null);
  useEffect(() => {
    if (refused === null) return;
    const timer = setTimeout(() => setRefused(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [refused]);

  function press(event: PointerEvent): void {
    const at = event.nativeEvent.timeStamp;
    const target = aimOf(event.target);
    const within = target?.button ? TRADE_LANDING_MS : LANDING_MS;
    const y = event.pageY + scrolledBy(guarded.body.current);
    const landing = target && placements.landing(target.address, y, at, within);
    const landed = target && landing && { address: target.address, trades: target.button !== null, ...landing };
    pressed.current = { at, landed };
    if (refused !== null) setRefused(null);
  }

  function click(event: MouseEvent): void {
    const press = pressed.current;
    pressed.current = null;
    if (event.detail === 0) return;
    // The action may change while the finger is down.
    const landed = press?.landed ?? changedAction(event.target, press?.at ?? event.timeStamp);
    if (landed === null) return;
    event.preventDefault();
    event.stopPropagation();
    setRefused({ ...landed, x: event.clientX, y: event.clientY });
  }

  const isLanded = useCallback(() => pressed.current?.landed != null, []);
  const props = {
    onPointerDownCapture: press,
    onMouseDown: keepFocus,
    onClickCapture: click,
    onAuxClickCapture: click,
  };
  return { refused, isLanded, props };
}

/** Leaves the focus where it is for a press on an action of a row: with it the actions would stay in sight without the pointer. */
function keepFocus(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('[data-row-action]') !== null) event.preventDefault();
}

/** Returns the row of an event, and its button that trades; null outside the rows. */
function aimOf(target: EventTarget): { address: string; button: Element | null } | null {
  if (!(target instanceof Element)) return null;
  const address = target.closest('[data-address]')?.getAttribute('data-address') ?? null;
  return address === null ? null : { address, button: target.closest('[data-quick]') };
}

/** Returns the press on a button whose action has changed less than TRADE_LANDING_MS before `at`; null for any other. */
function changedAction(target: EventTarget, at: number): Press | null {
  const aim = aimOf(target);
  const changedAt = aim?.button?.getAttribute(CHANGED_AT) ?? null;
  if (aim === null || changedAt === null || at - Number(changedAt) >= TRADE_LANDING_MS) return null;
  return { address: aim.address, previous: null, trades: true };
}

/** Follows the places of the rows: at each render, whenever an element around them changes its size, and at a press. */
function usePlacements({ body, rows, choice, height }: Guarded) {
  const [placements] = useState(createPlacements);
  const top = useRef<number | null>(null);
  const note = useCallback(
    (isMoved: boolean) => {
      if (body.current === null) return;
      // A measurement has the browser lay out the page at once, so a change of the rows alone needs none.
      if (isMoved || top.current === null) top.current = pageTop(body.current);
      placements.note({ rows, choice, height, top: top.current }, performance.now());
    },
    [placements, body, rows, choice, height],
  );
  useLayoutEffect(() => note(false), [note]);
  useMoved(body, () => note(true));
  return {
    landing(address: string, y: number, at: number, within: number): Landing | null {
      note(true);
      return placements.landing(address, y, at, within);
    },
  };
}

/** Returns the distance of an element from the top of the page, px, without any scrolling. Rows that still slide are measured at their end. */
function pageTop(element: HTMLElement): number {
  let top = 0;
  for (let one: Element | null = element; one instanceof HTMLElement; one = one.offsetParent) top += one.offsetTop;
  return top;
}

/** Returns how far the elements around one have scrolled it, px. The window does not count: places are those of the page. */
function scrolledBy(element: HTMLElement | null): number {
  let by = 0;
  for (let around = element?.parentElement; around && around !== document.body; around = around.parentElement) {
    by += around.scrollTop;
  }
  return by;
}

/** Shows beside the pointer why a press did nothing. */
export function LandingNote({ refused }: { refused: Refused | null }) {
  return (
    <div role="status" className="pointer-events-none fixed top-0 left-0 z-50">
      {refused !== null && <Note refused={refused} />}
    </div>
  );
}

function Note({ refused: { address, trades, x, y } }: { refused: Refused }) {
  const { model } = useLiveMarket();
  const token = model.state.tokens.get(address);
  const name = token === undefined ? 'the token' : (symbolOf(token) ?? nameOf(token));
  const left = Math.max(8, Math.min(x + 12, window.innerWidth - TEXT_WIDTH));
  return (
    <p
      className="absolute w-max max-w-60 animate-fade-in rounded-md border border-accent/40 bg-raised px-2.5 py-1.5 text-text text-xs shadow-raised"
      style={{ left, top: Math.max(8, y - 44) }}
    >
      {trades ? 'This button has just changed. Nothing was ordered for ' : 'List moved. Click again to open '}
      <bdi className="font-medium">{name}</bdi>.
    </p>
  );
}
