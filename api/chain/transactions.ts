import type { VersionedTransactionResponse } from '@solana/web3.js';
import type { Rpc } from './rpc.ts';

/** Largest number of signatures in one call of the network's API. */
export const SIGNATURES_PER_CALL = 256;

/** State of a transaction in a block. */
export interface Sighting {
  /** Most of the network has voted for its block. Any other may still be dropped. */
  isSettled: boolean;
  /** The network's error; null on success. */
  error: unknown;
}

/** What a node has of transactions. Every call rejects while the node is away. */
export interface ChainTransactions {
  /** Returns the height of the newest finalized block. */
  height(): Promise<number>;
  /** Returns those of up to 256 signatures that are in a block. `history`: also searches blocks that are no longer recent. */
  sightings(signatures: readonly string[], history: boolean): Promise<ReadonlyMap<string, Sighting>>;
  /** Null while the node does not have it, which may lag behind other nodes for a moment, or can't show it. */
  transaction(signature: string): Promise<VersionedTransactionResponse | null>;
}

export function chainTransactions({ request }: Pick<Rpc, 'request'>): ChainTransactions {
  return {
    height: () => request((connection) => connection.getBlockHeight('finalized')),
    async sightings(signatures, history) {
      const { value } = await request((connection) =>
        connection.getSignatureStatuses([...signatures], { searchTransactionHistory: history }),
      );
      const seen = signatures.flatMap((signature, index): [string, Sighting][] => {
        const status = value[index];
        if (!status) return [];
        const { confirmationStatus, err } = status;
        const isSettled = confirmationStatus === 'confirmed' || confirmationStatus === 'finalized';
        return [[signature, { isSettled, error: err }]];
      });
      return new Map(seen);
    },
    transaction: (signature) =>
      request((connection) =>
        connection.getTransaction(signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 }),
      ),
  };
}

/** Transactions as a node has them at one moment. */
interface Sightings<One> {
  /** The height that was read before the signatures, so that no transaction in a block up to it is missed. */
  height: number;
  /** Null for one in no block. */
  sightingOf(one: One): Sighting | null;
  /** Those that are late, and in no block either that is no longer recent. */
  missing: ReadonlySet<One>;
}

/** Looks for at most 256 transactions. `isLate`: whether one in no block up to a height can't get into a later one. */
export async function lookFor<One extends { signature: string }>(
  chain: Pick<ChainTransactions, 'height' | 'sightings'>,
  all: readonly One[],
  isLate: (one: One, height: number) => boolean,
): Promise<Sightings<One>> {
  const height = await chain.height();
  const signaturesOf = (some: readonly One[]) => [...new Set(some.map(({ signature }) => signature))];
  const recent = await chain.sightings(signaturesOf(all), false);
  const late = all.filter((one) => !recent.has(one.signature) && isLate(one, height));
  const older = late.length > 0 ? await chain.sightings(signaturesOf(late), true) : recent;
  return {
    height,
    sightingOf: ({ signature }) => recent.get(signature) ?? older.get(signature) ?? null,
    missing: new Set(late.filter(({ signature }) => !older.has(signature))),
  };
}
