import { type ConfirmedSignatureInfo, PublicKey } from '@solana/web3.js';
import type { Rpc } from '../../../../chain/rpc.ts';
import { readable } from '../../../../chain/versions.ts';
import { pause } from '../../../../platform/resilience.ts';
import type { FetchedTransaction } from '../decode/program-events.ts';
import type { SourceNetwork } from '../node-source.ts';
import { pumpProgram } from '../programs.ts';
import type { ResumePoint } from './resume-cursor.ts';
import type { Unreadable } from './unreadable.ts';

export interface MissedTransactions {
  /** Successful transactions after the point, oldest first. */
  transactions: { signature: string; slot: number }[];
  /** False when the page limit cut off the oldest ones. */
  complete: boolean;
}

/** Most signatures of one response. */
const pageSize = 1_000;

/** Lists the program's transactions since a point, newest page first, at most `maxPages` pages. */
export async function listMissed(rpc: Rpc, since: ResumePoint, maxPages: number): Promise<MissedTransactions> {
  const program = new PublicKey(pumpProgram);
  const newestFirst: MissedTransactions['transactions'] = [];
  let before: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const range = { until: since.signature, limit: pageSize, ...(before === undefined ? {} : { before }) };
    const entries = await rpc.request((connection) => connection.getSignaturesForAddress(program, range, 'confirmed'));
    for (const entry of entries) {
      if (entry.signature === since.signature || isBefore(entry, since)) return oldestFirst(newestFirst, true);
      if (entry.err === null) newestFirst.push({ signature: entry.signature, slot: entry.slot });
    }
    before = entries.at(-1)?.signature;
    if (entries.length < pageSize || before === undefined) return oldestFirst(newestFirst, true);
  }
  return oldestFirst(newestFirst, false);
}

function oldestFirst(newestFirst: MissedTransactions['transactions'], complete: boolean): MissedTransactions {
  return { transactions: newestFirst.toReversed(), complete };
}

function isBefore(entry: ConfirmedSignatureInfo, since: ResumePoint): boolean {
  if (since.slot !== null && entry.slot < since.slot) return true;
  const { blockTime } = entry;
  return since.at !== null && typeof blockTime === 'number' && blockTime * 1_000 < since.at;
}

/** Attempts to fetch a transaction that the node does not have yet, and the pause between them, ms. */
export interface Patience {
  tries: number;
  pauseMs: number;
}

/**
 * Resolves with a transaction including logs and inner instructions; null when the node does not have it. A node may announce
 * a transaction before it can return it, hence the patience. Throws as `Rpc.request` does.
 */
export async function fetchTransaction(
  rpc: Rpc,
  signature: string,
  patience: Patience,
): Promise<FetchedTransaction | null> {
  for (let attempt = 1; ; attempt += 1) {
    const transaction = await rpc.request((connection) => connection.getParsedTransaction(signature, readable));
    if (transaction !== null || attempt >= patience.tries) return transaction;
    await pause(patience.pauseMs);
  }
}

/** Fetches a transaction, with what it does of one that can't be read yet. */
export interface Fetching {
  rpc: Rpc;
  patience: Patience;
  unreadable: Unreadable;
  /** Notes the version of a transaction that was read. */
  sawVersion: SourceNetwork['sawVersion'];
  /** Receives a transaction that was unreadable before. */
  onReadAgain: (signature: string, transaction: FetchedTransaction) => void;
}

/** `lost`: can't be fetched. `unreadable`: of a version that can't be read yet; it is read again later. */
export type Fetched = FetchedTransaction | 'lost' | 'unreadable';

/** Resolves with a transaction, or why there is none. Never rejects: an unreadable one is noted, any other failure is `lost`. */
export async function fetchOrNote(
  { rpc, patience, unreadable, sawVersion, onReadAgain }: Fetching,
  signature: string,
): Promise<Fetched> {
  const fetch = async () => {
    const transaction = await fetchTransaction(rpc, signature, patience);
    if (transaction?.version !== undefined) sawVersion(transaction.version);
    return transaction;
  };
  try {
    return (await fetch()) ?? 'lost';
  } catch (error) {
    const readAgain = async () => {
      const transaction = await fetch();
      if (transaction !== null) onReadAgain(signature, transaction);
    };
    // Otherwise retries are used up, or the response is malformed.
    return unreadable.note(signature, error, readAgain) ? 'unreadable' : 'lost';
  }
}

/** Prefetches transactions, `inFlight` at a time, and yields them in the given order. */
export async function* fetchInOrder(
  fetching: Fetching,
  wanted: MissedTransactions['transactions'],
  inFlight: number,
): AsyncGenerator<{ signature: string; slot: number; transaction: Fetched }> {
  const ahead: Promise<Fetched>[] = [];
  for (const [index, { signature, slot }] of wanted.entries()) {
    for (let next = index + ahead.length; next < wanted.length && ahead.length < inFlight; next += 1) {
      ahead.push(fetchOrNote(fetching, wanted[next]?.signature ?? signature));
    }
    const transaction = (await ahead.shift()) ?? 'lost';
    yield { signature, slot, transaction };
  }
}
