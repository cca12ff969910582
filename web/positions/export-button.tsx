import { Download } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { displaySymbol } from '../../common/tokens/names.ts';
import { solText } from '../../common/tokens/units.ts';
import { tradingModeNames } from '../../common/trading/account.ts';
import { TRADING_PAGE_MAX } from '../../common/trading/http.ts';
import type { Position } from '../../common/trading/position.ts';
import { plainDecimal } from '../../common/transactions/columns.ts';
import { errorText } from '../http/error.ts';
import { lastIdOf } from '../http/pages.ts';
import { useMutation } from '../http/use-mutation.ts';
import { Button } from '../ui/button.tsx';
import { saveFile } from '../ui/save-file.ts';
import { toast } from '../ui/toast-store.ts';
import { originText } from './cells.tsx';
import { fetchPositions } from './use-closed-positions.ts';

/** Columns of an exported list, in order. */
const positionColumns = [
  'Opened',
  'Closed',
  'State',
  'Token',
  'Token address',
  'Bought by',
  'Network',
  'Wallet',
  'Bought (tokens)',
  'Sold (tokens)',
  'Moved elsewhere (tokens)',
  'Held (tokens)',
  'Price paid (SOL)',
  'Paid (SOL)',
  'Received (SOL)',
  'Realised (SOL)',
  'Fees (SOL)',
  'Would return (SOL)',
] as const;

/** Returns a row of the exported list: ISO 8601 times, exact decimals, empty strings for unknown values. */
function positionRow(position: Position): Record<(typeof positionColumns)[number], string> {
  const { token, value, closedAt } = position;
  const tokens = (baseUnits: string) => decimalOf(baseUnits, token.decimals);
  const sol = (lamports: number) => solText(BigInt(lamports));
  return {
    Opened: position.openedAt,
    Closed: closedAt ?? '',
    State: position.status,
    Token: displaySymbol(token),
    'Token address': token.address,
    'Bought by': originText(position),
    Network: tradingModeNames[position.mode],
    Wallet: position.wallet,
    'Bought (tokens)': tokens(position.boughtTokens),
    'Sold (tokens)': tokens(position.soldTokens),
    'Moved elsewhere (tokens)': tokens(position.movedTokens),
    'Held (tokens)': tokens(position.tokens),
    'Price paid (SOL)': plainDecimal(position.entryPrice),
    'Paid (SOL)': sol(position.paidLamports),
    'Received (SOL)': sol(position.proceedsLamports),
    'Realised (SOL)': sol(position.realisedLamports),
    'Fees (SOL)': sol(position.feesLamports),
    'Would return (SOL)': value?.lamports == null ? '' : sol(value.lamports),
  };
}

/** Returns base units as an exact decimal of whole tokens. */
function decimalOf(baseUnits: string, decimals: number): string {
  const digits = baseUnits.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Returns all positions of the user as CSV, open ones first. Values that a spreadsheet would run as formulas are escaped. */
async function positionsAsCsv(signal: AbortSignal): Promise<string> {
  const all: Position[] = [];
  for (const state of ['open', 'closed'] as const) {
    for (let before: string | null = null; ; ) {
      const page = await fetchPositions(state, { before, limit: TRADING_PAGE_MAX, signal });
      all.push(...page);
      before = lastIdOf(page, TRADING_PAGE_MAX);
      if (before === null) break;
    }
  }
  // Loaded on demand: only an export needs it.
  const { unparse } = await import('papaparse');
  return unparse(all.map(positionRow), { columns: [...positionColumns], escapeFormulae: true });
}

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
