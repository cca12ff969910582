import { lamportsOfSol } from '../../../common/tokens/units.ts';
import { type BuiltTransfer, type ChainClient, SIGNATURE_FEE } from '../../chain/chain.ts';
import { ChainError } from '../../chain/chain-error.ts';
import { messages, planOf, type TransferDraft, type TransferPlan } from './transfer-check.ts';

/** Returns the plan of a transfer, or the error of its amount, by the chain's rules. Throws `ChainError`. */
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
  // Checked before the transfer is built: an amount beyond the total supply of SOL would not fit.
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

/** Returns the fee of this message in lamports; the usual fee when the node has dropped the block it was built with. */
export async function feeOf(transfer: BuiltTransfer): Promise<bigint> {
  try {
    return await transfer.fee();
  } catch (reason) {
    if (reason instanceof ChainError && reason.kind === 'expired') return SIGNATURE_FEE;
    throw reason;
  }
}
