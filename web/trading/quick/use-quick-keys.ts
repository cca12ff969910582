import { useEffect, useRef, useState } from 'react';
import type { TradingMode } from '../../../common/trading/account.ts';
import { useLiveMarket } from '../../live/live.ts';
import { useStore } from '../../store.ts';
import { isPlainKey } from '../../ui/typing.ts';
import { symbolOfToken } from '../format.ts';
import { pressQuick } from './quick-order.ts';

/** Time for the second key after `b`, ms. */
const SECOND_KEY_MS = 3_000;

/** The token that the next digit buys. */
interface Chosen {
  address: string;
  symbol: string;
}

/**
 * Handles the keys of quick trade: `b` chooses the token of the focused row, or of the row under the pointer, and `1` to `4`
 * buy it for that preset (lamports) in `mode`. Any other key, and three seconds, end it. Returns the symbol of the chosen token; null
 * without one.
 */
export function useQuickKeys(mode: TradingMode, presets: readonly number[]): string | null {
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
      const { chosen: before, mode: shown, presets: amounts } = latest.current;
      if (event.key === 'b') {
        const token = model.state.tokens.get(aimedAddress() ?? '');
        setChosen(token === undefined ? null : { address: token.address, symbol: symbolOfToken(token) });
        return;
      }
      setChosen(null);
      const lamports = presetOf(event.key, amounts);
      if (before === null || lamports === undefined) return;
      event.preventDefault();
      void pressQuick(store, { side: 'buy', mode: shown, address: before.address, lamports, from: 'quick' });
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

/** Returns the preset of a digit, lamports; undefined for another key. */
function presetOf(key: string, presets: readonly number[]): number | undefined {
  return /^[1-9]$/.test(key) ? presets[Number(key) - 1] : undefined;
}
