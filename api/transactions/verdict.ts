import { failureText } from '../../common/transactions/failure.ts';
import type { ChainTransaction, SolTransfer } from './chain-reader.ts';
import type { TransactionRecord } from './model.ts';

export const NOT_YOURS = 'This transaction is not a transfer of your wallet.';
export const NOT_REMEMBERED = 'The network does not remember it. Please look it up on the explorer.';

/** Fields of a recorded transaction that change with its status. */
export type Verdict = Pick<TransactionRecord, 'lamports' | 'feeLamports' | 'counterparty' | 'failure'> & {
  status: 'confirmed' | 'failed';
};

type Recorded = Pick<TransactionRecord, 'type' | 'wallet'>;

/** Derives the verdict from the chain alone: the client's figures no longer count. */
export function verdictOf(record: Recorded, chain: ChainTransaction): Verdict {
  const own = ownTransfers(record, chain);
  if (own.length === 0) {
    return { status: 'failed', lamports: null, feeLamports: null, counterparty: null, failure: NOT_YOURS };
  }
  const outward = record.type === 'transfer_out';
  const others = new Set(own.map(({ from, to }) => (outward ? to : from)));
  return {
    ...outcome(chain.error),
    lamports: sum(own),
    feeLamports: chain.feePayer === record.wallet ? chain.feeLamports : null,
    counterparty: others.size === 1 ? ([...others][0] ?? null) : null,
  };
}

/**
 * The verdict on a transaction in a block that no node has shown for long: its status,
 * with unknown amounts.
 */
export function unreadVerdict(error: unknown): Verdict {
  return { ...outcome(error), lamports: null, feeLamports: null, counterparty: null };
}

function outcome(error: unknown): Pick<Verdict, 'status' | 'failure'> {
  return error === null ? { status: 'confirmed', failure: null } : { status: 'failed', failure: failureText(error) };
}

/** Returns the amounts that addresses received from the wallet, each address once. */
export function receivers(wallet: string, chain: ChainTransaction): { address: string; lamports: number | null }[] {
  const sent = chain.transfers.filter(({ from }) => from === wallet);
  return [...new Set(sent.map(({ to }) => to))].map((address) => ({
    address,
    lamports: sum(sent.filter(({ to }) => to === address)),
  }));
}

function ownTransfers({ type, wallet }: Recorded, { transfers }: ChainTransaction): SolTransfer[] {
  switch (type) {
    case 'transfer_out':
      return transfers.filter(({ from }) => from === wallet);
    case 'transfer_in':
    case 'airdrop':
      return transfers.filter(({ from, to }) => to === wallet && from !== wallet);
    case 'buy':
    case 'sell':
      // A trade is no transfer. Its verdict comes with its order, from balances of tokens.
      return [];
  }
}

/**
 * Null beyond what a number holds exactly: more SOL than any wallet has, so that only a failed transfer contains it.
 */
function sum(transfers: readonly SolTransfer[]): number | null {
  const total = transfers.reduce((sofar, { lamports }) => sofar + lamports, 0n);
  return total <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(total) : null;
}
