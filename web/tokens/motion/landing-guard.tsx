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
import { nameOf, symbolOf } from '../text.ts';
import { createPlacements, type Landing, type Placement } from './placements.ts';

/** Time for which the text and the glow stay, ms. */
const SHOWN_MS = 2_500;
/** Space for the text at the right edge of the window, px. */
const TEXT_WIDTH = 260;

/** A press that opened nothing: the row had only just arrived under the pointer. */
interface Refused extends Landing {
  /** Row under the pointer. */
  address: string;
  x: number;
  y: number;
}

/** The element that holds the rows, the rows in it, and their height in px. */
interface Guarded extends Omit<Placement, 'top'> {
  body: RefObject<HTMLElement | null>;
}

/**
 * Refuses presses on rows that have just arrived at their place, whatever moved them. Returns the last refused press
 * while its text shows, and the handlers of the element around the rows. Keyboard presses pass: they follow the focus,
 * not the place.
 */
export function useLandingGuard(guarded: Guarded) {
  const placements = usePlacements(guarded);
  const pressed = useRef<(Landing & { address: string }) | null>(null);
  const [refused, setRefused] = useState<Refused | null>(null);
  useEffect(() => {
    if (refused === null) return;
    const timer = setTimeout(() => setRefused(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [refused]);

  function press(event: PointerEvent): void {
    const row = event.target instanceof Element ? event.target.closest('[data-address]') : null;
    const address = row?.getAttribute('data-address') ?? null;
    const landing = address === null ? null : placements.landing(address, event.pageY, event.nativeEvent.timeStamp);
    pressed.current = address === null || landing === null ? null : { address, ...landing };
    if (refused !== null) setRefused(null);
  }

  function click(event: MouseEvent): void {
    const press = pressed.current;
    pressed.current = null;
    if (press === null || event.detail === 0) return;
    event.preventDefault();
    event.stopPropagation();
    setRefused({ ...press, x: event.clientX, y: event.clientY });
  }

  return { refused, props: { onPointerDownCapture: press, onClickCapture: click, onAuxClickCapture: click } };
}

/** Follows the places of the rows: at each render, whenever an element around them changes its size, and at a press. */
function usePlacements({ body, rows, choice, height }: Guarded) {
  const [placements] = useState(createPlacements);
  const note = useCallback(() => {
    if (body.current === null) return;
    placements.note({ rows, choice, height, top: pageTop(body.current) }, performance.now());
  }, [placements, body, rows, choice, height]);
  const latest = useRef(note);
  useLayoutEffect(() => {
    latest.current = note;
    note();
  });
  useEffect(() => {
    // A part of the page above the list moves it by changing the size of an element around both.
    const observer = new ResizeObserver(() => latest.current());
    for (let around = body.current?.parentElement; around; around = around.parentElement) observer.observe(around);
    return () => observer.disconnect();
  }, [body]);
  return {
    landing(address: string, y: number, at: number): Landing | null {
      note();
      return placements.landing(address, y, at);
    },
  };
}

/** Returns the distance of an element from the top of the page, px. Rows that still slide are measured at their end. */
function pageTop(element: HTMLElement): number {
  let top = 0;
  for (let one: Element | null = element; one instanceof HTMLElement; one = one.offsetParent) top += one.offsetTop;
  return top;
}

/** Shows beside the pointer why a press opened nothing. */
export function LandingNote({ refused }: { refused: Refused | null }) {
  return (
    <div role="status" className="pointer-events-none fixed top-0 left-0 z-50">
      {refused !== null && <Note refused={refused} />}
    </div>
  );
}

function Note({ refused: { address, x, y } }: { refused: Refused }) {
  const { model } = useLiveMarket();
  const token = model.state.tokens.get(address);
  const name = token === undefined ? 'the token' : (symbolOf(token) ?? nameOf(token));
  const left = Math.max(8, Math.min(x + 12, window.innerWidth - TEXT_WIDTH));
  return (
    <p
      className="absolute w-max max-w-60 animate-fade-in rounded-md border border-accent/40 bg-raised px-2.5 py-1.5 text-text text-xs shadow-raised"
      style={{ left, top: Math.max(8, y - 44) }}
    >
      List moved. Click again to open <bdi className="font-medium">{name}</bdi>.
    </p>
  );
}
