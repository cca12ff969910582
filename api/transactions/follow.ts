import type { Logger } from 'pino';
import type { ChainCluster } from '../../common/config/model.ts';
import { RpcError } from '../chain/rpcError.ts';
import { type ChainReader, type ChainTransaction, SIGNATURES_PER_CALL } from './chainReader.ts';
import type { TransactionRecord } from './model.ts';
import type { Transactions } from './service.ts';
import { NOT_TAKEN, receivers, type Verdict, verdictOf } from './verdict.ts';

/**
 * Blocks for which a transaction can be waited for at most. Public clusters take one for 150 blocks after its blockhash
 * was the newest, a local chain for a minute of its slots. What a client tells beyond that is no reason to follow longer.
 */
const BLOCKS_AHEAD = { public: 300, local: 3_000 };

export interface FollowDeps {
  transactions: Pick<Transactions, 'pending' | 'expireBy' | 'decide' | 'arrived'>;
  chain: ChainReader;
  cluster: ChainCluster;
  log: Logger;
}

/**
 * Looks once at everything that is pending on the cluster, and stores what the chain has decided. Answers how many are
 * still pending. Throws while the node or the database is away: nothing has changed then but what was decided before.
 */
export async function followOnce({ transactions, chain, cluster, log }: FollowDeps): Promise<number> {
  let left = 0;
  const blocksAhead = cluster === 'local' ? BLOCKS_AHEAD.local : BLOCKS_AHEAD.public;

  for await (const records of transactions.pending(cluster, SIGNATURES_PER_CALL)) {
    // Before the signatures: what is in no block up to this height is then not overlooked.
    const height = await chain.blockHeight();
    const landed = await chain.landed(signaturesOf(records), { history: false });
    const missing = records.filter(({ signature }) => !landed.has(signature));
    for (const record of missing) {
      if (lastHeight(record) > height + blocksAhead) await transactions.expireBy(record, height + blocksAhead);
    }
    const late = missing.filter((record) => lastHeight(record) < height);
    const found = late.length > 0 ? await chain.landed(signaturesOf(late), { history: true }) : new Set<string>();
    const decided = await inParallel(records, async (record) => {
      if (landed.has(record.signature) || found.has(record.signature)) return judge(record);
      if (!late.includes(record)) return false;
      await transactions.decide(record, givenUp(record));
      return true;
    });
    left += decided.filter((isDecided) => !isDecided).length;
  }
  return left;

  /** False while the chain can't tell yet what came of it. */
  async function judge(record: TransactionRecord): Promise<boolean> {
    const found = await readable(record);
    if (!found) return false;
    const verdict = verdictOf(record, found);
    if (verdict.status === 'confirmed' && record.type === 'transfer_out') {
      const { signature, cluster: sentOn, wallet: counterparty } = record;
      // Before the verdict: whatever ends this in between, the next look does it again, and twice changes nothing.
      for (const { address: wallet, lamports } of receivers(record.wallet, found)) {
        await transactions.arrived({ signature, cluster: sentOn, wallet, lamports, counterparty });
      }
    }
    await transactions.decide(record, verdict);
    return true;
  }

  async function readable({ signature }: TransactionRecord): Promise<ChainTransaction | null> {
    try {
      return await chain.transaction(signature);
    } catch (error) {
      if (error instanceof RpcError) throw error;
      // One transaction that this node can't show, perhaps of a newer kind, must not hold up all others.
      log.debug({ err: error, signature }, 'transaction not read');
      return null;
    }
  }
}

function signaturesOf(records: readonly TransactionRecord[]): string[] {
  return [...new Set(records.map(({ signature }) => signature))];
}

function lastHeight({ lastValidBlockHeight }: TransactionRecord): number {
  return lastValidBlockHeight ?? Number.POSITIVE_INFINITY;
}

/** Amount and counterparty stay as told: that is what should have happened. */
function givenUp({ lamports, counterparty }: TransactionRecord): Verdict {
  return { status: 'failed', lamports, feeLamports: null, counterparty, failure: NOT_TAKEN };
}

/** All at once, to the end, even when some fail; then the first failure is thrown. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const settled = await Promise.allSettled(items.map(work));
  return settled.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
