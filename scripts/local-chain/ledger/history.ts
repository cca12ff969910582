/** The newest transactions, by signature and by the addresses they name. */
import type { TransactionRecord } from '../storage/records.ts';

export type History = ReturnType<typeof createHistory>;

/** Creates an empty history of at most `limit` transactions. */
export function createHistory(limit: number) {
  /** Oldest first. */
  const records = new Map<string, TransactionRecord>();
  /** Signatures, oldest first. */
  const byAddress = new Map<string, string[]>();
  /** Slots of signatures whose blockhash may still be valid: none runs twice, however short the history is. */
  const recent = new Map<string, number>();

  const removeOldest = (): void => {
    const [record] = records.values();
    if (!record) return;
    records.delete(record.signature);
    for (const key of new Set(record.keys)) {
      const signatures = byAddress.get(key);
      signatures?.shift(); // the oldest record of all is the oldest of each of its addresses
      if (signatures?.length === 0) byAddress.delete(key);
    }
  };

  return {
    add(record: TransactionRecord): void {
      records.set(record.signature, record);
      recent.set(record.signature, record.slot);
      for (const key of new Set(record.keys)) {
        const signatures = byAddress.get(key);
        if (signatures) signatures.push(record.signature);
        else byAddress.set(key, [record.signature]);
      }
      if (records.size > limit) removeOldest();
    },
    get: (signature: string): TransactionRecord | undefined => records.get(signature),
    /** Returns whether a transaction has run that is in the history or could run again by its blockhash. */
    has: (signature: string): boolean => records.has(signature) || recent.has(signature),
    /** Returns the transactions that name the address, newest first. */
    of: (address: string): TransactionRecord[] =>
      (byAddress.get(address) ?? []).flatMap((signature) => records.get(signature) ?? []).reverse(),
    /** Drops the protection of transactions before `slot`, whose blockhash has expired. */
    prune(slot: number): void {
      for (const [signature, at] of recent) {
        if (at >= slot) break;
        recent.delete(signature);
      }
    },
  };
}
