import type { ConfirmedSignatureInfo } from '@solana/web3.js';
import { PublicKey } from '@solana/web3.js';
import type { Rpc } from '../../../../chain/rpc.ts';
import { pause } from '../../../../platform/resilience.ts';
import type { FetchedTransaction } from '../decode/transaction.ts';
import { pumpProgram } from '../programs.ts';

/** The point up to which everything was heard. */
export interface HeardUpTo {
  signature: string;
  /** Entries of earlier slots are not wanted, should the node not know `signature`; null when not known. */
  slot: number | null;
  /** As `slot`, by block time in epoch ms. */
  at: number | null;
}

export interface MissedSignatures {
  /** Successful transactions after the point, oldest first. */
  transactions: { signature: string; slot: number }[];
  /** False when the bound on pages cut the oldest ones off. */
  complete: boolean;
}

/** The most a node gives in one answer. */
const pageSize = 1_000;

/** Lists what happened on the program since a point, newest page first, at most `maxPages` pages. */
export async function listMissed(rpc: Rpc, since: HeardUpTo, maxPages: number): Promise<MissedSignatures> {
  const program = new PublicKey(pumpProgram);
  const newestFirst: MissedSignatures['transactions'] = [];
  let before: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const range = { until: since.signature, limit: pageSize, ...(before === undefined ? {} : { before }) };
    const entries = await rpc.request((connection) => connection.getSignaturesForAddress(program, range, 'confirmed'));
    for (const entry of entries) {
      if (entry.signature === since.signature || isBefore(entry, since)) return found(newestFirst, true);
      if (entry.err === null) newestFirst.push({ signature: entry.signature, slot: entry.slot });
    }
    before = entries.at(-1)?.signature;
    if (entries.length < pageSize || before === undefined) return found(newestFirst, true);
  }
  return found(newestFirst, false);
}

function found(newestFirst: MissedSignatures['transactions'], complete: boolean): MissedSignatures {
  return { transactions: newestFirst.toReversed(), complete };
}

function isBefore(entry: ConfirmedSignatureInfo, since: HeardUpTo): boolean {
  if (since.slot !== null && entry.slot < since.slot) return true;
  const { blockTime } = entry;
  return since.at !== null && typeof blockTime === 'number' && blockTime * 1_000 < since.at;
}

/** How often a transaction is asked for that the node does not have, and the pause in between, ms. */
export interface Patience {
  tries: number;
  pauseMs: number;
}

/**
 * A transaction with its logs and inner instructions; null when the node does not have it. A node may tell of a
 * transaction a little before it can give it, hence the patience. Fails as `Rpc.request` does.
 */
export async function fetchTransaction(
  rpc: Rpc,
  signature: string,
  patience: Patience,
): Promise<FetchedTransaction | null> {
  for (let tried = 1; ; tried += 1) {
    const transaction = await rpc.request((connection) =>
      connection.getParsedTransaction(signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 }),
    );
    if (transaction !== null || tried >= patience.tries) return transaction;
    await pause(patience.pauseMs);
  }
}

/**
 * Fetches transactions ahead, `inFlight` at a time, and gives them in the given order. What cannot be fetched is given
 * as null: one lost transaction is no reason to lose the others.
 */
export async function* fetchInOrder(
  rpc: Rpc,
  wanted: MissedSignatures['transactions'],
  inFlight: number,
  patience: Patience,
): AsyncGenerator<{ signature: string; slot: number; transaction: FetchedTransaction | null }> {
  const ahead: Promise<FetchedTransaction | null>[] = [];
  for (const [index, { signature, slot }] of wanted.entries()) {
    for (let next = index + ahead.length; next < wanted.length && ahead.length < inFlight; next += 1) {
      ahead.push(fetchOrNull(rpc, wanted[next]?.signature ?? signature, patience));
    }
    const transaction = (await ahead.shift()) ?? null;
    yield { signature, slot, transaction };
  }
}

async function fetchOrNull(rpc: Rpc, signature: string, patience: Patience): Promise<FetchedTransaction | null> {
  try {
    return await fetchTransaction(rpc, signature, patience);
  } catch {
    // The repetitions of `Rpc.request` are used up, or the node sent something unreadable; the caller counts it.
    return null;
  }
}
