import { z } from 'zod';
import { keptAtom } from '../../kept-atom.ts';
import { atom } from '../../store.ts';

/** Columns of the board, at most. */
export const COLUMNS_MAX = 5;
/** Window width from which the board is shown until the user chooses, px. */
const WIDE = 1_600;

/** A column of the board: a list with a name. */
const boardColumnSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** The choice of its list, as a page's address has it. */
  choice: z.record(z.string(), z.string()),
});
export type BoardColumn = z.infer<typeof boardColumnSchema>;

/** The columns before the first change. */
export const firstColumns: BoardColumn[] = [
  { id: 'new', name: 'New', choice: {} },
  { id: 'final', name: 'Final stretch', choice: { f: 'curve:60-', sort: 'marketCap' } },
  { id: 'migrated', name: 'Migrated', choice: { stage: 'pool', sort: 'migrated' } },
];

/** A kept layout: its valid columns, at most `COLUMNS_MAX`; the first of those with one id. Invalid without any. */
const layoutSchema = z
  .array(z.unknown())
  .transform((kept) => {
    const valid = kept.flatMap((one) => boardColumnSchema.safeParse(one).data ?? []);
    return valid
      .filter((column, place) => valid.findIndex(({ id }) => id === column.id) === place)
      .slice(0, COLUMNS_MAX);
  })
  .refine((columns) => columns.length > 0);

export const boardColumnsAtom = keptAtom('ui-board', layoutSchema, firstColumns);

/** Views of the tokens: one list, or several side by side. */
export type View = 'list' | 'board';

const chosenViewAtom = keptAtom<View | null>('ui-token-view', z.enum(['list', 'board']).nullable(), null);

/** Whether the open page has begun with a choice in its address, which is a list. */
export const linkedAtom = atom(false);

/** The view: the one chosen on this device; before, the board on a wide screen. */
export const viewAtom = atom(
  (get): View => {
    if (get(linkedAtom)) return 'list';
    return get(chosenViewAtom) ?? (window.innerWidth >= WIDE ? 'board' : 'list');
  },
  (_get, set, view: View) => {
    set(linkedAtom, false);
    set(chosenViewAtom, view);
  },
);
