import type { Observation } from '../observation.ts';
import type { Coin } from './facts/facts-reader.ts';
import { bondingCurveOf } from './programs.ts';

/** The coins that observations are about, with the owners that are no wallets: curve, and pool where it is told. */
export function coinsOf(observations: readonly Observation[]): Coin[] {
  const coins = new Map<string, Set<string>>();
  for (const one of observations) {
    if (one.kind === 'rate' || one.kind === 'symbols' || one.kind === 'facts') continue;
    const excluded = coins.get(one.address) ?? new Set<string>();
    coins.set(one.address, excluded);
    if (one.kind === 'created' && one.bondingCurve !== null) excluded.add(one.bondingCurve);
    if (one.kind === 'migrated') excluded.add(one.pool);
  }
  return [...coins].map(([address, excluded]) => ({
    address,
    // The curve's address follows from the coin's, so that a coin first seen by a trade has it too.
    excluded: () => [...excluded.add(bondingCurveOf(address))],
  }));
}
