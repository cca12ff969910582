import { PublicKey } from '@solana/web3.js';
import { expect } from 'vitest';
import type { OrderRecord } from '../../../api/trading/orders/model.ts';
import { walletChangeOf } from '../../../api/trading/orders/terms.ts';
import { type ChainDesk, type ChainTrader, FUNDS } from './chain-desk.ts';

type Process = Awaited<ReturnType<ChainDesk['process']>>;

/**
 * Expects that the orders of a trader, all of them over, agree with the chain: every transaction of the wallet has its
 * order, every order its true end, and balances, budget, reservations and positions equal the sum of the fills.
 */
export async function expectTruth(
  desk: ChainDesk,
  process: Process,
  trader: ChainTrader,
  address: string,
): Promise<OrderRecord[]> {
  const { userId, wallet, funding } = trader;
  const orders = await process.store.list(userId, { limit: 100 });
  const attempts = orders.flatMap((order) => order.attempts);
  const onChain = (await desk.history(wallet)).filter(({ signature }) => !funding.includes(signature));
  const outcomeOf = new Map(onChain.map(({ signature, err }) => [signature, err === null ? 'landed' : 'reverted']));
  for (const { signature, outcome } of attempts) {
    const absent = outcome === 'expired' || outcome === 'refused' ? outcome : 'nothing';
    expect(outcome).toBe(outcomeOf.get(signature) ?? absent);
    outcomeOf.delete(signature);
  }
  expect([...outcomeOf]).toEqual([]);
  for (const { status, attempts: own, fill } of orders) {
    const landed = own.filter(({ outcome }) => outcome === 'landed').length;
    expect([status === 'confirmed', fill !== null]).toEqual([landed === 1, landed === 1]);
  }
  const lamports = orders.reduce((sum, order) => sum + walletChangeOf(order), FUNDS);
  expect(await desk.client.connection.getBalance(new PublicKey(wallet))).toBe(lamports);
  const tokens = orders.reduce((sum, { side, fill }) => {
    const moved = BigInt(fill?.tokens ?? 0);
    return side === 'buy' ? sum + moved : sum - moved;
  }, 0n);
  expect(await desk.tokens(trader, address)).toBe(tokens);
  const book = (await process.accounts.read(userId)).books.local;
  const spent = orders.reduce((sum, { side, fill }) => sum + (side === 'buy' ? (fill?.lamports ?? 0) : 0), 0);
  const open = await desk.positions.openOf(userId, 'local');
  expect(book).toMatchObject({ holds: {}, usedLamports: spent, heldLamports: 0, reservedLamports: 0 });
  expect(book.positions).toEqual(open.map(({ _id }) => _id.toHexString()));
  expect(open.reduce((sum, position) => sum + BigInt(position.tokens), 0n)).toBe(tokens);
  return orders;
}
