import { PublicKey, SystemInstruction, type TransactionInstruction } from '@solana/web3.js';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import type { TradeAsk } from '../executors/executor.ts';
import type { TokenProgram } from '../pump/curve-state.ts';
import { tokenAccountOf } from '../pump/instructions.ts';
import { pumpAddresses } from '../pump/interface.ts';
import { type BuildResponse, instructionsOf } from './build-response.ts';
import type { SwapProgram } from './swap-terms.ts';

/** The trade that the instructions have to make. */
export interface ExpectedSwap {
  ask: Pick<TradeAsk, 'wallet' | 'address' | 'side'>;
  tokenProgram: TokenProgram;
  /** Lamports spent by a purchase, base units of a sale. */
  amount: bigint;
  /** Least that it brings: base units of a purchase, lamports of a sale. */
  least: bigint;
}

const CREATES: ReadonlySet<string> = new Set(['', '00', '01']);
const SYNC_NATIVE = '11';
const CLOSE_ACCOUNT = '09';

/**
 * Returns why instructions from outside are not signed; null when they make the trade and nothing else. Allowed are the swap
 * itself,
 * by a program of `programs` and with the terms of the trade, the creation of the wallet's accounts for the token and for wrapped
 * SOL, the wrapping of the amount, and the closing of the account for wrapped SOL. The wallet alone signs.
 */
export function instructionRefusal(
  response: BuildResponse,
  expected: ExpectedSwap,
  programs: readonly SwapProgram[],
): Reason | null {
  const { ask, amount, least } = expected;
  const instructions = instructionsOf(response);
  const known = new Set([...programs.map(({ id }) => id), ...plainPrograms]);
  if (!instructions.every(({ programId }) => known.has(programId.toBase58()))) return reason('route-program');
  const signers = instructions.flatMap(({ keys }) => keys.filter(({ isSigner }) => isSigner));
  if (!signers.every(({ pubkey }) => pubkey.toBase58() === ask.wallet)) return reason('route-signer');
  const { swapInstruction: swap, tipInstruction } = response;
  const program = programs.find(({ id }) => id === swap.programId.toBase58());
  const around = instructions.filter((instruction) => instruction !== swap);
  if (!program || tipInstruction || !around.every(createPreparation(expected))) return reason('route-instruction');
  const terms = program.termsOf(swap.data);
  if (terms === null) return reason('route-instruction');
  return terms.amountIn === amount && terms.leastOut >= least ? null : reason('route-terms');
}

const { associatedTokenProgram, systemProgram, quoteMint, quoteTokenProgram } = pumpAddresses;
const plainPrograms = [associatedTokenProgram, systemProgram, quoteTokenProgram];

/** Returns a check of whether an instruction only prepares the swap, or ends it. */
function createPreparation({ ask, tokenProgram, amount }: ExpectedSwap): (one: TransactionInstruction) => boolean {
  const wallet = new PublicKey(ask.wallet);
  const accountOf = (mint: string, program: string) =>
    tokenAccountOf(wallet, new PublicKey(program), new PublicKey(mint)).toBase58();
  const wrapped = accountOf(quoteMint, quoteTokenProgram);
  const creations = [
    [wrapped, ask.wallet, quoteMint, systemProgram, quoteTokenProgram],
    [accountOf(ask.address, tokenProgram), ask.wallet, ask.address, systemProgram, tokenProgram],
  ].map((accounts) => [ask.wallet, ...accounts].join(' '));

  return (instruction) => {
    const accounts = instruction.keys.map(({ pubkey }) => pubkey.toBase58());
    const data = instruction.data.toString('hex');
    switch (instruction.programId.toBase58()) {
      case associatedTokenProgram:
        // An older interface also names the account of rents at the end.
        return CREATES.has(data) && creations.includes(accounts.slice(0, 6).join(' '));
      case systemProgram:
        return ask.side === 'buy' && isTransfer(instruction, wallet, wrapped, amount);
      case quoteTokenProgram:
        if (data === SYNC_NATIVE) return accounts.length === 1 && accounts[0] === wrapped;
        return data === CLOSE_ACCOUNT && accounts.join(' ') === [wrapped, ask.wallet, ask.wallet].join(' ');
      default:
        return false;
    }
  };
}

/** Returns whether an instruction of the system program sends at most `amount` lamports from the wallet to an account. */
function isTransfer(instruction: TransactionInstruction, wallet: PublicKey, to: string, amount: bigint): boolean {
  try {
    const { fromPubkey, toPubkey, lamports } = SystemInstruction.decodeTransfer(instruction);
    return fromPubkey.equals(wallet) && toPubkey.toBase58() === to && BigInt(lamports) <= amount;
  } catch {
    return false;
  }
}
