import { ComputeBudgetProgram, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { LRUCache } from 'lru-cache';
import type { CrowdOrder } from '../market/sources/simulator/listed/coin-chain.ts';
import { buyExactQuoteIn, sellTokens } from '../trading/pump/instructions.ts';
import { pumpAddresses } from '../trading/pump/interface.ts';
import { crowdTrade } from './instructions.ts';

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

  function tradeOf({ address, creator, side }: CrowdOrder): TransactionInstruction {
    const name = `${side} ${address}`;
    const known = kept.get(name);
    if (known !== undefined) return known;
    const trade = {
      mint: address,
      tokenProgram: pumpAddresses.quoteTokenProgram,
      creator,
      user: account.toBase58(),
      feeRecipient: recipients.fee,
      buybackRecipient: recipients.buyback,
    };
    const instruction = side === 'buy' ? buyExactQuoteIn(trade, 0n, 0n) : sellTokens(trade, 0n, 0n);
    kept.set(name, instruction);
    return instruction;
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
