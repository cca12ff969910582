import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { count } from '../ui/format.ts';
import { saveFile } from '../ui/save-file.ts';
import { toast } from '../ui/toast-store.ts';
import { errorText } from './error.ts';
import { type FetchPage, FIRST_PAGE } from './pages.ts';
import { useMutation } from './use-mutation.ts';

/** How rows become CSV. */
interface CsvFormat<Row> {
  /** Columns in order. */
  columns: readonly string[];
  /** Returns the texts of a row by column. */
  toRow: (row: Row) => Record<string, string>;
}

/** Saves whole lists, one after the other, as a CSV file. Shows the progress of a list with a known number of rows. */
export function ExportButton<Row>(props: {
  /** Part of the name of the file. */
  name: 'positions' | 'transactions';
  format: CsvFormat<Row>;
  lists: readonly FetchPage<Row>[];
  /** Most rows that the server sends at once. */
  pageMax: number;
  size?: 'sm' | 'md';
  disabled?: boolean;
}) {
  const { name, format, lists, pageMax, size = 'md', disabled = false } = props;
  const [progress, setProgress] = useState<string | null>(null);
  const leaving = useRef<AbortController | null>(null);
  // Leaving the page cancels the export.
  useEffect(() => () => leaving.current?.abort(), []);
  const { pending, run } = useMutation(
    async () => {
      leaving.current = new AbortController();
      const rows: Row[] = [];
      for (const fetchPage of lists) {
        for (let before = FIRST_PAGE; ; ) {
          const page = await fetchPage(before, pageMax, leaving.current.signal);
          rows.push(...page.rows);
          if (page.total !== null) setProgress(`${count(rows.length)} of ${count(Math.max(page.total, rows.length))}`);
          before = page.next;
          if (before === null) break;
        }
      }
      saveFile(`mintwatch-${name}-${new Date().toISOString().slice(0, 10)}.csv`, await csvOf(rows, format));
      setProgress(null);
    },
    (reason) => {
      if (leaving.current?.signal.aborted) return;
      setProgress(null);
      toast({ title: 'Export failed', description: errorText(reason), variant: 'destructive' });
    },
  );
  return (
    <span className="inline-flex items-center">
      <span role="status" className="not-empty:mr-2 text-muted text-xs tabular-nums">
        {progress}
      </span>
      <Button size={size} onClick={() => void run()} busy={pending} disabled={disabled}>
        <Download size={size === 'sm' ? 14 : 16} strokeWidth={1.75} aria-hidden="true" />
        <span className={size === 'sm' ? 'max-sm:sr-only' : ''}>Export CSV</span>
      </Button>
    </span>
  );
}

/** The start of a value that a spreadsheet would run as a formula. A negative number is none. */
const FORMULA = /^(?!-\d+(?:\.\d+)?$)[=+\-@\t\r]/;

/** Returns CSV with a header line. Values that a spreadsheet would run as formulas are escaped. */
export async function csvOf<Row>(rows: readonly Row[], { columns, toRow }: CsvFormat<Row>): Promise<string> {
  // Loaded on demand: only an export needs it.
  const { unparse } = await import('papaparse');
  return unparse(rows.map(toRow), { columns: [...columns], escapeFormulae: FORMULA });
}
