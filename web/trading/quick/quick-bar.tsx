import { Zap } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { BuyPreset, TradingMode } from '../../../common/trading/account.ts';
import { useLiveMarket } from '../../live/live.ts';
import { useStore } from '../../store.ts';
import { Button } from '../../ui/button.tsx';
import { isPlainKey } from '../../ui/typing.ts';
import { useRootMark } from '../../ui/use-root-mark.ts';
import { exactSol, symbolOfToken } from '../format.ts';
import { ModeBadge } from '../mode-badge.tsx';
import { useTradingAccount } from '../state/trading.ts';
import { disarm } from './armed.ts';
import { pressQuick } from './quick-order.ts';

/** Time for the second key after `b`, ms. */
const SECOND_KEY_MS = 3_000;

/** Keys of the presets, in their order. */
const digits = ['1', '2', '3'] as const;

/** Stays in sight while quick trade is on: its network, its keys, and a button that switches it off. */
export function QuickBar({ mode }: { mode: TradingMode }) {
  const store = useStore();
  const presets = useTradingAccount()?.presets.buy ?? [];
  const chosen = useQuickKeys(mode, presets);
  useRootMark('data-quick-bar');
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-4 z-40 flex justify-center px-3 max-md:bottom-17 max-md:in-data-list-bar:bottom-27">
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
              <Preset key={digit} digit={digit} lamports={presets[at]?.lamports ?? 0} />
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
      Keys: <Key>b</Key>, then <Key>1</Key> to <Key>3</Key>.
    </span>
  );
}

function Key({ children }: { children: string }) {
  return <kbd className="rounded-sm border border-line-strong px-1 font-mono text-2xs text-text">{children}</kbd>;
}

/** The token that the next digit buys. */
interface Chosen {
  address: string;
  symbol: string;
}

/**
 * Handles the keys of quick trade: `b` chooses the token of the focused row, or of the row under the pointer, and `1` to `3`
 * buy it by that preset in `mode`. Any other key, and three seconds, end it. Returns the symbol of the chosen token; null
 * without one.
 */
function useQuickKeys(mode: TradingMode, presets: readonly BuyPreset[]): string | null {
  const store = useStore();
  const { model } = useLiveMarket();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const latest = useRef({ chosen, mode, presets });
  useEffect(() => {
    latest.current = { chosen, mode, presets };
  });
  useEffect(() => {
    if (chosen === null) return;
    const timer = setTimeout(() => setChosen(null), SECOND_KEY_MS);
    return () => clearTimeout(timer);
  }, [chosen]);
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      // A key that is held down is no second decision.
      if (event.repeat || !isPlainKey(event)) return;
      const { chosen: before, mode: shown, presets: known } = latest.current;
      if (event.key === 'b') {
        const token = model.state.tokens.get(aimedAddress() ?? '');
        setChosen(token === undefined ? null : { address: token.address, symbol: symbolOfToken(token) });
        return;
      }
      setChosen(null);
      const preset = presetOf(event.key, known);
      if (before === null || preset === undefined) return;
      event.preventDefault();
      void pressQuick(store, { ...preset, side: 'buy', mode: shown, address: before.address, from: 'quick' });
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [store, model]);
  return chosen?.symbol ?? null;
}

/** Returns the address of the focused row, else of the row under the pointer; null without one. */
function aimedAddress(): string | null {
  const row = document.activeElement?.closest('[data-address]') ?? document.querySelector('[data-address]:hover');
  return row?.getAttribute('data-address') ?? null;
}

/** Returns the preset of a digit; undefined for another key. */
function presetOf(key: string, presets: readonly BuyPreset[]): BuyPreset | undefined {
  return /^[1-9]$/.test(key) ? presets[Number(key) - 1] : undefined;
}
