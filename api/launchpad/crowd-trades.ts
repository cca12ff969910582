import { ComputeBudgetProgram, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { LRUCache } from 'lru-cache';
import type { CrowdOrder } from '../market/sources/simulator/listed/coin-chain.ts';
import { buyExactQuoteIn, sellTokens } from '../trading/pump/instructions.ts';
import { pumpAddresses } from '../trading/pump/interface.ts';
import { crowdTrade } from './instructions.ts';
import { poolSwapInstruction } from './pool.ts';

/** Recipients of fees and of buybacks that the chain's launchpad accepts. */
export interface FeeRecipients {
  fee: string;
  buyback: string;
}

/** Compute units of a crowd trade, and the range that is added so that two equal trades are different transactions. */
const COMPUTE_UNITS = 200_000;
const UNIT_SPREAD = 50_000;
/** Coins whose instructions are kept, since deriving their accounts takes longer than a trade. */
const MOST_KEPT = 500;

/** Returns a function that builds the trades of simulated wallets. */
export function createCrowdTrades(account: PublicKey, recipients: FeeRecipients) {
  const kept = new LRUCache<string, TransactionInstruction>({ max: MOST_KEPT });
  let count = 0;

  function tradeOf({ address, creator, side, venue }: CrowdOrder): TransactionInstruction {
    const name = `${side} ${venue} ${address}`;
    const known = kept.get(name);
    if (known !== undefined) return known;
    const instruction = venue === 'pool' ? inPool(address, creator, side) : onCurve(address, creator, side);
    kept.set(name, instruction);
    return instruction;
  }

  function inPool(address: string, creator: string, side: CrowdOrder['side']): TransactionInstruction {
    const [mint, feeRecipient] = [new PublicKey(address), new PublicKey(recipients.fee)];
    const amounts = { side, amountIn: 0n, leastOut: 0n };
    return poolSwapInstruction({ mint, creator: new PublicKey(creator), user: account, feeRecipient, ...amounts });
  }

  function onCurve(address: string, creator: string, side: CrowdOrder['side']): TransactionInstruction {
    const trade = {
      mint: address,
      tokenProgram: pumpAddresses.quoteTokenProgram,
      creator,
      user: account.toBase58(),
      feeRecipient: recipients.fee,
      buybackRecipient: recipients.buyback,
    };
    return side === 'buy' ? buyExactQuoteIn(trade, 0n, 0n) : sellTokens(trade, 0n, 0n);
  }

  return (order: CrowdOrder): TransactionInstruction[] => {
    count = (count + 1) % UNIT_SPREAD;
    const trade = tradeOf(order);
    // Read by `crowdTrade` at once. The least amount stays 0: simulated wallets take any price.
    trade.data.writeBigUInt64LE(BigInt(order.amount), 8);
    return [
      ComputeBudgetProgram.setComputeUnitLimit({ units: COMPUTE_UNITS + count }),
      crowdTrade(trade, new PublicKey(order.wallet)),
    ];
  };
}
