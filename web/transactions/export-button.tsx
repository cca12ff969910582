import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { count } from '../ui/format.ts';
import { toast } from '../ui/toast-store.ts';
import { type ExportProgress, saveFile, transactionsAsCsv } from './export-csv.ts';
import type { TransactionFilter } from './use-transactions.ts';

/** Saves all transactions that match as a CSV file, and says how far it is meanwhile. */
export function ExportButton({
  userId,
  filter,
  disabled,
}: {
  userId: string;
  filter: TransactionFilter;
  disabled: boolean;
}) {
  const [progress, setProgress] = useState<ExportProgress | 'begun' | null>(null);
  const running = useRef<AbortController | null>(null);
  // Whoever leaves the page does not want the file any more.
  useEffect(() => () => running.current?.abort(), []);

  async function run(): Promise<void> {
    const given = new AbortController();
    running.current = given;
    setProgress('begun');
    try {
      const csv = await transactionsAsCsv(userId, filter, { signal: given.signal, onProgress: setProgress });
      saveFile(`mintwatch-transactions-${new Date().toISOString().slice(0, 10)}.csv`, csv);
    } catch (reason) {
      if (given.signal.aborted) return;
      const description = reason instanceof Error ? reason.message : String(reason);
      toast({ title: 'Export failed', description, variant: 'destructive' });
    }
    setProgress(null);
  }

  return (
    <>
      <span role="status" className="text-muted text-xs tabular-nums">
        {progress !== null && progress !== 'begun' && `${count(progress.done)} of ${count(progress.total)}`}
      </span>
      <Button onClick={() => void run()} busy={progress !== null} disabled={disabled}>
        <Download size={16} strokeWidth={1.75} aria-hidden="true" />
        Export CSV
      </Button>
    </>
  );
}
