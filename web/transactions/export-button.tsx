import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { csvColumns, csvRow } from '../../common/transactions/columns.ts';
import { TRANSACTIONS_LIMIT_MAX } from '../../common/transactions/http.ts';
import type { Transaction } from '../../common/transactions/model.ts';
import { Button } from '../ui/button.tsx';
import { count } from '../ui/format.ts';
import { saveFile } from '../ui/save-file.ts';
import { toast } from '../ui/toast-store.ts';
import { cursorAfter, fetchPage, type TransactionFilter } from './use-transactions.ts';

/** Saves all matching transactions as a CSV file and shows the progress. */
export function ExportButton(props: { userId: string; filter: TransactionFilter; disabled: boolean }) {
  const { userId, filter, disabled } = props;
  const [progress, setProgress] = useState<ExportProgress | 'started' | null>(null);
  const running = useRef<AbortController | null>(null);
  // Leaving the page cancels the export.
  useEffect(() => () => running.current?.abort(), []);

  async function run(): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setProgress('started');
    try {
      const csv = await transactionsAsCsv(userId, filter, { signal: controller.signal, onProgress: setProgress });
      saveFile(`mintwatch-transactions-${new Date().toISOString().slice(0, 10)}.csv`, csv);
    } catch (reason) {
      if (controller.signal.aborted) return;
      const description = reason instanceof Error ? reason.message : String(reason);
      toast({ title: 'Export failed', description, variant: 'destructive' });
    }
    setProgress(null);
  }

  return (
    <>
      <span role="status" className="text-muted text-xs tabular-nums">
        {progress !== null && progress !== 'started' && `${count(progress.done)} of ${count(progress.total)}`}
      </span>
      <Button onClick={() => void run()} busy={progress !== null} disabled={disabled}>
        <Download size={16} strokeWidth={1.75} aria-hidden="true" />
        Export CSV
      </Button>
    </>
  );
}

interface ExportProgress {
  done: number;
  total: number;
}

/**
 * Returns all matching transactions of a user, newest first, as CSV. Rejects as the list call does, or with the
 * signal's reason.
 */
async function transactionsAsCsv(
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
