import { searchText } from '../../../common/tokens/text/search.ts';
import { type Columns, copyRow, createColumns, grownColumns, type IndexedToken, writeRow } from './columns.ts';

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
}

export function emptyRows(): Rows {
  const columns = createColumns(FIRST_CAPACITY);
  return { columns, addresses: [], names: [], symbols: [], sources: [], texts: [], byAddress: new Map() };
}

/** Adds a token, or replaces its figures. Returns its row. */
export function putRow(rows: Rows, token: IndexedToken, at: number, isOutdated: boolean): number {
  const row = rowOf(rows, token);
  writeRow(rows.columns, row, token, at, isOutdated);
  rows.sources[row] = token.metadata.source;
  if (rows.names[row] !== token.name || rows.symbols[row] !== token.symbol) {
    rows.names[row] = token.name;
    rows.symbols[row] = token.symbol;
    rows.texts[row] = searchText(token.name, token.symbol, token.address);
  }
  return row;
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

/** Removes a row; the last one takes its place, so that a scan meets no holes. */
export function removeRow(rows: Rows, address: string): void {
  const { columns, addresses, names, symbols, sources, texts, byAddress } = rows;
  const row = byAddress.get(address);
  if (row === undefined) return;
  const last = addresses.length - 1;
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
