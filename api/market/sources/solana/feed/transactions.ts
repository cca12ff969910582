import type { Rpc } from '../../../../chain/rpc.ts';
import { readable } from '../../../../chain/versions.ts';
import { pause } from '../../../../platform/resilience.ts';
import type { FetchedTransaction } from '../decode/program-events.ts';
import type { SourceNetwork } from '../node-source.ts';
import type { Unreadable } from './unreadable.ts';

/** Attempts to fetch a transaction that the node does not have yet, and the pause between them, ms. */
export interface Patience {
  tries: number;
  pauseMs: number;
}

interface TransactionReaderOptions {
  rpc: Rpc;
  /** A node may announce a transaction before it can return it. */
  patience: Patience;
  unreadable: Unreadable;
  /** Notes the version of a transaction that was read. */
  sawVersion: SourceNetwork['sawVersion'];
  /** Receives a transaction that was unreadable before. */
  onReadAgain: (signature: string, transaction: FetchedTransaction) => void;
}

/** `lost`: can't be fetched. `unreadable`: of a version that can't be read yet; it is read again later. */
export type Fetched = FetchedTransaction | 'lost' | 'unreadable';

/**
 * Creates a reader of transactions with logs and inner instructions. It resolves with a transaction or why there is none, and
 * never rejects: an unreadable one is noted, any other failure is `lost`.
 */
export function createTransactionReader(options: TransactionReaderOptions): (signature: string) => Promise<Fetched> {
  const { rpc, patience, unreadable, sawVersion, onReadAgain } = options;

  async function fetch(signature: string): Promise<FetchedTransaction | null> {
    for (let attempt = 1; ; attempt += 1) {
      const transaction = await rpc.request((connection) => connection.getParsedTransaction(signature, readable));
      if (transaction?.version !== undefined) sawVersion(transaction.version);
      if (transaction !== null || attempt >= patience.tries) return transaction;
      await pause(patience.pauseMs);
    }
  }

  return async (signature) => {
    try {
      return (await fetch(signature)) ?? 'lost';
    } catch (error) {
      const readAgain = async () => {
        const transaction = await fetch(signature);
        if (transaction !== null) onReadAgain(signature, transaction);
      };
      // Otherwise retries are used up, or the response is malformed.
      return unreadable.note(signature, error, readAgain) ? 'unreadable' : 'lost';
    }
  };
}
