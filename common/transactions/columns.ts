import { clusterNames } from '../client-config/model.ts';
import { displaySymbol } from '../tokens/names.ts';
import { solText, solToLamports } from '../tokens/units.ts';
import { tradingModeNames } from '../trading/account.ts';
import type { Transaction, TransactionType } from './model.ts';

/** Labels of the types. */
export const transactionTypeNames: Record<TransactionType, string> = {
  buy: 'Buy',
  sell: 'Sell',
  transfer_out: 'Transfer out',
  transfer_in: 'Transfer in',
  airdrop: 'Test SOL',
};

/** Returns the label of a status (S3-51); 'Unknown' for a status of a newer server. */
export function transactionStatusName(status: string): string {
  switch (status) {
    case 'confirmed':
      return 'Confirmed';
    case 'pending':
      return 'Pending';
    case 'failed':
      return 'Failed';
    default:
      return 'Unknown';
  }
}

/** Returns the symbol of the traded token, or what stands for it; 'SOL' without a token. */
export function transactionTokenName({ token }: Pick<Transaction, 'token'>): string {
  return token === null ? 'SOL' : displaySymbol(token);
}

/** Columns of an exported list, in order. */
export const csvColumns = [
  'Date',
  'Type',
  'Status',
  'Token',
  'Token address',
  'Amount (SOL)',
  'Price (SOL)',
  'Fee (SOL)',
  'Profit (SOL)',
  'Counterparty',
  'Signature',
  'Network',
  'Failure',
  'Updated',
] as const;
export type CsvColumn = (typeof csvColumns)[number];

/** Returns a row of the exported list: ISO 8601 times, exact decimals without an exponent, empty strings for unknown values. */
export function csvRow(transaction: Transaction): Record<CsvColumn, string> {
  const { token, amount, price, fee, profit, counterparty, failure } = transaction;
  return {
    Date: transaction.createdAt,
    Type: transactionTypeNames[transaction.type],
    Status: transactionStatusName(transaction.status),
    Token: transactionTokenName(transaction),
    'Token address': token?.address ?? '',
    'Amount (SOL)': solOrEmpty(amount),
    'Price (SOL)': price === null ? '' : plainDecimal(price),
    'Fee (SOL)': solOrEmpty(fee),
    'Profit (SOL)': profit === null ? '' : plainDecimal(profit),
    Counterparty: counterparty ?? '',
    Signature: transaction.signature,
    Network: transaction.cluster === null ? tradingModeNames.paper : clusterNames[transaction.cluster],
    Failure: failure ?? '',
    Updated: transaction.updatedAt,
  };
}

/** Formats an amount in SOL that is a whole number of lamports. */
function solOrEmpty(sol: number | null): string {
  return sol === null ? '' : solText(BigInt(solToLamports(sol)));
}

/** Formats a number like `String`, but without an exponent: 1.5e-9 → '0.0000000015'. */
export function plainDecimal(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e');
  if (exponent === undefined) return mantissa;
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0')}`;
}
