import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import type { TradingNode } from '../executors/trading-node.ts';
import { type AllowedEffects, effectRefusal } from './effects.ts';
import { readTokenAccount } from './token-account.ts';

/** The result of a simulated transaction: its error, or the compute units that it took and why it may not be signed (null: it may). */
export type SimulatedTrade =
  | { isDone: false; error: unknown }
  | { isDone: true; units: number | null; refusal: Reason | null };

/**
 * Executes an unsigned transaction on the node without effect, and checks what it would do to the wallet and to all of the wallet's token
 * accounts that it may write. Rejects while the node is away.
 */
export async function simulateTrade(
  node: Pick<TradingNode, 'accounts' | 'simulate'>,
  bytes: Buffer,
  instructions: readonly TransactionInstruction[],
  allowed: AllowedEffects,
): Promise<SimulatedTrade> {
  const written = instructions.flatMap(({ keys }) => keys.filter(({ isWritable }) => isWritable));
  const addresses = [
    ...new Set([allowed.wallet, allowed.tokenAccount, ...written.map(({ pubkey }) => pubkey.toBase58())]),
  ];
  const { accounts: before } = await node.accounts(addresses.map((address) => new PublicKey(address)));
  // Accounts of others change as the market does. A new one may become the wallet's.
  const concerned = addresses
    .map((address, index) => ({ address, before: before[index] ?? null }))
    .filter(({ address, before: one }) => {
      return address === allowed.wallet || one === null || readTokenAccount(one)?.owner === allowed.wallet;
    });
  const keys = concerned.map(({ address }) => new PublicKey(address));
  const { error, units, accounts: after } = await node.simulate(bytes, keys);
  if (error !== null) return { isDone: false, error };
  if (after.length !== concerned.length) return { isDone: true, units, refusal: reason('chain-error') };
  const simulated = concerned.map((account, index) => ({ ...account, after: after[index] ?? null }));
  return { isDone: true, units, refusal: effectRefusal(simulated, allowed) };
}
