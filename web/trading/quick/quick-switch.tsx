import { Zap } from 'lucide-react';
import { useEffect } from 'react';
import type { TradingMode } from '../../../common/trading/account.ts';
import { useAtomValue, useStore } from '../../store.ts';
import { Button } from '../../ui/button.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useTradingAccount } from '../state/trading.ts';
import { ARMED_MS, arm, armedTradesAtom, disarm } from './armed.ts';
import { QuickBar } from './quick-bar.tsx';

const HINT = 'Adds buttons to the rows: one click is one order, and risks are not asked about.';

/**
 * Switches quick trade for the lists of a page. It is off at first, and switches itself off when the page is left, when
 * the mode of trading changes, and 60 s after the last trade. Renders nothing while trading is off.
 */
export function QuickSwitch() {
  const mode = useTradingAccount()?.mode ?? null;
  return mode === null ? null : <SwitchOf key={mode} mode={mode} />;
}

function SwitchOf({ mode }: { mode: TradingMode }) {
  const store = useStore();
  const trades = useAtomValue(armedTradesAtom);
  const isArmed = trades !== null;
  useEffect(() => () => disarm(store), [store]);
  useEffect(() => {
    if (trades === null) return;
    const timer = setTimeout(() => disarm(store), ARMED_MS);
    return () => clearTimeout(timer);
  }, [store, trades]);
  return (
    <>
      <Tooltip content={HINT}>
        <Button
          size="sm"
          variant={isArmed ? 'primary' : 'secondary'}
          role="switch"
          aria-checked={isArmed}
          aria-label="Quick trade"
          className="max-sm:size-8 max-sm:px-0"
          onClick={() => (isArmed ? disarm(store) : arm(store))}
        >
          <Zap size={14} strokeWidth={1.75} aria-hidden="true" />
          <span className="max-sm:hidden">Quick trade</span>
        </Button>
      </Tooltip>
      {isArmed && <QuickBar mode={mode} />}
    </>
  );
}
