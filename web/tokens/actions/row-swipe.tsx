import { Eye, EyeOff } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { useStore } from '../../store.ts';
import { classNames } from '../../ui/class-names.ts';
import { useChangeList } from '../../watchlists/change-list.tsx';
import { listSetsAtom } from '../../watchlists/lists.ts';

/** Distance from which a movement is a swipe rather than a press, px. */
const STARTS_AT = 12;
/** Distance from which a release acts, px. */
const ACTS_AT = 88;
const BACK_MS = 140;

type Side = 'watch' | 'hide';

/** What a swipe in progress would do, and the row that it moves. */
interface Swiping {
  side: Side;
  isWatched: boolean;
  /** Whether a release now acts. */
  acts: boolean;
  box: { top: number; left: number; width: number; height: number };
}

const looks = {
  watch: { icon: Eye, look: 'justify-start text-accent', on: 'bg-accent/12' },
  hide: { icon: EyeOff, look: 'justify-end text-down', on: 'bg-down/12' },
} as const;

/**
 * Swipes of the cards in `list` by touch: to the right they watch a token or end that, to the left they blacklist it. Shows
 * behind the card what a release does. The menu of a card has the same actions. `isLanded`: whether the press under way is on a
 * card that has only just come to its place, and is not swiped.
 */
export function RowSwipe({ list, isLanded }: { list: RefObject<HTMLElement | null>; isLanded: () => boolean }) {
  const store = useStore();
  const change = useChangeList();
  const [swiping, setSwiping] = useState<Swiping | null>(null);
  useEffect(() => {
    const isWatched = (address: string) => store.get(listSetsAtom)?.watch.has(address) === true;
    return followSwipes(list.current, {
      starts: () => !isLanded(),
      show: (address, by, row) => setSwiping((before) => swipingOf(before, { by, row, isWatched: isWatched(address) })),
      act: (address, side) => {
        if (store.get(listSetsAtom) === null) return;
        if (side === 'hide') change({ list: 'black', address, on: true });
        else change({ list: 'watch', address, on: !isWatched(address) });
      },
      end: () => setSwiping(null),
    });
  }, [list, isLanded, store, change]);
  if (swiping === null) return null;
  const { side, isWatched: isOn, acts, box } = swiping;
  const { icon: Icon, look, on } = looks[side];
  return (
    <div
      aria-hidden="true"
      className={classNames(
        'pointer-events-none fixed flex items-center gap-2 px-4 font-medium text-sm',
        look,
        acts ? on : 'opacity-60',
      )}
      style={box}
    >
      <Icon size={18} strokeWidth={1.75} />
      {side === 'hide' ? 'Hide' : isOn ? 'Stop watching' : 'Watch'}
    </div>
  );
}

/** Returns the same object while nothing on screen changes, so that a movement renders nothing. */
function swipingOf(
  before: Swiping | null,
  { by, row, isWatched }: { by: number; row: HTMLElement; isWatched: boolean },
): Swiping {
  const side: Side = by > 0 ? 'watch' : 'hide';
  const acts = Math.abs(by) >= ACTS_AT;
  if (before !== null && before.side === side && before.acts === acts) return before;
  const { top, height } = row.getBoundingClientRect();
  const { left, width } = row.parentElement?.getBoundingClientRect() ?? row.getBoundingClientRect();
  return { side, isWatched, acts, box: { top, left, width, height } };
}

interface Swipes {
  /** Returns whether a press may become a swipe. */
  starts: () => boolean;
  /** Called while a finger moves a row. `by`: px to the right. */
  show: (address: string, by: number, row: HTMLElement) => void;
  act: (address: string, side: Side) => void;
  end: () => void;
}

/** Listens to swipes over the cards of a list; returns a function that stops it. */
function followSwipes(list: HTMLElement | null, { starts, show, act, end }: Swipes): () => void {
  let row: HTMLElement | null = null;
  let finger = 0;
  let from = { x: 0, y: 0 };
  let by = 0;
  let swipes = false;
  function onDown(event: PointerEvent): void {
    // Another finger ends a swipe.
    finish(false);
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-swipe]') : null;
    row = event.pointerType === 'touch' && event.isPrimary && starts() ? target : null;
    finger = event.pointerId;
    from = { x: event.clientX, y: event.clientY };
    by = 0;
    swipes = false;
  }
  function onMove(event: PointerEvent): void {
    const address = row?.getAttribute('data-address') ?? null;
    if (row === null || address === null || event.pointerId !== finger) return;
    by = event.clientX - from.x;
    swipes ||= Math.abs(by) >= STARTS_AT && Math.abs(by) > 2 * Math.abs(event.clientY - from.y);
    if (!swipes) return;
    row.style.translate = `${by}px`;
    // Above what the release does, which stands behind it.
    row.style.zIndex = '1';
    show(address, by, row);
  }
  function finish(acts: boolean): void {
    const address = row?.getAttribute('data-address') ?? null;
    if (row === null || address === null || !swipes) return;
    slideBack(row, by);
    // A row that has left the list meanwhile is not what the user sees.
    const isShown = row.isConnected;
    row = null;
    end();
    if (acts && isShown && Math.abs(by) >= ACTS_AT) act(address, by > 0 ? 'watch' : 'hide');
  }
  const onUp = (event: PointerEvent) => finish(event.pointerId === finger);
  // The page scrolls.
  const onCancel = () => finish(false);
  const onClick = (event: MouseEvent) => {
    // Many a swipe ends without a click. The next one by a key, which has no count of presses, is no part of it.
    if (!swipes || event.detail === 0) return;
    swipes = false;
    event.preventDefault();
    event.stopPropagation();
  };
  list?.addEventListener('pointerdown', onDown);
  list?.addEventListener('pointermove', onMove);
  // A row that leaves the list takes the events of its finger with it.
  window.addEventListener('pointerup', onUp);
  window.addEventListener('pointercancel', onCancel);
  list?.addEventListener('click', onClick, true);
  return () => {
    finish(false);
    list?.removeEventListener('pointerdown', onDown);
    list?.removeEventListener('pointermove', onMove);
    window.removeEventListener('pointerup', onUp);
    window.removeEventListener('pointercancel', onCancel);
    list?.removeEventListener('click', onClick, true);
  };
}

function slideBack(row: HTMLElement, by: number): void {
  row.style.translate = '';
  row.style.zIndex = '';
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  row.animate([{ translate: `${by}px` }, { translate: 'none' }], { duration: BACK_MS, easing: 'ease-out' });
}
