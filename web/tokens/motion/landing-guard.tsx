import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { useLiveMarket } from '../../live/live.ts';
import { nameOf, symbolOf } from '../text.ts';
import type { ListMotion } from './list-motion.ts';

/** Time for which the text and the glow stay, ms. */
const SHOWN_MS = 2_500;
/** Space for the text at the right edge of the window, px. */
const TEXT_WIDTH = 260;

/** A press that opened nothing: the row had only just arrived under the pointer. */
export interface Refused {
  /** Row under the pointer. */
  address: string;
  /** Row that was there before. */
  previous: string;
  x: number;
  y: number;
}

/**
 * Refuses presses on rows that have just arrived at their place. Returns the last refused press while its text shows,
 * and the handlers of the element around the rows. Keyboard presses pass: they follow the focus, not the place.
 */
export function useLandingGuard(motion: ListMotion) {
  const pressed = useRef<{ address: string; previous: string } | null>(null);
  const [refused, setRefused] = useState<Refused | null>(null);
  useEffect(() => {
    if (refused === null) return;
    const timer = setTimeout(() => setRefused(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [refused]);

  function press(event: PointerEvent): void {
    const row = event.target instanceof Element ? event.target.closest('[data-address]') : null;
    const address = row?.getAttribute('data-address') ?? null;
    const previous = address === null ? null : motion.landing(address, event.nativeEvent.timeStamp);
    pressed.current = address === null || previous === null ? null : { address, previous };
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
