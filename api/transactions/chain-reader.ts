import {
  type MessageAccountKeys,
  type MessageCompiledInstruction,
  SystemProgram,
  type VersionedTransactionResponse,
} from '@solana/web3.js';
import type { Rpc } from '../chain/rpc.ts';

/** Largest number of signatures in one call of the network's API. */
export const SIGNATURES_PER_CALL = 256;

/** SOL moved from one account to another by an instruction of the transaction itself. */
export interface SolTransfer {
  from: string;
  to: string;
  lamports: bigint;
}

/** A transaction as included in a block. */
export interface ChainTransaction {
  feePayer: string;
  feeLamports: number;
  /** The network's error; null on success. With an error nothing moved but the fee. */
  error: unknown;
  transfers: readonly SolTransfer[];
}

/** State of a transaction that a node has in a block. */
export interface Sighting {
  /** Most of the network has voted for that block. Any other may still be dropped. */
  isSettled: boolean;
  /** The network's error; null on success. */
  error: unknown;
}

/** Chain access needed to follow transactions. Every call fails with an `RpcError` while the node is down. */
export interface ChainReader {
  /** Returns the height of the newest finalized block. */
  blockHeight(): Promise<number>;
  /**
   * Returns those of up to 256 signatures that are in a block. `history`: also searches blocks that are no longer
   * recent.
   */
  seen(signatures: readonly string[], options: { history: boolean }): Promise<ReadonlyMap<string, Sighting>>;
  /** Null while the node does not have it, which may lag behind other nodes for a moment. */
  transaction(signature: string): Promise<ChainTransaction | null>;
}

export function createChainReader(rpc: Pick<Rpc, 'request'>): ChainReader {
  return {
    blockHeight: () => rpc.request((connection) => connection.getBlockHeight('finalized')),
    async seen(signatures, { history }) {
      const { value } = await rpc.request((connection) =>
        connection.getSignatureStatuses([...signatures], { searchTransactionHistory: history }),
      );
      const sightings = signatures.map((signature, at): [string, Sighting][] => {
        const status = value[at];
        if (!status) return [];
        const { confirmationStatus, err } = status;
        const isSettled = confirmationStatus === 'confirmed' || confirmationStatus === 'finalized';
        return [[signature, { isSettled, error: err }]];
      });
      return new Map(sightings.flat());
    },
    async transaction(signature) {
      const found = await rpc.request((connection) =>
        connection.getTransaction(signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 }),
      );
      return found && readTransaction(found);
    },
  };
}

/** Null when the node omits the outcome. */
export function readTransaction({ meta, transaction }: VersionedTransactionResponse): ChainTransaction | null {
  if (!meta) return null;
  const { message } = transaction;
  const keys = message.getAccountKeys(
    meta.loadedAddresses ? { accountKeysFromLookups: meta.loadedAddresses } : undefined,
  );
  return {
    feePayer: keys.get(0)?.toBase58() ?? '',
    feeLamports: meta.fee,
    error: meta.err,
    transfers: message.compiledInstructions.flatMap((instruction) => solTransfer(instruction, keys) ?? []),
  };
}

const SYSTEM_PROGRAM = SystemProgram.programId.toBase58();
/**
 * Data of a transfer: its number among the instructions of the system program (4 bytes), then lamports (8 bytes). The
 * program ignores any bytes after them.
 */
const TRANSFER = 2;
const TRANSFER_BYTES = 12;

function solTransfer(instruction: MessageCompiledInstruction, keys: MessageAccountKeys): SolTransfer | null {
  const { data, accountKeyIndexes, programIdIndex } = instruction;
  const key = (index: number | undefined) => (index === undefined ? undefined : keys.get(index)?.toBase58());
  if (key(programIdIndex) !== SYSTEM_PROGRAM || data.length < TRANSFER_BYTES) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const [from, to] = [key(accountKeyIndexes[0]), key(accountKeyIndexes[1])];
  if (view.getUint32(0, true) !== TRANSFER || from === undefined || to === undefined) return null;
  return { from, to, lamports: view.getBigUint64(4, true) };
}
