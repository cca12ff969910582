import { lamportsOfSol, solText } from '../../../common/tokens/units.ts';
import { isPublicKey } from '../../../common/wallet/public-key.ts';
import type { AccountKind } from '../../chain/chain.ts';
import { exactSol } from '../amounts.ts';

/** An address has 32 to 44 characters of base58 (specification, section 5). */
const ADDRESS_LENGTH_MIN = 32;

export const messages = {
  noRecipient: 'Please enter a recipient address.',
  badRecipient: 'Please enter a valid Solana wallet address.',
  badAmount: 'Please enter a valid amount greater than 0.',
  aboveBalance: 'Transfer amount exceeds your wallet balance.',
} as const;

/** The form's input, unparsed. */
export interface TransferDraft {
  recipient: string;
  /** SOL. */
  amount: string;
}

export type TransferErrors = { [Field in keyof TransferDraft]?: string };

/** Returns the errors of the fields, each by the first rule it breaks. `balance`: lamports, null while unknown. */
export function draftErrors({ recipient, amount }: TransferDraft, balance: bigint | null): TransferErrors {
  const ofRecipient = recipientError(recipient.trim());
  const ofAmount = amountError(amount, balance);
  return {
    ...(ofRecipient === null ? {} : { recipient: ofRecipient }),
    ...(ofAmount === null ? {} : { amount: ofAmount }),
  };
}

function recipientError(recipient: string): string | null {
  if (recipient === '') return messages.noRecipient;
  return recipient.length >= ADDRESS_LENGTH_MIN && isPublicKey(recipient) ? null : messages.badRecipient;
}

function amountError(amount: string, balance: bigint | null): string | null {
  const lamports = lamportsOfSol(amount);
  if (lamports === null || lamports <= 0n) return messages.badAmount;
  return balance !== null && lamports > balance ? messages.aboveBalance : null;
}

/** Chain state needed to plan a transfer; amounts in lamports. */
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

/** A valid transfer, as the confirmation dialog shows it. */
export interface TransferPlan {
  from: string;
  to: string;
  lamports: bigint;
  fee: bigint;
  /** Balance left in the wallet. */
  left: bigint;
  /** Warnings to consider first. */
  warnings: string[];
}

/**
 * Returns the most that can be sent: everything but the fee, which leaves an empty account. 0 when the fee does not
 * fit.
 */
export function mostSendable(balance: bigint, fee: bigint): bigint {
  return balance > fee ? balance - fee : 0n;
}

/** Returns the plan of a transfer, or the error of its amount: the network would reject it and charge the fee. */
export function planOf(facts: TransferFacts): { plan: TransferPlan } | { amountError: string } {
  const { from, to, lamports, balance, fee, rentMinimum } = facts;
  if (lamports > balance) return { amountError: messages.aboveBalance };
  const most = mostSendable(balance, fee);
  if (lamports > most) {
    return { amountError: `The fee of ${exactSol(fee)} must stay: you can send at most ${exactSol(most)}.` };
  }
  // A transfer to oneself leaves the balance.
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
  return `A wallet must keep ${exactSol(rentMinimum)} or nothing at all: ${all}${part}.`;
}

function warningsOf({ from, to, recipientKind }: TransferFacts): string[] {
  return [
    ...(from === to ? ['This is your own address: only the fee will be gone.'] : []),
    ...(from !== to && recipientKind === 'none'
      ? ['Nothing was ever sent to this address, or it was emptied. Check that it is the right one.']
      : []),
    ...(recipientKind === 'program'
      ? ["This address belongs to a program, not to a person's wallet. SOL sent there may be lost."]
      : []),
  ];
}
