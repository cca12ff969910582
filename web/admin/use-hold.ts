import { useState } from 'react';
import { listedAt } from '../../common/tokens/order.ts';
import { useLiveMarket } from '../live/live.ts';

interface Held {
  /** Choice of the list when it was held; another choice ends the hold. */
  choice: string;
  addresses: readonly string[];
  /** Time of the newest token then, epoch ms: newer ones wait, older ones were loaded by scrolling and are shown. */
  newest: number;
}

/** Holds a list still while it is read: rows keep their position and stay live, and new tokens are counted. */
export function useHold(
  addresses: readonly string[],
  hold: boolean,
  choice: string,
): { shown: readonly string[]; waiting: number } {
  const { model } = useLiveMarket();
  const [held, setHeld] = useState<Held | null>(null);
  const at = (address: string) => {
    const token = model.state.tokens.get(address);
    return token ? listedAt(token) : 0;
  };

  const wanted = hold && addresses.length > 0;
  if (wanted && held?.choice !== choice) {
    setHeld({ choice, addresses, newest: Math.max(...addresses.map(at)) });
  } else if (!hold && held !== null) setHeld(null);

  if (!hold || held === null || held.choice !== choice) return { shown: addresses, waiting: 0 };
  const known = new Set(held.addresses);
  const others = addresses.filter((address) => !known.has(address));
  const older = others.filter((address) => at(address) <= held.newest);
  return {
    shown: older.length > 0 ? [...held.addresses, ...older] : held.addresses,
    waiting: others.length - older.length,
  };
}
