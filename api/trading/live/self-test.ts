import { PublicKey } from '@solana/web3.js';
import type { CurveCoin, CurveReader } from '../executors/curve-reader.ts';
import { isNodeAway, type TradingNode } from '../executors/trading-node.ts';
import { GLOBAL_ACCOUNT } from '../pump/instructions.ts';
import { failureOf } from '../pump/program-errors.ts';
import { signedBytes, tradeMessage, tradesInBytes } from '../pump/transaction.ts';

/** Spent by the simulated purchase. */
const LAMPORTS = 1_000_000;
/** The simulated buyer needs this much, for the purchase, rents and fees. */
const BUYER_LAMPORTS = 20_000_000;
const COMPUTE_LIMIT = 400_000;
const UNSIGNED = Buffer.alloc(64);

/** `inconclusive`: neither the purchase nor a refusal by the program's interface, e.g. the node is away or the coin left its curve. */
export type SelfTestResult = 'passed' | 'changed' | 'inconclusive';

/** Simulates purchases without a signature, to find out whether the launchpad's program still takes our instructions. */
export interface SelfTest {
  /** Simulates the purchase of a coin. */
  run(address: string): Promise<SelfTestResult>;
}

export function createSelfTest(deps: {
  node: Pick<TradingNode, 'accounts' | 'blockhash' | 'simulate'>;
  reader: Pick<CurveReader, 'read'>;
}): SelfTest {
  const { node, reader } = deps;

  /** Returns a recipient of fees with enough SOL: a known account that a simulation may let buy. */
  async function buyerOf({ recipients }: CurveCoin): Promise<string | null> {
    const { slot: _, accounts } = await node.accounts(recipients.fee.map((key) => new PublicKey(key)));
    return recipients.fee.findLast((_key, index) => (accounts[index]?.lamports ?? 0) >= BUYER_LAMPORTS) ?? null;
  }

  async function simulated(address: string): Promise<SelfTestResult> {
    // Any account may be read as the wallet; only the coin matters here.
    const { coin } = await reader.read(GLOBAL_ACCOUNT.toBase58(), address);
    if (!coin.ok) return coin.reason.code === 'interface-changed' ? 'changed' : 'inconclusive';
    const user = await buyerOf(coin.value);
    const { recipients, mayhem, tokenProgram, creator } = coin.value;
    const [feeRecipient] = mayhem ? recipients.mayhemFee : recipients.fee;
    const [buybackRecipient] = recipients.buyback;
    if (feeRecipient === undefined || buybackRecipient === undefined) return 'changed';
    if (user === null) return 'inconclusive';
    const { blockhash } = await node.blockhash();
    const message = tradeMessage(
      {
        side: 'buy',
        trade: { mint: address, tokenProgram, creator, user, feeRecipient, buybackRecipient },
        amount: BigInt(LAMPORTS),
        least: 1n,
        closes: false,
        budget: { units: COMPUTE_LIMIT, dataBytes: null },
        priorityLamports: 0,
        tipLamports: 0,
        name: address,
      },
      blockhash,
    );
    const bytes = signedBytes(UNSIGNED, message);
    const { error } = await node.simulate(bytes);
    if (error === null) return 'passed';
    const instructions = tradesInBytes(bytes.toString('base64'));
    const failed = { side: 'buy' as const, instructions, slippageBps: 0, hasLamports: null, needsLamports: LAMPORTS };
    return failureOf(error, failed).code === 'interface-changed' ? 'changed' : 'inconclusive';
  }

  return {
    async run(address) {
      try {
        return await simulated(address);
      } catch (error) {
        if (!isNodeAway(error)) throw error;
        return 'inconclusive';
      }
    },
  };
}
