/** The newest transactions, by signature and by the addresses they name. */

/**
 * @typedef {object} TransactionRecord
 * @property {string} signature
 * @property {number} slot
 * @property {number} blockTime seconds since 1970
 * @property {string} wire the transaction, base64
 * @property {string[]} keys its accounts, looked-up ones included
 * @property {object} meta as `getTransaction` answers it
 */

/** @param {number} limit how many are kept */
export function createHistory(limit) {
  /** Oldest first. @type {Map<string, TransactionRecord>} */
  const records = new Map();
  /** Signatures, oldest first. @type {Map<string, string[]>} */
  const byAddress = new Map();
  /** Signatures whose blockhash may still count: none of them runs twice, however long the history is. @type {Map<string, number>} */
  const recent = new Map();

  const forget = (record) => {
    records.delete(record.signature);
    for (const key of new Set(record.keys)) {
      const list = byAddress.get(key);
      list.shift(); // the oldest record of all is the oldest of each of its addresses
      if (list.length === 0) byAddress.delete(key);
    }
  };

  return {
    /** @param {TransactionRecord} record */
    add(record) {
      records.set(record.signature, record);
      recent.set(record.signature, record.slot);
      for (const key of new Set(record.keys)) {
        const list = byAddress.get(key);
        if (list) list.push(record.signature);
        else byAddress.set(key, [record.signature]);
      }
      if (records.size > limit) forget(records.values().next().value);
    },
    /** @param {string} signature */
    get: (signature) => records.get(signature),
    /** Whether a transaction has run that could run again by its blockhash, or is still remembered. @param {string} signature */
    has: (signature) => records.has(signature) || recent.has(signature),
    /** Newest first. @param {string} address @returns {TransactionRecord[]} */
    of: (address) => (byAddress.get(address) ?? []).map((signature) => records.get(signature)).reverse(),
    /** Transactions before this slot can't run again. @param {number} slot */
    prune(slot) {
      for (const [signature, at] of recent) {
        if (at >= slot) break;
        recent.delete(signature);
      }
    },
    size: () => records.size,
  };
}
