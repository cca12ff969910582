import { Check, CircleHelp, X } from 'lucide-react';
import { type MouseEvent, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { termsText } from '../../../common/trading/text.ts';
import { selectAtom, useAtomValue, useStore } from '../../store.ts';
import { classNames } from '../../ui/class-names.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { exactSol } from '../format.ts';
import { CHANGED_AT } from './armed.ts';
import {
  buttonOf,
  clearQuick,
  pressQuick,
  type QuickState,
  type QuickTrade,
  quickLabel,
  quickStatesAtom,
  shareOf,
} from './quick-order.ts';

/** Time for which a result stays on its button, ms. */
const RESULT_MS = 6_000;

/** Returns the state of a token's latest trade by a button; undefined without one. Changes with this token alone. */
function useQuickState(address: string): QuickState | undefined {
  return useAtomValue(
    useMemo(() => selectAtom(quickStatesAtom, (states) => states.get(address), sameState), [address]),
  );
}

function sameState(one: QuickState | undefined, other: QuickState | undefined): boolean {
  return one?.button === other?.button && one?.state === other?.state;
}

/** Where the buttons stand: over a row, below it (sized for fingers), both reached by its arrow keys, or in a cell. */
type QuickLook = 'row' | 'card' | 'cell';

/** A trade, and why its button is disabled; null while it can be pressed. */
export interface QuickAction<Trade extends QuickTrade> {
  /** Name of the button's place, such as `buy 1`: it stays when the trade there changes. */
  place: string;
  trade: Trade;
  disabledBy: string | null;
}

/** Buttons that trade a token by one click. Their widths are fixed, so that nothing moves under the pointer. */
export function QuickButtons<Trade extends QuickTrade>(props: {
  actions: readonly QuickAction<Trade>[];
  name: string;
  look: QuickLook;
  /** Called for a click in place of trading. */
  onPress?: (trade: Trade) => void;
}) {
  const { actions, name, look, onPress } = props;
  const store = useStore();
  const address = actions[0]?.trade.address;
  const state = useQuickState(address ?? '');
  useEffect(() => {
    if (address === undefined || state === undefined || state.state === 'pending') return;
    const timer = setTimeout(() => clearQuick(store, address, state.button), RESULT_MS);
    return () => clearTimeout(timer);
  }, [store, address, state]);

  function press(event: MouseEvent, trade: Trade): void {
    // The second click of a double click is no second order.
    if (event.detail > 1) return;
    if (onPress) onPress(trade);
    else void pressQuick(store, trade);
  }

  return actions.map(({ place, trade, disabledBy }) => {
    const own = state?.button === buttonOf(trade) ? state : undefined;
    return (
      <PlaceButton
        key={place}
        {...{ trade, name, look, disabledBy, own }}
        isPending={state?.state === 'pending'}
        onClick={(event) => press(event, trade)}
      />
    );
  });
}

function PlaceButton(props: {
  trade: QuickTrade;
  name: string;
  look: QuickLook;
  disabledBy: string | null;
  /** State of the latest trade by this button. */
  own: QuickState | undefined;
  /** Whether a trade of the token is pending. */
  isPending: boolean;
  onClick: (event: MouseEvent) => void;
}) {
  const { trade, name, look, disabledBy, own, isPending, onClick } = props;
  const button = useRef<HTMLButtonElement>(null);
  const action = disabledBy === null ? buttonOf(trade) : null;
  const before = useRef(action);
  useLayoutEffect(() => {
    if (before.current === action) return;
    before.current = action;
    button.current?.setAttribute(CHANGED_AT, String(performance.now()));
  }, [action]);
  return (
    <button
      ref={button}
      type="button"
      {...(look === 'cell' ? {} : { 'data-row-action': '', 'data-quick': '', tabIndex: -1 })}
      data-result={own?.state}
      aria-label={`${quickLabel(trade)}: ${name}${own === undefined ? '' : `: ${wordOf(own)}`}`}
      aria-busy={own?.state === 'pending' || undefined}
      title={own?.text ?? disabledBy ?? `${quickLabel(trade)}, ${termsText(trade)}`}
      disabled={isPending || disabledBy !== null}
      onClick={onClick}
      className={classNames(
        'inline-flex items-center justify-center gap-1 rounded-md border text-2xs tabular-nums transition-colors',
        look === 'card' && 'h-9 min-w-0 flex-1',
        look === 'row' && 'h-7 w-15 shrink-0',
        look === 'cell' && 'h-7 w-15 shrink-0 @max-4xl:h-9 @max-4xl:w-auto @max-4xl:flex-1',
        trade.side === 'buy' ? 'border-up/30 text-up' : 'border-down/30 text-down',
        trade.side === 'buy' ? 'enabled:hover:bg-up/10' : 'enabled:hover:bg-down/10',
        own === undefined && 'disabled:border-line disabled:text-faint',
      )}
    >
      {own === undefined ? (
        <span className="truncate">{shortLabelOf(trade)}</span>
      ) : (
        <StateMark state={own} iconOnly={look === 'card'} />
      )}
    </button>
  );
}

function shortLabelOf(trade: QuickTrade): string {
  return trade.side === 'buy' ? exactSol(trade.lamports) : shareOf(trade);
}

function wordOf({ state, side }: QuickState): string {
  if (state === 'pending') return 'Pending';
  if (state === 'failed') return 'Failed';
  if (state === 'lost') return 'No answer';
  return side === 'buy' ? 'Bought' : 'Sold';
}

/** Six buttons in the width of a phone have room for the sign alone; the label has the word. */
function StateMark({ state, iconOnly }: { state: QuickState; iconOnly: boolean }) {
  return (
    <>
      {state.state === 'pending' && <Spinner className="size-3" />}
      {state.state === 'done' && <Check size={12} strokeWidth={2} aria-hidden="true" />}
      {state.state === 'failed' && <X size={12} strokeWidth={2} aria-hidden="true" />}
      {state.state === 'lost' && iconOnly && <CircleHelp size={12} strokeWidth={2} aria-hidden="true" />}
      {!iconOnly && wordOf(state)}
    </>
  );
}
