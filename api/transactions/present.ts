import { solOrNull } from '../../common/tokens/units.ts';
import type { Transaction } from '../../common/transactions/model.ts';
import type { TransactionRecord } from './model.ts';

export function presentTransaction(record: TransactionRecord): Transaction {
  const { type, status, token, price, counterparty, signature, cluster, failure, orderId } = record;
  return {
    id: record._id.toHexString(),
    type,
    status,
    token: token && { address: token.address, name: token.name, symbol: token.symbol },
    amount: solOrNull(record.lamports),
    price,
    fee: solOrNull(record.feeLamports),
    profit: solOrNull(record.profitLamports ?? null),
    counterparty,
    signature,
    cluster,
    orderId: orderId?.toHexString() ?? null,
    failure,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}
