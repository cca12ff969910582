import { csvColumns, csvRow } from '../../common/transactions/columns.ts';
import { TRANSACTIONS_LIMIT_MAX } from '../../common/transactions/http.ts';
import type { Transaction } from '../../common/transactions/model.ts';
import { cursorAfter, fetchPage, type TransactionFilter } from './use-transactions.ts';

export interface ExportProgress {
  done: number;
  total: number;
}

/**
 * Returns all matching transactions of a user, newest first, as CSV. Rejects as the list call does, or with the
 * signal's reason.
 */
export async function transactionsAsCsv(
  userId: string,
  filter: TransactionFilter,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: ExportProgress) => void },
): Promise<string> {
  const all: Transaction[] = [];
  for (let before: string | null = null; ; ) {
    const page = await fetchPage(userId, filter, { before, limit: TRANSACTIONS_LIMIT_MAX, signal });
    all.push(...page.rows);
    onProgress({ done: all.length, total: Math.max(page.total, all.length) });
    before = cursorAfter(page, TRANSACTIONS_LIMIT_MAX);
    if (before === null) break;
  }
  return csvOf(all);
}

/** Returns CSV with a header line. Values that a spreadsheet would run as formulas are escaped. */
export async function csvOf(transactions: readonly Transaction[]): Promise<string> {
  // Loaded on demand: only an export needs it.
  const { unparse } = await import('papaparse');
  return unparse(transactions.map(csvRow), { columns: [...csvColumns], escapeFormulae: true });
}
