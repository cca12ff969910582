import {
  type MessageAccountKeys,
  type MessageCompiledInstruction,
  SystemProgram,
  type VersionedTransactionResponse,
} from '@solana/web3.js';
import type { Rpc } from '../chain/rpc.ts';

/** Most signatures the network lets one call ask about. */
export const SIGNATURES_PER_CALL = 256;

/** SOL that moved from one account to another by an instruction of the transaction itself. */
export interface SolTransfer {
  from: string;
  to: string;
  lamports: bigint;
}

/** A transaction as a block has it. */
export interface ChainTransaction {
  feePayer: string;
  feeLamports: number;
  /** What the network says went wrong; null when all went well. Nothing moved but the fee when something did. */
  error: unknown;
  transfers: readonly SolTransfer[];
}

/** Where a node has a transaction: in a block. */
export interface Sighting {
  /** Most of the network has voted for that block. Any other may yet be dropped. */
  isSettled: boolean;
  /** What the network says went wrong; null when all went well. */
  error: unknown;
}

/** What following needs to know of the chain. Every call fails with an `RpcError` while the node is away. */
export interface ChainReader {
  /** Height of the newest block that can't be taken back. */
  blockHeight(): Promise<number>;
  /** Those of up to 256 signatures that are in a block. `history`: also looks at blocks that are no longer recent. */
  seen(signatures: readonly string[], options: { history: boolean }): Promise<ReadonlyMap<string, Sighting>>;
  /** Null while the node does not have it, which may be for a moment after others have it. */
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

/** Null when the node leaves out what came of it. */
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
 * A transfer's data: its number among the instructions of the system program (4 bytes), then lamports (8 bytes). The
 * program takes no notice of what comes after them.
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
