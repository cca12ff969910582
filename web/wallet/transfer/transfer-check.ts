import { z } from 'zod';
import { lamportsOfSol, solText } from '../../../common/tokens/units.ts';
import { isPublicKey } from '../../../common/wallet/model.ts';
import { type AccountKind, type BuiltTransfer, type ChainClient, SIGNATURE_FEE } from '../../chain/chain.ts';
import { ChainError } from '../../chain/chain-error.ts';
import { exactSol } from '../amounts.ts';

/** Minimum length of an address, which has 32 to 44 base58 characters (specification, section 5). */
const ADDRESS_LENGTH_MIN = 32;

export const messages = {
  noRecipient: 'Please enter a recipient address.',
  badRecipient: 'Please enter a valid Solana wallet address.',
  badAmount: 'Please enter a valid amount greater than 0.',
  aboveBalance: 'Transfer amount exceeds your wallet balance.',
} as const;

/** Input of the form. */
export interface TransferDraft {
  recipient: string;
  /** SOL. */
  amount: string;
}

/** Schema of the form; each field reports the first rule it breaks. `balance`: lamports, null while unknown. */
export function transferSchema(balance: bigint | null) {
  return z.object({
    recipient: z
      .string()
      .trim()
      .min(1, messages.noRecipient)
      .refine((text) => text.length >= ADDRESS_LENGTH_MIN && isPublicKey(text), messages.badRecipient),
    amount: z
      .string()
      .refine((text) => (lamportsOfSol(text) ?? 0n) > 0n, messages.badAmount)
      .refine((text) => balance === null || (lamportsOfSol(text) ?? 0n) <= balance, messages.aboveBalance),
  });
}

/** Facts about a transfer before it is sent; amounts in lamports. */
export interface TransferFacts {
  from: string;
  to: string;
  lamports: bigint;
  /** Balance of the sender before the transfer. */
  balance: bigint;
  fee: bigint;
  recipientLamports: bigint;
  recipientKind: AccountKind;
  /** Minimum balance of an account that is not emptied. */
  rentMinimum: bigint;
}

/** A valid transfer, as shown in the confirmation. */
export interface TransferPlan {
  from: string;
  to: string;
  lamports: bigint;
  fee: bigint;
  /** Remaining balance. */
  left: bigint;
  /** Texts shown before the confirmation. */
  warnings: string[];
}

/** Returns the largest amount that can be sent: the balance without the fee; 0 when it is below the fee. */
export function mostSendable(balance: bigint, fee: bigint): bigint {
  return balance > fee ? balance - fee : 0n;
}

/** Returns the plan of a transfer, or an error about an amount that the network would reject while taking the fee. */
export function planOf(facts: TransferFacts): { plan: TransferPlan } | { amountError: string } {
  const { from, to, lamports, balance, fee, rentMinimum } = facts;
  if (lamports > balance) return { amountError: messages.aboveBalance };
  const most = mostSendable(balance, fee);
  if (lamports > most) {
    return { amountError: `The fee of ${exactSol(fee)} must stay: you can send at most ${exactSol(most)}.` };
  }
  // A transfer to the own address only costs the fee.
  const left = from === to ? balance - fee : most - lamports;
  if (left !== 0n && left < rentMinimum) return { amountError: remainderError(most, rentMinimum) };
  if (from !== to && facts.recipientLamports + lamports < rentMinimum) {
    const needed = solText(rentMinimum - facts.recipientLamports);
    return {
      amountError: `This address has no account yet, and the network opens one with ${exactSol(rentMinimum)} or more. Send at least ${needed} SOL.`,
    };
  }
  return { plan: { from, to, lamports, fee, left, warnings: warningsOf(facts) } };
}

function remainderError(most: bigint, rentMinimum: bigint): string {
  const all = `send exactly ${exactSol(most)} to empty the wallet`;
  const part = most > rentMinimum ? `, or at most ${exactSol(most - rentMinimum)}` : '';
  return `A wallet must keep ${exactSol(rentMinimum)} or nothing: ${all}${part}.`;
}

function warningsOf({ from, to, recipientKind }: TransferFacts): string[] {
  return [
    ...(from === to ? ['This is your own address: you only pay the fee.'] : []),
    ...(from !== to && recipientKind === 'none'
      ? ['This address has never received anything, or was emptied. Check that it is correct.']
      : []),
    ...(recipientKind === 'program'
      ? ["This address belongs to a program, not to a person's wallet. SOL sent there may be lost."]
      : []),
  ];
}

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
