/** Answers that a trader must refuse to sign. */
import { Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { tokenAccountOf } from '../../api/trading/pump/instructions.ts';
import { pumpAddresses } from '../../api/trading/pump/interface.ts';
import type { SwapAnswer } from './swap.ts';

const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
/** Numbers of the token program's instructions. */
const APPROVE = 4;
const SET_AUTHORITY = 6;
const ACCOUNT_OWNER = 2;
const ASSIGN = 1;
/** Where the amount in and the least amount out stand in a swap of the local chain. */
const AMOUNT_IN = 8;
const LEAST_OUT = 16;

/** Receives what the false answers take. It holds nothing. */
export const thief = Keypair.generate().publicKey;

const tokenProgram = new PublicKey(pumpAddresses.quoteTokenProgram);
const account = (pubkey: PublicKey, isWritable: boolean, isSigner = false) => ({ pubkey, isSigner, isWritable });
/** The trader and the token that an instruction concerns. */
type Trade = Pick<SwapAnswer, 'request' | 'mint'>;

const takerOf = ({ request }: Trade) => new PublicKey(request.taker);
const tokensOf = (answer: Trade) => tokenAccountOf(takerOf(answer), tokenProgram, answer.mint);
const wrappedOf = (answer: SwapAnswer) =>
  tokenAccountOf(takerOf(answer), tokenProgram, new PublicKey(pumpAddresses.quoteMint));

/** Returns an instruction that lets the thief dispose of all tokens of the trader's account. */
export function approval(answer: Trade): TransactionInstruction {
  const data = Buffer.alloc(9, 0xff);
  data.writeUInt8(APPROVE, 0);
  const keys = [account(tokensOf(answer), true), account(thief, false), account(takerOf(answer), false, true)];
  return new TransactionInstruction({ programId: tokenProgram, keys, data });
}

/** Returns an instruction that gives the trader's token account to the thief. */
export function ownerChange(answer: Trade): TransactionInstruction {
  const keys = [account(tokensOf(answer), true), account(takerOf(answer), false, true)];
  const data = Buffer.concat([Buffer.of(SET_AUTHORITY, ACCOUNT_OWNER, 1), thief.toBuffer()]);
  return new TransactionInstruction({ programId: tokenProgram, keys, data });
}

/** Returns an instruction that gives the wallet itself to a program. */
export function assignment(answer: Trade): TransactionInstruction {
  const data = Buffer.alloc(36);
  data.writeUInt32LE(ASSIGN, 0);
  tokenProgram.toBuffer().copy(data, 4);
  return new TransactionInstruction({
    programId: SystemProgram.programId,
    keys: [account(takerOf(answer), true, true)],
    data,
  });
}

const transfer = (answer: SwapAnswer, to: PublicKey, lamports: number) =>
  SystemProgram.transfer({ fromPubkey: takerOf(answer), toPubkey: to, lamports });

function withNumber(answer: SwapAnswer, at: number, change: (present: bigint) => bigint): SwapAnswer {
  const { programId, keys } = answer.swap;
  const data = Buffer.from(answer.swap.data);
  data.writeBigUInt64LE(change(data.readBigUInt64LE(at)), at);
  return { ...answer, swap: new TransactionInstruction({ programId, keys, data }) };
}

const withOther = (answer: SwapAnswer, other: TransactionInstruction) => ({
  ...answer,
  other: [...answer.other, other],
});
const withSetup = (answer: SwapAnswer, setup: TransactionInstruction) => ({
  ...answer,
  setup: [...answer.setup, setup],
});

/** Ways to falsify an answer. */
export const falsifications = {
  /** Calls a program that no trade needs. */
  'foreign-program': (answer) =>
    withOther(answer, new TransactionInstruction({ programId: new PublicKey(MEMO_PROGRAM), keys: [] })),
  /** Sends SOL to the thief as well. */
  'extra-debit': (answer) => withOther(answer, transfer(answer, thief, 1_000_000)),
  /** Wraps the amount although the pool takes SOL: each instruction alone looks right. */
  'double-spend': (answer) => withSetup(answer, transfer(answer, wrappedOf(answer), Number(answer.request.amount))),
  /** Sells or spends more than was asked for. */
  'larger-spend': (answer) => withNumber(answer, AMOUNT_IN, (amount: bigint) => (amount * 11n) / 10n),
  /** Accepts any result. */
  'no-bound': (answer) => withNumber(answer, LEAST_OUT, () => 1n),
  /** Makes the trade for another wallet. */
  'wrong-taker': (answer) => {
    const { programId, data, keys } = answer.swap;
    const swapped = keys.map((key) => (key.isSigner ? { ...key, pubkey: thief } : key));
    return { ...answer, swap: new TransactionInstruction({ programId, data, keys: swapped }) };
  },
  approve: (answer) => withOther(answer, approval(answer)),
  'set-authority': (answer) => withOther(answer, ownerChange(answer)),
  assign: (answer) => withOther(answer, assignment(answer)),
  /** Brings a tenth of what the pool would. */
  'less-out': (answer) => {
    const outAmount = answer.outAmount / 10n;
    return { ...withNumber(answer, LEAST_OUT, () => outAmount), outAmount, leastOut: outAmount };
  },
  /** Replaces accounts by a lookup table that the chain does not have. */
  'false-table': (answer) => ({ ...answer, tables: { [thief.toBase58()]: [answer.mint.toBase58()] } }),
} as const satisfies Record<string, (answer: SwapAnswer) => SwapAnswer>;
export type Falsification = keyof typeof falsifications;
