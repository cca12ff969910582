import { Download } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { errorText } from '../http/error.ts';
import { useMutation } from '../http/use-mutation.ts';
import { Button } from '../ui/button.tsx';
import { saveFile } from '../ui/save-file.ts';
import { toast } from '../ui/toast-store.ts';
import { positionsAsCsv } from './export-csv.ts';

/** Saves all positions, open and closed, as a CSV file. */
export function ExportButton() {
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);
  const { pending, run } = useMutation(
    async () => {
      const csv = await positionsAsCsv(leaving.current.signal);
      saveFile(`mintwatch-positions-${new Date().toISOString().slice(0, 10)}.csv`, csv);
    },
    (reason) => {
      if (leaving.current.signal.aborted) return;
      toast({ title: 'Export failed', description: errorText(reason), variant: 'destructive' });
    },
  );
  return (
    <Button size="sm" onClick={() => void run()} busy={pending}>
      <Download size={14} strokeWidth={1.75} aria-hidden="true" />
      <span className="max-sm:sr-only">Export CSV</span>
    </Button>
  );
}
