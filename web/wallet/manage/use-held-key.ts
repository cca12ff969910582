import { useEffect, useState } from 'react';
import type { WalletKey } from '../../chain/chain.ts';

/** Longest time a private key stays in memory, ms. */
export const HOLD_MS = 60_000;

export interface HeldKey {
  /** Hex; null while no key of this address is in memory. */
  privateKey: string | null;
  /** Whether the key is shown or masked. */
  shown: boolean;
  /** Keeps a key for a minute. */
  hold(key: WalletKey, shown: boolean): void;
  show(): void;
  /** Drops the key. */
  drop(): void;
}

/**
 * Keeps the private key of this address in this component's memory and nowhere else: for a minute after it was created,
 * imported or revealed, and only while the page is open and visible.
 */
export function useHeldKey(address: string | null): HeldKey {
  const [held, setHeld] = useState<{ key: WalletKey; shown: boolean } | null>(null);
  const key = held?.key ?? null;

  useEffect(() => {
    if (key === null) return;
    const drop = () => setHeld(null);
    const whenHidden = () => document.hidden && drop();
    const timer = setTimeout(drop, HOLD_MS);
    document.addEventListener('visibilitychange', whenHidden);
    window.addEventListener('pagehide', drop);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', whenHidden);
      window.removeEventListener('pagehide', drop);
    };
  }, [key]);

  // Drops the key of a replaced wallet. Only when the address changes: the key of a new wallet may arrive a moment
  // before its address.
  useEffect(() => setHeld((before) => (before?.key.walletAddress === address ? before : null)), [address]);

  const mine = held !== null && held.key.walletAddress === address ? held : null;
  return {
    privateKey: mine?.key.privateKey ?? null,
    shown: mine?.shown ?? false,
    hold: (next, shown) => setHeld({ key: next, shown }),
    show: () => setHeld((before) => before && { ...before, shown: true }),
    drop: () => setHeld(null),
  };
}
