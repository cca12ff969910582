import type { Transaction } from '../../../common/transactions/model.ts';

export const USER_ID = '64b0000000000000000000a1';
const NOON = Date.parse('2026-11-21T12:00:00Z');

function id(number: number): string {
  return String(number).padStart(24, '0');
}

/** Returns a confirmed outgoing transfer; a larger number is newer. */
export function transaction(number: number, given: Partial<Transaction> = {}): Transaction {
  const at = new Date(NOON + number * 1_000).toISOString();
  return {
    id: id(number),
    type: 'transfer_out',
    status: 'confirmed',
    token: null,
    amount: 1,
    price: null,
    fee: null,
    counterparty: null,
    signature: `signature-${number}`,
    cluster: 'local',
    orderId: null,
    profit: null,
    failure: null,
    createdAt: at,
    updatedAt: at,
    ...given,
  };
}
