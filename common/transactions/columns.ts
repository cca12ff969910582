import { clusterNames } from '../client-config/model.ts';
import { solText, solToLamports } from '../tokens/units.ts';
import type { Transaction, TransactionType } from './model.ts';

/** How people call each type. */
export const transactionTypeNames: Record<TransactionType, string> = {
  buy: 'Buy',
  sell: 'Sell',
  transfer_out: 'Transfer out',
  transfer_in: 'Transfer in',
  airdrop: 'Test SOL',
};

/** How people call a status (specification, S3-51). Whatever comes from a newer server is not known here. */
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

/** What was traded, in a word: the symbol, else the name, else the address. */
export function transactionTokenName({ token }: Pick<Transaction, 'token'>): string {
  return token === null ? 'SOL' : (token.symbol ?? token.name ?? token.address);
}

/** Columns of an exported list, in their order. */
export const csvColumns = [
  'Date',
  'Type',
  'Status',
  'Token',
  'Token address',
  'Amount (SOL)',
  'Price (SOL)',
  'Fee (SOL)',
  'Counterparty',
  'Signature',
  'Network',
  'Failure',
  'Updated',
] as const;
export type CsvColumn = (typeof csvColumns)[number];

/** One transaction for an exported list: times as ISO 8601, exact decimals without exponent, unknown as an empty text. */
export function csvRow(transaction: Transaction): Record<CsvColumn, string> {
  const { token, amount, price, fee, counterparty, failure } = transaction;
  return {
    Date: transaction.createdAt,
    Type: transactionTypeNames[transaction.type],
    Status: transactionStatusName(transaction.status),
    Token: transactionTokenName(transaction),
    'Token address': token?.address ?? '',
    'Amount (SOL)': solOrNothing(amount),
    'Price (SOL)': price === null ? '' : plainDecimal(price),
    'Fee (SOL)': solOrNothing(fee),
    Counterparty: counterparty ?? '',
    Signature: transaction.signature,
    Network: clusterNames[transaction.cluster],
    Failure: failure ?? '',
    Updated: transaction.updatedAt,
  };
}

/** Of an amount in SOL that stands for whole lamports. */
function solOrNothing(sol: number | null): string {
  return sol === null ? '' : solText(BigInt(solToLamports(sol)));
}

/** The number as JavaScript would write it, with its exponent written out: 1.5e-9 → '0.0000000015'. */
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
