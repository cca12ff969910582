import { displaySymbol } from '../../common/tokens/names.ts';
import { solText } from '../../common/tokens/units.ts';
import { tradingModeNames } from '../../common/trading/account.ts';
import { TRADING_PAGE_MAX } from '../../common/trading/http.ts';
import type { Position } from '../../common/trading/position.ts';
import { plainDecimal } from '../../common/transactions/columns.ts';
import { ExportButton } from '../http/export-button.tsx';
import { originText } from './cells.tsx';
import { fetchPositions } from './fetch-positions.ts';

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

/** Saves all positions as a CSV file, open ones first. */
export function ExportPositions() {
  return <ExportButton name="positions" size="sm" format={format} lists={lists} pageMax={TRADING_PAGE_MAX} />;
}

const format = { columns: positionColumns, toRow: positionRow };
const lists = [fetchPositions('open'), fetchPositions('closed')];
