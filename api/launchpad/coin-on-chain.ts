import { PublicKey } from '@solana/web3.js';
import type { Reserves } from '../market/sources/observation.ts';
import type { TradingNode } from '../trading/executors/trading-node.ts';
import { type Account, readCurve } from '../trading/pump/curve-state.ts';
import { curveOf } from '../trading/pump/instructions.ts';
import { poolOf, readPool } from './pool.ts';

/** Where a coin trades on the chain, and the reserves of its curve or pool. */
export interface CoinOnChain {
  stage: 'curve' | 'complete' | 'pool';
  reserves: Reserves;
}

/** Resolves with a coin as the chain has it; null when it is not there. Rejects while the chain is away. */
export async function coinOnChain(node: Pick<TradingNode, 'accounts'>, address: string): Promise<CoinOnChain | null> {
  const mint = new PublicKey(address);
  const { accounts } = await node.accounts([curveOf(mint), poolOf(mint)]);
  const [curveAccount = null, poolAccount = null] = accounts;
  const pool = readPool(poolAccount);
  if (pool !== null) return { stage: 'pool', reserves: pool.reserves };
  const curve = readCurve(curveAccount);
  if (curve.ok) return { stage: 'curve', reserves: curve.value.reserves };
  return curve.reason.code === 'between-venues' ? soldOut(curveAccount) : null;
}

/** Place of the four reserves in the account of a curve. */
const RESERVES = 8;

/** Returns a sold-out coin with the last reserves of its curve, which are no longer traded. */
function soldOut(account: Account): CoinOnChain | null {
  if (account === null) return null;
  const numberAt = (index: number): number => Number(account.data.readBigUInt64LE(RESERVES + 8 * index));
  const [virtualToken, virtualQuote, realToken, realQuote] = [numberAt(0), numberAt(1), numberAt(2), numberAt(3)];
  return { stage: 'complete', reserves: { virtualToken, virtualQuote, realToken, realQuote } };
}
