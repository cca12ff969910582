import type { Logger } from 'pino';
import type { ChainCluster } from '../../common/client-config/model.ts';
import { NOT_TAKEN, refusalTexts } from '../../common/transactions/failure.ts';
import { RpcError } from '../chain/rpc-error.ts';
import { lookFor, SIGNATURES_PER_CALL, type Sighting } from '../chain/transactions.ts';
import type { ChainReader, ChainTransaction } from './chain-reader.ts';
import type { TransactionRecord } from './model.ts';
import type { Transactions } from './service.ts';
import { NOT_REMEMBERED, receivers, unreadVerdict, type Verdict, verdictOf } from './verdict.ts';

/**
 * Most blocks that a transaction is followed for. Public clusters accept one for 150 blocks after its blockhash
 * was the newest, a local chain for a minute of its slots. A client's larger value does not extend it.
 */
const BLOCKS_AHEAD = { public: 300, local: 3_000 };
/**
 * Blocks after its last height before a transaction in no block fails. Many nodes stand behind a public address:
 * the one asked for the signature may lag this far behind the one that reported the height, unless its answer shows the
 * slot of that height. A local chain is one node.
 */
const BLOCKS_OF_LAG = { public: 150, local: 0 };
/** Blocks that every node keeps: half a day of a public cluster. A late search may miss transactions in older ones. */
const BLOCKS_REMEMBERED = 100_000;

export interface FollowDeps {
  transactions: Pick<Transactions, 'pending' | 'expireBy' | 'decide' | 'arrived'>;
  chain: ChainReader;
  cluster: ChainCluster;
  log: Logger;
}

/**
 * Looks once at everything pending on the cluster and stores the chain's decisions. Resolves with the number still
 * pending. Rejects while the node or the database is down, after storing only the decisions made before.
 */
export async function followOnce({ transactions, chain, cluster, log }: FollowDeps): Promise<number> {
  let left = 0;
  let failure: { reason: unknown } | undefined;
  const kind = cluster === 'local' ? 'local' : 'public';
  const [blocksAhead, blocksOfLag] = [BLOCKS_AHEAD[kind], BLOCKS_OF_LAG[kind]];

  for await (const records of transactions.pending(cluster, SIGNATURES_PER_CALL)) {
    const isLate = (record: TransactionRecord, height: number, isUpToDate: boolean) =>
      lastHeight(record) + (isUpToDate ? 0 : blocksOfLag) < height;
    const { height, sightingOf, missing } = await lookFor(chain, records, isLate);
    for (const record of records) {
      if (lastHeight(record) > height + blocksAhead) await transactions.expireBy(record, height + blocksAhead);
    }
    const outcomes = await Promise.allSettled(
      records.map(async (record) => {
        const sighting = sightingOf(record);
        // In a block that may still be dropped: neither arrived nor failed.
        if (sighting) return sighting.isSettled && judge(record, sighting, height);
        if (!missing.has(record)) return false;
        await transactions.decide(record, givenUp(record, height));
        return true;
      }),
    );
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') failure ??= outcome;
      else if (!outcome.value) left += 1;
    }
  }
  // Last, so that one that fails each time does not delay the others.
  if (failure) throw failure.reason;
  return left;

  /** False while the chain has not decided. */
  async function judge(record: TransactionRecord, { error }: Sighting, height: number): Promise<boolean> {
    const found = await readable(record);
    if (!found) {
      // As long again as it could be followed: no node will show it any more.
      if (lastHeight(record) + blocksAhead >= height) return false;
      await transactions.decide(record, unreadVerdict(error));
      return true;
    }
    const verdict = verdictOf(record, found);
    if (verdict.status === 'confirmed' && record.type === 'transfer_out') {
      const { signature, cluster: sentOn, wallet: counterparty } = record;
      // Stored before the verdict: after an interruption the next look repeats it, and repeating changes nothing.
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
      // A transaction that this node cannot show, perhaps of a newer kind, must not delay the others.
      log.debug({ err: error, signature }, 'transaction not read');
      return null;
    }
  }
}

function lastHeight({ lastValidBlockHeight }: TransactionRecord): number {
  return lastValidBlockHeight ?? Number.POSITIVE_INFINITY;
}

/** Amount and counterparty stay as reported: they describe the intended transfer. */
function givenUp(record: TransactionRecord, height: number): Verdict {
  const { lamports, counterparty, refusal } = record;
  const notTaken = refusal ? refusalTexts[refusal] : NOT_TAKEN;
  const failure = lastHeight(record) + BLOCKS_REMEMBERED < height ? NOT_REMEMBERED : notTaken;
  return { status: 'failed', lamports, feeLamports: null, counterparty, failure };
}
