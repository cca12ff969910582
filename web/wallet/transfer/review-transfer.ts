import { lamportsOfSol } from '../../../common/tokens/units.ts';
import { type BuiltTransfer, type ChainClient, SIGNATURE_FEE } from '../../chain/chain.ts';
import { ChainError } from '../../chain/chain-error.ts';
import { messages, planOf, type TransferDraft, type TransferPlan } from './transfer-check.ts';

/** Checks a transfer against the chain. Resolves with its plan, or an error about the amount. Throws `ChainError`. */
export async function reviewTransfer(
  client: ChainClient,
  from: string,
  draft: TransferDraft,
): Promise<{ plan: TransferPlan } | { amountError: string }> {
  const lamports = lamportsOfSol(draft.amount);
  if (lamports === null || lamports <= 0n) return { amountError: messages.badAmount };
  const to = draft.recipient.trim();
  const [balance, recipient, rentMinimum] = await Promise.all([
    client.balance(from),
    client.account(to),
    client.rentMinimum(),
  ]);
  // Checked before the transfer is built, because an amount above the total supply can't be encoded.
  if (lamports > balance) return { amountError: messages.aboveBalance };
  const fee = await feeOf(client.transfer({ from, to, lamports }));
  return planOf({
    from,
    to,
    lamports,
    balance,
    fee,
    recipientLamports: recipient.lamports,
    recipientKind: recipient.kind,
    rentMinimum,
  });
}

/** Resolves with the fee of this message in lamports, or the usual fee when the node does not know its block. */
export async function feeOf(transfer: BuiltTransfer): Promise<bigint> {
  try {
    return await transfer.fee();
  } catch (reason) {
    if (reason instanceof ChainError && reason.kind === 'expired') return SIGNATURE_FEE;
    throw reason;
  }
}
