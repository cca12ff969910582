import {
  type MessageAccountKeys,
  type MessageCompiledInstruction,
  SystemProgram,
  type VersionedTransactionResponse,
} from '@solana/web3.js';
import type { Rpc } from '../chain/rpc.ts';
import { type ChainTransactions, chainTransactions } from '../chain/transactions.ts';

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

/** Chain access needed to follow transactions. Every call fails with an `RpcError` while the node is down. */
export interface ChainReader extends Pick<ChainTransactions, 'finalized' | 'sightings'> {
  /** Null while the node does not have it, which may lag behind other nodes for a moment. */
  transaction(signature: string): Promise<ChainTransaction | null>;
}

export function createChainReader(rpc: Pick<Rpc, 'request'>): ChainReader {
  const chain = chainTransactions(rpc);
  return {
    ...chain,
    async transaction(signature) {
      const found = await chain.transaction(signature);
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
