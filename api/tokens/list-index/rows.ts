import type { TokenPatch } from '../../../common/tokens/model.ts';
import type { PatchContext } from '../../../common/tokens/patch.ts';
import { searchText } from '../../../common/tokens/text/search.ts';
import {
  type Columns,
  copyRow,
  createColumns,
  grownColumns,
  type IndexedToken,
  patchRow,
  writeRow,
} from './columns.ts';

const FIRST_CAPACITY = 1_024;

/** The tokens of the index by row. */
export interface Rows {
  columns: Columns;
  addresses: string[];
  names: (string | null)[];
  symbols: (string | null)[];
  sources: string[];
  texts: string[];
  byAddress: Map<string, number>;
  /** Counts the changes of the rows. */
  revision: number;
}

export function emptyRows(revision = 0): Rows {
  const columns = createColumns(FIRST_CAPACITY);
  return { columns, addresses: [], names: [], symbols: [], sources: [], texts: [], byAddress: new Map(), revision };
}

/** Adds a token, or replaces its figures. Returns its row. */
export function putRow(rows: Rows, token: IndexedToken, at: number, isOutdated: boolean): number {
  const row = rowOf(rows, token);
  writeRow(rows.columns, row, token, at, isOutdated);
  rows.sources[row] = token.metadata.source;
  nameRow(rows, row, token);
  rows.revision += 1;
  return row;
}

/** Changes a token by a patch of the feed. Returns its row; null for a token without one. */
export function patchTokenRow(rows: Rows, patch: TokenPatch, context: PatchContext): number | null {
  const row = rows.byAddress.get(patch.address);
  if (row === undefined) return null;
  patchRow(rows.columns, row, patch, context);
  if (patch.metadata !== undefined) rows.sources[row] = patch.metadata.source;
  const { address, name = rows.names[row] ?? null, symbol = rows.symbols[row] ?? null } = patch;
  nameRow(rows, row, { address, name, symbol });
  rows.revision += 1;
  return row;
}

/** Sets the name and symbol of a row, and the text that searches read. */
function nameRow(
  rows: Rows,
  row: number,
  { address, name, symbol }: Pick<IndexedToken, 'address' | 'name' | 'symbol'>,
): void {
  if (rows.names[row] === name && rows.symbols[row] === symbol) return;
  rows.names[row] = name;
  rows.symbols[row] = symbol;
  rows.texts[row] = searchText(name, symbol, address);
}

/** Returns the row of a token, a new one at the end for an unknown token. */
function rowOf(rows: Rows, { address, name, symbol, metadata }: IndexedToken): number {
  const known = rows.byAddress.get(address);
  if (known !== undefined) return known;
  const row = rows.addresses.length;
  const capacity = rows.columns.flags.length;
  if (row === capacity) rows.columns = grownColumns(rows.columns, 2 * capacity);
  rows.addresses.push(address);
  rows.names.push(name);
  rows.symbols.push(symbol);
  rows.sources.push(metadata.source);
  rows.texts.push(searchText(name, symbol, address));
  rows.byAddress.set(address, row);
  return row;
}

/** Removes a row; the last one takes its place, so that a scan meets no holes. `onMove` runs before, with both rows. */
export function removeRow(rows: Rows, address: string, onMove?: (to: number, from: number) => void): void {
  const { columns, addresses, names, symbols, sources, texts, byAddress } = rows;
  const row = byAddress.get(address);
  if (row === undefined) return;
  const last = addresses.length - 1;
  rows.revision += 1;
  onMove?.(row, last);
  const moved = addresses[last];
  if (row !== last && moved !== undefined) {
    copyRow(columns, last, row);
    addresses[row] = moved;
    names[row] = names[last] ?? null;
    symbols[row] = symbols[last] ?? null;
    sources[row] = sources[last] ?? '';
    texts[row] = texts[last] ?? '';
    byAddress.set(moved, row);
  }
  for (const list of [addresses, names, symbols, sources, texts]) list.pop();
  byAddress.delete(address);
}
