import { Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { closeTokenAccount, createTokenAccount, tokenAccountOf } from '../../pump/instructions.ts';
import { JUPITER_PROGRAM, pumpAddresses } from '../../pump/interface.ts';
import type { BuildResponse } from '../build-response.ts';

export const wallet = Keypair.generate().publicKey;
export const mint = Keypair.generate().publicKey;
/** An account that is not the wallet's. */
export const other = Keypair.generate().publicKey;

const tokenProgram = pumpAddresses.quoteTokenProgram;
const owned = (token: string) => ({ user: wallet.toBase58(), tokenProgram, mint: token });
const accountOf = (token: string) => tokenAccountOf(wallet, new PublicKey(tokenProgram), new PublicKey(token));
/** The wallet's accounts for the traded token and for wrapped SOL. */
export const tokenAccount = accountOf(mint.toBase58());
export const wrappedAccount = accountOf(pumpAddresses.quoteMint);

/** Terms in the data of one of Jupiter's v2 instructions. */
export interface RouteTerms {
  discriminator?: string;
  /** Before the terms, for shared accounts. */
  id?: number;
  amountIn: bigint;
  quotedOut: bigint;
  slippageBps?: number;
  platformFeeBps?: number;
  betterPriceFeeBps?: number;
}

/** Returns the data of a swap by Jupiter's program. */
export function routeData(terms: RouteTerms): Buffer {
  const { discriminator = 'bb64facc31c4af14', id, amountIn, quotedOut } = terms;
  const { slippageBps = 0, platformFeeBps = 0, betterPriceFeeBps = 0 } = terms;
  const data = Buffer.alloc(22);
  data.writeBigUInt64LE(amountIn, 0);
  data.writeBigUInt64LE(quotedOut, 8);
  for (const [index, bps] of [slippageBps, platformFeeBps, betterPriceFeeBps].entries()) {
    data.writeUInt16LE(bps, 16 + 2 * index);
  }
  const head = Buffer.from(discriminator, 'hex');
  // An empty route.
  return Buffer.concat([head, ...(id === undefined ? [] : [Buffer.of(id)]), data, Buffer.alloc(4)]);
}

/** Returns a swap by Jupiter's program over these accounts. */
export function routeInstruction(terms: RouteTerms, accounts: readonly PublicKey[] = []): TransactionInstruction {
  const writable = [tokenAccount, wrappedAccount, ...accounts];
  return new TransactionInstruction({
    programId: new PublicKey(JUPITER_PROGRAM),
    keys: [
      { pubkey: wallet, isSigner: true, isWritable: false },
      ...writable.map((pubkey) => ({ pubkey, isSigner: false, isWritable: true })),
    ],
    data: routeData(terms),
  });
}

const syncWrapped = new TransactionInstruction({
  programId: new PublicKey(tokenProgram),
  keys: [{ pubkey: wrappedAccount, isSigner: false, isWritable: true }],
  data: Buffer.of(17),
});
export const closeWrapped = closeTokenAccount(owned(pumpAddresses.quoteMint));
const createWrapped = createTokenAccount(owned(pumpAddresses.quoteMint));
export const createTokens = createTokenAccount(owned(mint.toBase58()));

/** Returns the transfer that wraps SOL. */
export function wrapping(lamports: bigint, to = wrappedAccount, from = wallet): TransactionInstruction {
  return SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports });
}

/** Returns the response for a purchase as Jupiter gives it on mainnet: the amount is wrapped before, and the account closed after. */
export function purchaseResponse(
  amountIn: bigint,
  quotedOut: bigint,
  fields: Partial<BuildResponse> = {},
): BuildResponse {
  return {
    inAmount: amountIn,
    outAmount: quotedOut,
    setupInstructions: [createWrapped, wrapping(amountIn), syncWrapped, createTokens],
    swapInstruction: routeInstruction({ amountIn, quotedOut, slippageBps: 100 }),
    cleanupInstruction: closeWrapped,
    otherInstructions: [],
    ...fields,
  };
}
