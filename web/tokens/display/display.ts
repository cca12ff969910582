import { z } from 'zod';
import { keptAtom } from '../../kept-atom.ts';
import { chosenColumns, type Density } from './column-ids.ts';

/** Height of the rows. */
export const densityAtom = keptAtom<Density>('ui-density', z.enum(['comfortable', 'compact']), 'comfortable');

/** Columns of the token tables, in their order. */
export const columnsAtom = keptAtom(
  'ui-token-columns',
  z.array(z.enum(chosenColumns)).refine((columns) => new Set(columns).size === columns.length),
  [...chosenColumns],
);
