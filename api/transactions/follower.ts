import type { Logger } from 'pino';
import type { Random } from '../../common/time.ts';
import type { ChainEndpoint } from '../chain/endpoint.ts';
import { createRpc } from '../chain/rpc.ts';
import { defaultLimits, type RpcLimits } from '../chain/rpc-fetch.ts';
import { backoff, pause } from '../platform/resilience.ts';
import { createChainReader } from './chain-reader.ts';
import { followOnce } from './follow.ts';
import type { Transactions } from './service.ts';

/** The loop retries by itself and logs less during an outage, so the RPC client adds neither retries nor a circuit. */
const LIMITS: RpcLimits = { ...defaultLimits, retries: 0, circuitFailures: Number.POSITIVE_INFINITY };
/** The operator's own node needs no rate limit. */
const LOCAL_LIMITS: RpcLimits = { ...LIMITS, perSecond: 200, burst: 200, timeoutMs: 3_000 };

/**
 * Follows pending transactions until the chain has decided, starting with the ones left in MongoDB by an
 * earlier process.
 */
export function createFollower(deps: {
  chain: Pick<ChainEndpoint, 'cluster' | 'rpcUrl'>;
  transactions: Pick<Transactions, 'pending' | 'expireBy' | 'decide' | 'arrived'>;
  random: Random;
  log: Logger;
  pauses?: FollowPauses;
}) {
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
    /** Resolves after the look that is under way. */
    async stop(): Promise<void> {
      rpc.stop();
      await loop.stop();
    },
  };
}

/** Pauses between looks, ms. */
const followPauses = {
  /** While something is pending. */
  pending: 1_000,
  /** While nothing is pending: another process may have recorded something. */
  idle: 5_000,
  /** While the node or the database fails: the first and the longest pause; doubled in between, with jitter. */
  away: { base: 1_000, max: 15_000 },
};
export type FollowPauses = typeof followPauses;

/** `look` resolves with the number still pending and rejects while it cannot look. */
export function createFollowLoop(deps: {
  look: () => Promise<number>;
  random: Random;
  log: Logger;
  pauses?: FollowPauses;
  wait?: typeof pause;
}) {
  const { look, random, log, pauses = followPauses, wait = pause } = deps;
  let running: Promise<void> | undefined;
  let stopped = false;
  let woken = false;
  let failures = 0;
  let resting = new AbortController();

  async function run(): Promise<void> {
    while (!stopped) {
      woken = false;
      const ms = await lookAndPause();
      resting = new AbortController();
      const isNews = woken && failures === 0;
      if (!stopped) await wait(isNews ? pauses.pending : ms, resting.signal);
    }
  }

  async function lookAndPause(): Promise<number> {
    try {
      const pending = await look();
      if (failures > 0) log.info('transactions are followed again');
      failures = 0;
      return pending > 0 ? pauses.pending : pauses.idle;
    } catch (error) {
      // Waiting loses nothing: pending transactions stay pending until the node responds.
      if (failures === 0 && !stopped) log.info({ error }, 'transactions can not be followed right now');
      failures += 1;
      return backoff(failures - 1, { ...pauses.away, random });
    }
  }

  return {
    start(): void {
      running ??= run();
    },
    /** Looks at once instead of at the end of an idle pause. */
    wake(): void {
      woken = true;
      // A backoff is kept: new recordings are no reason to query a failing node more often.
      if (failures === 0) resting.abort();
    },
    /** Resolves after the look that is under way. */
    async stop(): Promise<void> {
      stopped = true;
      resting.abort();
      await running;
    },
  };
}
