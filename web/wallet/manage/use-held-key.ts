import { useEffect, useState } from 'react';
import type { WalletKey } from '../../chain/chain.ts';

/** Longest time a private key is held, ms. */
export const HOLD_MS = 60_000;

export interface HeldKey {
  /** Hex; null when no key of this address is held. */
  privateKey: string | null;
  /** Whether the key is displayed rather than masked. */
  shown: boolean;
  /** Holds a key for a minute. */
  hold(key: WalletKey, shown: boolean): void;
  show(): void;
  /** Clears the key. */
  drop(): void;
}

/**
 * Holds the private key of this address in the component's memory only: for a minute after it was created, imported or
 * revealed, and only while the page is open and visible.
 */
export function useHeldKey(address: string | null): HeldKey {
  const [held, setHeld] = useState<{ key: WalletKey; shown: boolean } | null>(null);
  const key = held?.key ?? null;

  useEffect(() => {
    if (key === null) return;
    const drop = () => setHeld(null);
    const onVisibilityChange = () => document.hidden && drop();
    const timer = setTimeout(drop, HOLD_MS);
    document.addEventListener('visibilitychange', onVisibilityChange);
    window.addEventListener('pagehide', drop);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibilityChange);
      window.removeEventListener('pagehide', drop);
    };
  }, [key]);

  // Clears the key of a replaced wallet. Only when the address changes, since the key of a new wallet may arrive before
  // its address.
  useEffect(() => setHeld((before) => (before?.key.walletAddress === address ? before : null)), [address]);

  const current = held !== null && held.key.walletAddress === address ? held : null;
  return {
    privateKey: current?.key.privateKey ?? null,
    shown: current?.shown ?? false,
    hold: (next, shown) => setHeld({ key: next, shown }),
    show: () => setHeld((before) => before && { ...before, shown: true }),
    drop: () => setHeld(null),
  };
}
