import { Types } from 'mongoose';
import type { TransactionRecord } from './model.ts';
import type { Trade, TransactionStore } from './store.ts';

/** Stores trades in the state that their order knows, and emits the rows that changed. */
export async function recordTrades(
  deps: {
    store: Pick<TransactionStore, 'insertMissing' | 'update'>;
    emitChanged(record: TransactionRecord): void;
    now: Date;
  },
  trades: readonly Trade[],
): Promise<void> {
  const { store, emitChanged, now } = deps;
  const records = trades.map((trade) => tradeRecord(trade, now));
  const inserted = new Set(await store.insertMissing(records));
  for (const record of records) {
    const changed = inserted.has(record) ? record : await store.update(record, now);
    if (changed) emitChanged(changed);
  }
}

function tradeRecord(trade: Trade, now: Date): TransactionRecord {
  const unused = { counterparty: null, lastValidBlockHeight: null, refusal: null };
  return { ...trade, ...unused, _id: new Types.ObjectId(), updatedAt: now };
}
