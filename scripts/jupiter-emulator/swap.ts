/** Jupiter's response for a trade in a pool of the local chain. */
import { type Connection, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { poolOf, poolSwapInstruction, readPool } from '../../api/launchpad/pool.ts';
import { readRecipients } from '../../api/trading/pump/curve-state.ts';
import { createTokenAccount, GLOBAL_ACCOUNT } from '../../api/trading/pump/instructions.ts';
import { pumpAddresses } from '../../api/trading/pump/interface.ts';
import { poolFeesAt, poolPurchase, poolSale, totalPoolFee } from '../../common/tokens/pool-trades.ts';
import { BPS } from '../../common/trading/amounts.ts';

/** A swap as a client asks for it. One of the mints is wrapped SOL. */
export interface SwapRequest {
  inputMint: string;
  outputMint: string;
  amount: bigint;
  taker: string;
  slippageBps: number;
}

/** A response before it is written as JSON. */
export interface SwapResponse {
  request: SwapRequest;
  side: 'buy' | 'sell';
  mint: PublicKey;
  outAmount: bigint;
  leastOut: bigint;
  setup: TransactionInstruction[];
  swap: TransactionInstruction;
  other: TransactionInstruction[];
  tables: Record<string, string[]>;
}

/** Returns the swap in the pool of a coin at this moment; null without a pool, or for an amount that moves nothing. */
export async function swapIn(connection: Connection, request: SwapRequest): Promise<SwapResponse | null> {
  const { inputMint, outputMint, amount, taker, slippageBps } = request;
  const side = inputMint === pumpAddresses.quoteMint ? 'buy' : 'sell';
  const mint = new PublicKey(side === 'buy' ? outputMint : inputMint);
  const [pool = null, settings = null] = await connection.getMultipleAccountsInfo(
    [poolOf(mint), GLOBAL_ACCOUNT],
    'processed',
  );
  const state = readPool(pool);
  const feeRecipient = readRecipients(settings)?.fee[0];
  if (state === null || feeRecipient === undefined) return null;
  const { reserves, creator } = state;
  const fees = poolFeesAt(reserves);
  const trade = (side === 'buy' ? poolPurchase : poolSale)(reserves, Number(amount), fees);
  if (!trade) return null;
  const outAmount = BigInt(side === 'buy' ? trade.tokens : trade.quote - totalPoolFee(trade.fees));
  const leastOut = (outAmount * BigInt(BPS - slippageBps)) / BigInt(BPS);
  const user = new PublicKey(taker);
  const owned = { user: taker, tokenProgram: pumpAddresses.quoteTokenProgram, mint: mint.toBase58() };
  return {
    request,
    side,
    mint,
    outAmount,
    leastOut,
    setup: side === 'buy' ? [createTokenAccount(owned)] : [],
    swap: poolSwapInstruction({
      ...{ mint, creator, user, side, leastOut },
      feeRecipient: new PublicKey(feeRecipient),
      amountIn: amount,
    }),
    other: [],
    tables: {},
  };
}

/** Returns a response in the form of `/swap/v2/build`. */
export function presentResponse({ request, outAmount, leastOut, setup, swap, other, tables }: SwapResponse) {
  const { inputMint, outputMint, amount, slippageBps } = request;
  return {
    inputMint,
    outputMint,
    inAmount: amount.toString(),
    outAmount: outAmount.toString(),
    otherAmountThreshold: leastOut.toString(),
    swapMode: 'ExactIn',
    slippageBps,
    computeBudgetInstructions: [],
    setupInstructions: setup.map(presentInstruction),
    swapInstruction: presentInstruction(swap),
    cleanupInstruction: null,
    otherInstructions: other.map(presentInstruction),
    addressesByLookupTableAddress: tables,
  };
}

function presentInstruction({ programId, keys, data }: TransactionInstruction) {
  return {
    programId: programId.toBase58(),
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({ pubkey: pubkey.toBase58(), isSigner, isWritable })),
    data: data.toString('base64'),
  };
}
