import { useEffect, useState } from 'react';
import type { WalletKey } from '../../chain/chain.ts';

/** A private key is held for as long at most, ms. */
export const HOLD_MS = 60_000;

export interface HeldKey {
  /** Hex; null while none is held for this address. */
  privateKey: string | null;
  /** Whether it may be shown, else it is masked. */
  shown: boolean;
  /** Holds a key for a minute. */
  hold(key: WalletKey, shown: boolean): void;
  show(): void;
  /** Forgets it. */
  drop(): void;
}

/**
 * The private key of this address, in this component's memory and nowhere else: for a minute after it was made, imported
 * or revealed, and no longer than the page is open and looked at.
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

  // Another wallet took its place: the key of the one before is nobody's business any more. Only when the address
  // changes: the key of a new wallet may be here a moment before its address is.
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
