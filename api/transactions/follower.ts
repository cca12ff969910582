import type { Logger } from 'pino';
import type { Random } from '../../common/time.ts';
import type { ChainEndpoint } from '../chain/endpoint.ts';
import { createRpc } from '../chain/rpc.ts';
import { defaultLimits, type RpcLimits } from '../chain/rpc-fetch.ts';
import { createChainReader } from './chain-reader.ts';
import { followOnce } from './follow.ts';
import { createFollowLoop, type FollowLoop, type FollowPauses } from './follow-loop.ts';
import type { Transactions } from './service.ts';

/** The loop retries by itself and logs less during an outage, so the RPC client adds neither retries nor a circuit. */
const LIMITS: RpcLimits = { ...defaultLimits, retries: 0, circuitFailures: Number.POSITIVE_INFINITY };
/** The operator's own node needs no rate limit. */
const LOCAL_LIMITS: RpcLimits = { ...LIMITS, perSecond: 200, burst: 200, timeoutMs: 3_000 };

/**
 * Follows pending transactions until the chain has decided, starting with those that an earlier process left in
 * MongoDB.
 */
export function createFollower(deps: {
  chain: Pick<ChainEndpoint, 'cluster' | 'rpcUrl'>;
  transactions: Pick<Transactions, 'pending' | 'expireBy' | 'decide' | 'arrived'>;
  random: Random;
  log: Logger;
  pauses?: FollowPauses;
}): FollowLoop {
  const { chain, transactions, random, log, pauses } = deps;
  const { cluster, rpcUrl } = chain;
  const rpc = createRpc({ url: rpcUrl, random, limits: cluster === 'local' ? LOCAL_LIMITS : LIMITS });
  const reader = createChainReader(rpc);
  const loop = createFollowLoop({
    look: () => followOnce({ transactions, chain: reader, cluster, log }),
    random,
    log,
    ...(pauses ? { pauses } : {}),
  });
  return {
    ...loop,
    async stop() {
      rpc.stop();
      await loop.stop();
    },
  };
}
