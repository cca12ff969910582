import { choiceOfList } from '../../../common/live/lists.ts';
import type { FilterContext } from '../../../common/tokens/filters.ts';
import { NEW_FOR } from '../../../common/tokens/lists.ts';
import type { Token } from '../../../common/tokens/model.ts';
import {
  compileFilter,
  judgeRow,
  MATCH,
  type ParsedChoice,
  parseChoice,
  type RowFilter,
} from '../list-index/row-filter.ts';
import type { Rows } from '../list-index/rows.ts';
import { createRowBits, type RowBits } from './row-bits.ts';

/** A filtered list that clients follow, and what changed in it since its last event. */
export interface WatchedList {
  readonly choice: ParsedChoice;
  /** Ages at which time alone changes what matches, ms. */
  readonly ageBounds: readonly number[];
  /** Whether a figure of its filter changes with the SOL/USD rate alone. */
  readonly followsRate: boolean;
  readonly members: RowBits;
  /** Number of members. */
  total: number;
  entered: Token[];
  /** Numbers of the tokens that left. */
  left: number[];
}

/** Creates the list of a name, empty until it is scanned. Throws for a text that is no name of a list. */
export function createWatchedList(name: string): WatchedList {
  const limits = choiceOfList(name);
  if (limits === null) throw new TypeError(`not the name of a list: ${name}`);
  const choice = parseChoice(limits);
  const age = choice.ranges.find(([field]) => field === 'age')?.[1];
  const seconds = [age?.min ?? null, age?.max ?? null].flatMap((bound) => bound ?? []);
  return {
    choice,
    ageBounds: [...seconds.map((bound) => bound * 1_000), ...(choice.filter === 'new' ? [NEW_FOR] : [])],
    followsRate: choice.ranges.some(([field]) => field === 'highestCap'),
    members: createRowBits(),
    total: 0,
    entered: [],
    left: [],
  };
}

/** Takes all matching rows as members, without a change for clients: they fetch the list. */
export function scanList(list: WatchedList, rows: Rows, context: FilterContext): void {
  const filter = compileFilter(rows, list.choice, context);
  list.total = 0;
  for (let row = 0; row < rows.addresses.length; row += 1) {
    const isMember = judgeRow(filter, rows, row) === MATCH;
    list.members.put(row, isMember);
    if (isMember) list.total += 1;
  }
}

/** Receives the rows that a comparison finds. */
interface RowJudge {
  /** Takes a row that begins to match. Returns false while it can't enter. */
  enter(row: number): boolean;
  /** A row does not match. */
  failed?(row: number, filter: RowFilter): void;
}

/** Compares rows with the filter. */
export function judgeRows(
  list: WatchedList,
  rows: Rows,
  changed: Iterable<number>,
  context: FilterContext,
  judge: RowJudge,
): void {
  const filter = compileFilter(rows, list.choice, context);
  for (const row of changed) {
    if (judgeRow(filter, rows, row) !== MATCH) {
      dropRow(list, rows, row);
      judge.failed?.(row, filter);
    } else if (!list.members.has(row) && judge.enter(row)) {
      list.members.put(row, true);
      list.total += 1;
    }
  }
}

/** Takes a member out of the list. */
export function dropRow(list: WatchedList, rows: Rows, row: number): void {
  if (!list.members.has(row)) return;
  list.members.put(row, false);
  list.total -= 1;
  list.left.push(rows.columns.figures.number[row] ?? 0);
}
