import { Check, X } from 'lucide-react';
import { type MouseEvent, useEffect, useMemo } from 'react';
import { selectAtom, useAtomValue, useStore } from '../../store.ts';
import { classNames } from '../../ui/class-names.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { exactSol } from '../format.ts';
import { buttonOf, clearQuick, pressQuick, type QuickState, type QuickTrade, quickStatesAtom } from './quick-order.ts';

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

/** Where the buttons stand: over a row (reached by its arrow keys), below it (sized for fingers), or in a cell. */
type QuickLook = 'row' | 'card' | 'cell';

/** Buttons that trade a token by one click. Their widths are fixed, so that nothing moves under the pointer. */
export function QuickButtons<Trade extends QuickTrade>(props: {
  trades: readonly Trade[];
  name: string;
  look: QuickLook;
  /** Called for a click in place of trading. */
  onPress?: (trade: Trade) => void;
}) {
  const { trades, name, look, onPress } = props;
  const store = useStore();
  const state = useQuickState(trades[0]?.address ?? '');
  const address = trades[0]?.address;
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

  return trades.map((trade) => {
    const button = buttonOf(trade);
    const own = state?.button === button ? state : undefined;
    return (
      <button
        key={button}
        type="button"
        {...(look === 'cell' ? {} : { 'data-row-action': '' })}
        {...(look === 'row' ? { tabIndex: -1 } : {})}
        data-result={own?.state}
        aria-label={`${labelOf(trade)}: ${name}${own === undefined ? '' : `: ${wordOf(own)}`}`}
        aria-busy={own?.state === 'pending' || undefined}
        title={own?.text ?? labelOf(trade)}
        disabled={state?.state === 'pending'}
        onClick={(event) => press(event, trade)}
        className={classNames(
          'inline-flex items-center justify-center gap-1 rounded-md border text-2xs tabular-nums transition-colors',
          look === 'card' && 'h-9 min-w-0 flex-1',
          look === 'row' && 'h-7 w-15 shrink-0',
          look === 'cell' && 'h-7 w-15 shrink-0 @max-4xl:h-9 @max-4xl:w-auto @max-4xl:flex-1',
          trade.side === 'buy' ? 'border-up/30 text-up hover:bg-up/10' : 'border-down/30 text-down hover:bg-down/10',
          own === undefined && 'disabled:opacity-50',
        )}
      >
        {own === undefined ? shortLabelOf(trade) : <StateMark state={own} />}
      </button>
    );
  });
}

function labelOf(trade: QuickTrade): string {
  return trade.side === 'buy' ? `Buy for ${exactSol(trade.lamports)} SOL` : `Sell ${trade.sharePercent} %`;
}

function shortLabelOf(trade: QuickTrade): string {
  return trade.side === 'buy' ? exactSol(trade.lamports) : `${trade.sharePercent} %`;
}

function wordOf({ state, side }: QuickState): string {
  if (state === 'pending') return 'Pending';
  if (state === 'failed') return 'Failed';
  if (state === 'lost') return 'No answer';
  return side === 'buy' ? 'Bought' : 'Sold';
}

function StateMark({ state }: { state: QuickState }) {
  return (
    <>
      {state.state === 'pending' && <Spinner className="size-3" />}
      {state.state === 'done' && <Check size={12} strokeWidth={2} aria-hidden="true" />}
      {state.state === 'failed' && <X size={12} strokeWidth={2} aria-hidden="true" />}
      {wordOf(state)}
    </>
  );
}
