import type { ChainTransaction, SolTransfer } from './chain-reader.ts';
import type { TransactionRecord } from './model.ts';

export const NOT_YOURS = 'This transaction is not a transfer of your wallet.';
export const NOT_TAKEN = 'The network did not take it in time; nothing was sent.';
export const NOT_REMEMBERED = 'The network does not remember it. Please look it up on the explorer.';

/** What the chain says of a recorded transaction: the fields that change with its status. */
export type Verdict = Pick<TransactionRecord, 'lamports' | 'feeLamports' | 'counterparty' | 'failure'> & {
  status: 'confirmed' | 'failed';
};

type Recorded = Pick<TransactionRecord, 'type' | 'wallet'>;

/** Judges by the chain alone: what the client told when it recorded the transaction counts no longer. */
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
 * What is left to say of a transaction that is in a block and that no node would show for so long that none ever will:
 * how it ended. What it moved is unknown.
 */
export function unreadVerdict(error: unknown): Verdict {
  return { ...outcome(error), lamports: null, feeLamports: null, counterparty: null };
}

function outcome(error: unknown): Pick<Verdict, 'status' | 'failure'> {
  return error === null ? { status: 'confirmed', failure: null } : { status: 'failed', failure: failureText(error) };
}

/** Who received how much from the wallet, each address once. */
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
      // Trades are recorded by who made them, and are not transfers.
      return [];
  }
}

/** Null beyond what a number holds exactly: more SOL than any wallet has, so that only a failed transfer says it. */
function sum(transfers: readonly SolTransfer[]): number | null {
  const total = transfers.reduce((sofar, { lamports }) => sofar + lamports, 0n);
  return total <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(total) : null;
}

/** Number by which the system program says that an account holds too little. */
const TOO_LITTLE = 1;

/** A sentence for what the network calls `{"InstructionError":[0,{"Custom":1}]}`. */
function failureText(error: unknown): string {
  const name = errorName(error);
  switch (name) {
    case 'InsufficientFundsForRent':
      return 'The network refused it: an account would have kept less SOL than it must hold.';
    case `Custom ${TOO_LITTLE}`:
    case 'InsufficientFunds':
    case 'InsufficientFundsForFee':
      return 'The network refused it: the wallet did not hold enough SOL.';
    default:
      return name === null ? 'The network refused it.' : `The network refused it (${name}).`;
  }
}

/** The innermost name of an error: of the instruction when one failed, else of the transaction. */
function errorName(error: unknown): string | null {
  if (typeof error === 'string') return error;
  if (typeof error !== 'object' || error === null) return null;
  const [name, inside]: [string?, unknown?] = Object.entries(error)[0] ?? [];
  if (name === undefined) return null;
  if (name === 'InstructionError' && Array.isArray(inside)) return errorName(inside[1]) ?? name;
  return typeof inside === 'number' ? `${name} ${inside}` : name;
}
