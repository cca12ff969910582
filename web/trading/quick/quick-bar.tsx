import { Zap } from 'lucide-react';
import type { TradingMode } from '../../../common/trading/account.ts';
import { useStore } from '../../store.ts';
import { Button } from '../../ui/button.tsx';
import { exactSol } from '../format.ts';
import { ModeBadge } from '../mode-badge.tsx';
import { useTradingAccount } from '../state/trading.ts';
import { disarm } from './armed.ts';
import { useQuickKeys } from './use-quick-keys.ts';

/** Keys of the presets, in their order. */
const digits = ['1', '2', '3', '4'] as const;

/** Stays in sight while quick trade is on: its network, its keys, and a button that switches it off. */
export function QuickBar({ mode }: { mode: TradingMode }) {
  const store = useStore();
  const presets = useTradingAccount()?.defaults.buyPresets ?? [];
  const chosen = useQuickKeys(mode, presets);
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-4 z-40 flex justify-center px-3 max-md:bottom-17">
      <div
        role="status"
        className="pointer-events-auto flex max-w-full items-center gap-3 rounded-lg border border-accent/40 bg-raised py-1.5 pr-1.5 pl-3 text-xs shadow-raised"
      >
        <Zap size={14} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-accent" />
        <ModeBadge mode={mode} />
        {chosen === null ? (
          <span className="min-w-0">
            One click is one order. <KeyHint />
          </span>
        ) : (
          <span className="min-w-0 tabular-nums">
            Buy <bdi className="font-medium">{chosen}</bdi> for{' '}
            {digits.map((digit, at) => (
              <Preset key={digit} digit={digit} lamports={presets[at] ?? 0} />
            ))}
            SOL
          </span>
        )}
        <Button size="sm" onClick={() => disarm(store)}>
          Switch off
        </Button>
      </div>
    </div>
  );
}

function Preset({ digit, lamports }: { digit: string; lamports: number }) {
  return (
    <span className="mr-1 whitespace-nowrap">
      <Key>{digit}</Key> {exactSol(lamports)}{' '}
    </span>
  );
}

function KeyHint() {
  return (
    <span className="text-muted max-md:hidden">
      Keys: <Key>b</Key>, then <Key>1</Key> to <Key>4</Key>.
    </span>
  );
}

function Key({ children }: { children: string }) {
  return <kbd className="rounded-sm border border-line-strong px-1 font-mono text-2xs text-text">{children}</kbd>;
}
