import { SolanaJSONRPCError, type VersionedTransactionResponse } from '@solana/web3.js';
import type { Rpc } from './rpc.ts';
import { RpcError } from './rpc-error.ts';
import { readable } from './versions.ts';

/** Largest number of signatures in one call of the network's API. */
export const SIGNATURES_PER_CALL = 256;
/** JSON-RPC error of a node that refuses a field which it does not know. */
const INVALID_PARAMS = -32_602;

/** State of a transaction in a block. */
export interface Sighting {
  /** Most of the network has voted for its block. Any other may still be dropped. */
  isSettled: boolean;
  /** The network's error; null on success. */
  error: unknown;
}

/** The newest finalized block of a node. */
export interface FinalizedBlock {
  height: number;
  slot: number;
}

/** The states of signatures at a node. */
export interface Sightings {
  /** By signature; transactions in no block are absent. */
  seen: ReadonlyMap<string, Sighting>;
  /** Slot that the node had reached when it answered. */
  slot: number;
}

/** What a node has of transactions. Every call rejects while the node is away. */
export type ChainTransactions = ReturnType<typeof chainTransactions>;

export function chainTransactions({ request }: Pick<Rpc, 'request'>) {
  return {
    // One answer: a slot read apart from the height could be another block's.
    finalized: (): Promise<FinalizedBlock> =>
      request(async (connection) => {
        const { blockHeight, absoluteSlot } = await connection.getEpochInfo('finalized');
        if (blockHeight === undefined) throw new RpcError('http');
        return { height: blockHeight, slot: absoluteSlot };
      }),
    /**
     * Returns those of up to 256 signatures that are in a block. `history`: also searches blocks that are no longer recent.
     * `minSlot`: slot that the node should have reached; one that knows the field rejects until then, others ignore it.
     */
    async sightings(
      signatures: readonly string[],
      { history, minSlot }: { history: boolean; minSlot: number },
    ): Promise<Sightings> {
      const statuses = (options: { searchTransactionHistory: boolean; minContextSlot?: number }) =>
        request((connection) => connection.getSignatureStatuses([...signatures], options));
      const { context, value } = await statuses({ searchTransactionHistory: history, minContextSlot: minSlot }).catch(
        (error: unknown) => {
          if (!(error instanceof SolanaJSONRPCError && error.code === INVALID_PARAMS)) throw error;
          return statuses({ searchTransactionHistory: history });
        },
      );
      const seen = signatures.flatMap((signature, index): [string, Sighting][] => {
        const status = value[index];
        if (!status) return [];
        const { confirmationStatus, err } = status;
        const isSettled = confirmationStatus === 'confirmed' || confirmationStatus === 'finalized';
        return [[signature, { isSettled, error: err }]];
      });
      return { seen: new Map(seen), slot: context.slot };
    },
    /** Null while the node does not have it, which may lag behind other nodes for a moment, or can't show it. */
    transaction: (signature: string): Promise<VersionedTransactionResponse | null> =>
      request((connection) => connection.getTransaction(signature, readable)),
  };
}

/** Transactions as a node has them at one moment. */
interface Found<One> {
  /** The height that was read before the signatures, so that no transaction in a block up to it is missed. */
  height: number;
  /** Null for one in no block. */
  sightingOf(one: One): Sighting | null;
  /** Transactions that are late and in no older block either. */
  missing: ReadonlySet<One>;
}

/**
 * Looks for at most 256 transactions. `isLate`: whether one in no block up to a height can't get into a later one. Nodes behind
 * one address lag behind each other: `isUpToDate` is false for an answer of a node that had not reached the height's block.
 */
export async function lookFor<One extends { signature: string }>(
  chain: Pick<ChainTransactions, 'finalized' | 'sightings'>,
  all: readonly One[],
  isLate: (one: One, height: number, isUpToDate: boolean) => boolean,
): Promise<Found<One>> {
  const { height, slot: minSlot } = await chain.finalized();
  const signaturesOf = (some: readonly One[]) => [...new Set(some.map(({ signature }) => signature))];
  const missingIn = (some: readonly One[], { seen, slot }: Sightings) =>
    some.filter((one) => !seen.has(one.signature) && isLate(one, height, slot >= minSlot));
  const recent = await chain.sightings(signaturesOf(all), { history: false, minSlot });
  const late = missingIn(all, recent);
  const older = late.length > 0 ? await chain.sightings(signaturesOf(late), { history: true, minSlot }) : recent;
  return {
    height,
    sightingOf: ({ signature }) => recent.seen.get(signature) ?? older.seen.get(signature) ?? null,
    missing: new Set(missingIn(late, older)),
  };
}
