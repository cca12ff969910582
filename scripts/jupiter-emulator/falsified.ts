/** Responses that a trader must refuse to sign. */
import { Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { tokenAccountOf } from '../../api/trading/pump/instructions.ts';
import { pumpAddresses } from '../../api/trading/pump/interface.ts';
import type { SwapResponse } from './swap.ts';

const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
/** Numbers of the token program's instructions. */
const APPROVE = 4;
const SET_AUTHORITY = 6;
const ACCOUNT_OWNER = 2;
const ASSIGN = 1;
/** Where the amount in and the least amount out stand in a swap of the local chain. */
const AMOUNT_IN = 8;
const LEAST_OUT = 16;

/** Receives what the false responses take. It holds nothing. */
export const thief = Keypair.generate().publicKey;

const tokenProgram = new PublicKey(pumpAddresses.quoteTokenProgram);
const account = (pubkey: PublicKey, isWritable: boolean, isSigner = false) => ({ pubkey, isSigner, isWritable });
/** The trader and the token that an instruction concerns. */
type Trade = Pick<SwapResponse, 'request' | 'mint'>;

const takerOf = ({ request }: Trade) => new PublicKey(request.taker);
const tokensOf = (response: Trade) => tokenAccountOf(takerOf(response), tokenProgram, response.mint);
const wrappedOf = (response: SwapResponse) =>
  tokenAccountOf(takerOf(response), tokenProgram, new PublicKey(pumpAddresses.quoteMint));

/** Returns an instruction that lets the thief dispose of all tokens of the trader's account. */
export function approval(response: Trade): TransactionInstruction {
  const data = Buffer.alloc(9, 0xff);
  data.writeUInt8(APPROVE, 0);
  const keys = [account(tokensOf(response), true), account(thief, false), account(takerOf(response), false, true)];
  return new TransactionInstruction({ programId: tokenProgram, keys, data });
}

/** Returns an instruction that gives the trader's token account to the thief. */
export function ownerChange(response: Trade): TransactionInstruction {
  const keys = [account(tokensOf(response), true), account(takerOf(response), false, true)];
  const data = Buffer.concat([Buffer.of(SET_AUTHORITY, ACCOUNT_OWNER, 1), thief.toBuffer()]);
  return new TransactionInstruction({ programId: tokenProgram, keys, data });
}

/** Returns an instruction that gives the wallet itself to a program. */
export function assignment(response: Trade): TransactionInstruction {
  const data = Buffer.alloc(36);
  data.writeUInt32LE(ASSIGN, 0);
  tokenProgram.toBuffer().copy(data, 4);
  return new TransactionInstruction({
    programId: SystemProgram.programId,
    keys: [account(takerOf(response), true, true)],
    data,
  });
}

const transfer = (response: SwapResponse, to: PublicKey, lamports: number) =>
  SystemProgram.transfer({ fromPubkey: takerOf(response), toPubkey: to, lamports });

function withNumber(response: SwapResponse, at: number, change: (present: bigint) => bigint): SwapResponse {
  const { programId, keys } = response.swap;
  const data = Buffer.from(response.swap.data);
  data.writeBigUInt64LE(change(data.readBigUInt64LE(at)), at);
  return { ...response, swap: new TransactionInstruction({ programId, keys, data }) };
}

const withOther = (response: SwapResponse, other: TransactionInstruction) => ({
  ...response,
  other: [...response.other, other],
});
const withSetup = (response: SwapResponse, setup: TransactionInstruction) => ({
  ...response,
  setup: [...response.setup, setup],
});

/** Ways to falsify a response. */
export const falsifications = {
  /** Calls a program that no trade needs. */
  'foreign-program': (response) =>
    withOther(response, new TransactionInstruction({ programId: new PublicKey(MEMO_PROGRAM), keys: [] })),
  /** Sends SOL to the thief as well. */
  'extra-debit': (response) => withOther(response, transfer(response, thief, 1_000_000)),
  /** Wraps the amount although the pool takes SOL: each instruction alone looks right. */
  'double-spend': (response) =>
    withSetup(response, transfer(response, wrappedOf(response), Number(response.request.amount))),
  /** Sells or spends more than was asked for. */
  'larger-spend': (response) => withNumber(response, AMOUNT_IN, (amount: bigint) => (amount * 11n) / 10n),
  /** Accepts any result. */
  'no-bound': (response) => withNumber(response, LEAST_OUT, () => 1n),
  /** Makes the trade for another wallet. */
  'wrong-taker': (response) => {
    const { programId, data, keys } = response.swap;
    const swapped = keys.map((key) => (key.isSigner ? { ...key, pubkey: thief } : key));
    return { ...response, swap: new TransactionInstruction({ programId, data, keys: swapped }) };
  },
  approve: (response) => withOther(response, approval(response)),
  'set-authority': (response) => withOther(response, ownerChange(response)),
  assign: (response) => withOther(response, assignment(response)),
  /** Brings a tenth of what the pool would. */
  'less-out': (response) => {
    const outAmount = response.outAmount / 10n;
    return { ...withNumber(response, LEAST_OUT, () => outAmount), outAmount, leastOut: outAmount };
  },
  /** Replaces accounts by a lookup table that the chain does not have. */
  'false-table': (response) => ({ ...response, tables: { [thief.toBase58()]: [response.mint.toBase58()] } }),
} as const satisfies Record<string, (response: SwapResponse) => SwapResponse>;
export type Falsification = keyof typeof falsifications;
