import { type AddressLookupTableAccount, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { networkCosts } from '../../../common/trading/fills.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import { empties } from '../executors/curve-quote.ts';
import type { CurveReader, CurveSnapshot } from '../executors/curve-reader.ts';
import type { Outcome, TradeAsk, TradeQuote } from '../executors/executor.ts';
import type { TradingNode } from '../executors/trading-node.ts';
import { closeTokenAccount, tokenAccountOf } from '../pump/instructions.ts';
import { failureOf } from '../pump/program-errors.ts';
import { paidMessage, signedBytes, TRANSACTION_BYTES_MAX, tradesInBytes } from '../pump/transaction.ts';
import { instructionsOf, lookupTables } from './build-response.ts';
import { type ExpectedSwap, instructionRefusal } from './check-instructions.ts';
import { type AllowedEffects, simulateTrade } from './effects.ts';
import { type RouteDeps, routeOf } from './route.ts';

export interface CheckedTradeDeps extends RouteDeps {
  node: Pick<TradingNode, 'accounts' | 'simulate' | 'blockhash'>;
  reader: CurveReader;
}

/** A transaction that may be signed. */
export interface CheckedTrade {
  message: Uint8Array;
  lastValidBlockHeight: number;
  /** The bound in the transaction: least tokens of a purchase, least lamports of a sale. */
  least: bigint;
}

/** Compute units while the transaction is simulated: nearly the most that the network allows. */
const UNITS_MAX = 1_390_000;
/** Room above the units that the simulation consumed. */
const UNITS_ROOM = 1.2;
const NO_SIGNATURE = Buffer.alloc(64);

/**
 * Returns the transaction of a trade in a pool by Jupiter's instructions; the reason why it must not be signed otherwise: they call
 * another program, do more than the trade, or simulated with the wallet's accounts they take more or bring less. Rejects while the
 * node is away.
 */
export async function checkedTrade(
  deps: CheckedTradeDeps,
  ask: TradeAsk,
  quote: TradeQuote,
  name: string,
): Promise<Outcome<CheckedTrade>> {
  const { node, reader, programs } = deps;
  const amount = ask.side === 'buy' ? ask.lamports : ask.tokens;
  const least = quote.leastTokens ?? quote.leastLamports;
  if (amount === null || least === null) return { ok: false, reason: reason('too-small') };
  const [snapshot, { blockhash, lastValidBlockHeight }, route] = await Promise.all([
    reader.read(ask.wallet, ask.address),
    node.blockhash(),
    routeOf(deps, { ask, amount, least }, ask.side === 'buy' ? quote.tokens : quote.lamports),
  ]);
  if (!route.ok) return route;
  if (snapshot.mint === null) return { ok: false, reason: reason('no-depth') };
  const { tokenProgram } = snapshot.mint;
  const expected = { ask, tokenProgram, amount, least };
  const refusal = instructionRefusal(route.value, expected, programs);
  if (refusal) return { ok: false, reason: refusal };
  const tables = await lookupTables(node, route.value);
  if (!tables.ok) return tables;
  const closing = empties(ask, snapshot)
    ? [closeTokenAccount({ user: ask.wallet, tokenProgram, mint: ask.address })]
    : [];
  const draft = {
    ask,
    quote,
    name,
    blockhash,
    tables: tables.value,
    instructions: [...instructionsOf(route.value), ...closing],
  };
  const units = await simulatedUnits(node, draft, allowedEffects(expected, quote, snapshot));
  if (!units.ok) return units;
  const message = messageOf(draft, Math.min(UNITS_MAX, Math.ceil(units.value * UNITS_ROOM)));
  return message.ok ? { ok: true, value: { message: message.value, lastValidBlockHeight, least } } : message;
}

/** A transaction without its compute limit. */
interface Draft {
  ask: TradeAsk;
  quote: TradeQuote;
  name: string;
  blockhash: string;
  tables: AddressLookupTableAccount[];
  instructions: TransactionInstruction[];
}

/** Returns the message of a draft; `no-route` when it is too large for a transaction. */
function messageOf(
  { ask, quote, name, blockhash, tables, instructions }: Draft,
  computeLimit: number,
): Outcome<Uint8Array> {
  const { priorityFeeLamports: priorityLamports, tipLamports } = quote.costs;
  const budget = { units: computeLimit, dataBytes: null };
  const payment = { budget, priorityLamports, tipLamports, isProtected: ask.isProtected, name };
  try {
    const message = paidMessage(ask.wallet, instructions, payment, { blockhash, tables }).serialize();
    const bytes = signedBytes(NO_SIGNATURE, message);
    return bytes.length > TRANSACTION_BYTES_MAX ? tooLarge : { ok: true, value: message };
  } catch (error) {
    // web3.js writes into a buffer of the largest size.
    if (error instanceof RangeError || error instanceof TypeError) return tooLarge;
    throw error;
  }
}
const tooLarge = { ok: false, reason: reason('no-route') } as const;

/** Returns the compute units of a transaction, once it was simulated and does nothing that is not allowed. */
async function simulatedUnits(
  node: CheckedTradeDeps['node'],
  draft: Draft,
  allowed: AllowedEffects,
): Promise<Outcome<number>> {
  const message = messageOf(draft, UNITS_MAX);
  if (!message.ok) return message;
  const bytes = signedBytes(NO_SIGNATURE, message.value);
  const result = await simulateTrade(node, bytes, draft.instructions, allowed);
  if (!result.isDone) return { ok: false, reason: simulatedFailure(result.error, bytes, draft, allowed) };
  return result.refusal ? { ok: false, reason: result.refusal } : { ok: true, value: result.units ?? UNITS_MAX };
}

function simulatedFailure(
  error: unknown,
  bytes: Buffer,
  { ask, quote }: Draft,
  { leastChange }: AllowedEffects,
): Reason {
  return failureOf(error, {
    side: ask.side,
    instructions: tradesInBytes(bytes.toString('base64')),
    slippageBps: ask.slippageBps,
    hasLamports: quote.walletLamports === null ? null : Number(quote.walletLamports),
    needsLamports: Math.max(0, Number(-leastChange)),
  });
}

/** Returns what the transaction may take from the wallet: the amount, all costs, and rent. */
function allowedEffects(
  { ask, tokenProgram, amount, least }: ExpectedSwap,
  { costs }: TradeQuote,
  snapshot: CurveSnapshot,
): AllowedEffects {
  const { side, wallet, address } = ask;
  const isPurchase = side === 'buy';
  const tokenAccount = tokenAccountOf(new PublicKey(wallet), new PublicKey(tokenProgram), new PublicKey(address));
  const returned = isPurchase || amount !== snapshot.wallet.tokens ? 0 : (snapshot.wallet.tokenAccountLamports ?? 0);
  const lamports = isPurchase ? -amount : least;
  return {
    side,
    wallet,
    tokenAccount: tokenAccount.toBase58(),
    sold: isPurchase ? 0n : amount,
    least,
    leastChange: lamports + BigInt(returned - networkCosts(costs) - costs.accountRentLamports),
  };
}
