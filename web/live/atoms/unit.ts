import { z } from 'zod';
import { keptAtom } from '../../kept-atom.ts';
import { atom, selectAtom } from '../../store.ts';
import { statsAtom } from './atoms.ts';

/** Unit of market cap and volume. Prices and liquidity are in SOL. */
const unitSchema = z.enum(['usd', 'sol']);
export type Unit = z.infer<typeof unitSchema>;

/** US dollars for 1 SOL; null while no rate is known. */
export const rateAtom = selectAtom(statsAtom, (stats) => stats?.solUsd?.rate ?? null);

const chosenUnitAtom = keptAtom('ui-unit', unitSchema, 'usd');

/** Whether the server knows no rate; false before its first response. */
export const hasNoRateAtom = selectAtom(statsAtom, (stats) => stats !== null && stats.solUsd === null);

/** The unit on screen: SOL while the server knows no rate. */
export const unitAtom = atom(
  (get): Unit => (get(hasNoRateAtom) ? 'sol' : get(chosenUnitAtom)),
  (_get, set, unit: Unit) => set(chosenUnitAtom, unit),
);
