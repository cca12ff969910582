/** Rejections by a node that prove a transaction is not on its way: the node tried it out and did not forward it. */
export const refusals = ['expired', 'fee', 'funds', 'rent', 'simulation'] as const;
export type Refusal = (typeof refusals)[number];

/** The reason that the page's toast and the transaction's row give for a refused transaction. */
export const refusalTexts: Record<Refusal, string> = {
  expired: 'It was not sent in time: its blockhash has expired. Nothing has left the wallet; try again.',
  fee: 'The wallet does not hold enough SOL for the network fee.',
  funds: 'The wallet does not hold enough SOL for this amount and the fee.',
  rent: 'It would leave an account with less SOL than the network requires. Change the amount.',
  simulation: 'The network refused it when it tried it out.',
};

/** Reason of a transaction whose blockhash expired before a block took it. */
export const NOT_TAKEN = 'The network did not take it in time; nothing was sent.';

/** The system program's error number for an insufficient balance. */
const TOO_LITTLE = 1;

/**
 * Returns a sentence for the network's error, e.g. `{"InstructionError":[0,{"Custom":1}]}`. The page shows it in its toast and
 * the server stores it with the transaction, so that both give one reason.
 */
export function failureText(error: unknown): string {
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

/** Returns the innermost name of an error: the instruction's when one failed, else the transaction's. */
function errorName(error: unknown): string | null {
  if (typeof error === 'string') return error;
  if (typeof error !== 'object' || error === null) return null;
  const [name, inside]: [string?, unknown?] = Object.entries(error)[0] ?? [];
  if (name === undefined) return null;
  if (name === 'InstructionError' && Array.isArray(inside)) return errorName(inside[1]) ?? name;
  return typeof inside === 'number' ? `${name} ${inside}` : name;
}
