import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { count } from '../ui/format.ts';
import { saveFile } from '../ui/save-file.ts';
import { toast } from '../ui/toast-store.ts';
import { type ExportProgress, transactionsAsCsv } from './export-csv.ts';
import type { TransactionFilter } from './use-transactions.ts';

/** Saves all matching transactions as a CSV file and shows the progress. */
export function ExportButton({
  userId,
  filter,
  disabled,
}: {
  userId: string;
  filter: TransactionFilter;
  disabled: boolean;
}) {
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
