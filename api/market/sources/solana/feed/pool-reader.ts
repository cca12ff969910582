import { PublicKey } from '@solana/web3.js';
import type { Logger } from 'pino';
import type { Rpc } from '../../../../chain/rpc.ts';
import type { Pool, PoolRegistry } from '../decode/pools.ts';
import { decodePoolAccount, type PoolIdentity, poolOf } from '../decode/pump-swap.ts';
import { pumpSwapProgram } from '../programs.ts';

/** Pools read in one call; a node allows 100. */
const BATCH = 100;
/** Between two calls, ms: one in two seconds is an eighth of a public node's limit. */
const PAUSE = 2_000;
/** Pools that wait; the oldest is dropped, and requested again with its next trade. */
const MAX_WAITING = 2_000;

export type PoolReader = ReturnType<typeof createPoolReader>;

interface Options {
  rpc: Rpc;
  pools: PoolRegistry;
  /** Resolves with those of the mints that are tokens of the market. */
  followed: (mints: readonly string[]) => Promise<ReadonlySet<string>>;
  log: Logger;
  /** Pause between two calls, ms; `PAUSE` by default. */
  pauseMs?: number | undefined;
}

/** Creates a reader of the accounts of unknown pools, which name their coins. Coins that the market does not follow are ignored. */
export function createPoolReader({ rpc, pools, followed, log, pauseMs = PAUSE }: Options) {
  const queue = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function read(): Promise<void> {
    const addresses = [...queue].slice(-BATCH);
    for (const address of addresses) queue.delete(address);
    try {
      const identities = await readAccounts(rpc, addresses);
      const mints = [...identities.values()].flatMap((pool) =>
        pool === null ? [] : [pool.base_mint, pool.quote_mint],
      );
      const known = await followed([...new Set(mints)]);
      for (const [address, identity] of identities) pools.set(address, identity && followedPool(identity, known));
    } catch (error) {
      // Requested again with their next trades.
      if (!stopped) log.debug({ err: error, pools: addresses.length }, 'accounts of pools not read');
    }
    timer = undefined;
    if (queue.size > 0) schedule();
  }

  function schedule(): void {
    if (!stopped) timer ??= setTimeout(() => void read(), pauseMs);
  }

  return {
    /** Queues a pool; the newest are read first. Never throws. */
    request(address: string): void {
      // Moved to the end: the newest request is read first.
      queue.delete(address);
      queue.add(address);
      const [oldest] = queue;
      if (queue.size > MAX_WAITING && oldest !== undefined) queue.delete(oldest);
      schedule();
    },
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** Returns the pool when its coin is followed. Only then, as telling the main pool takes a millisecond. */
function followedPool(identity: PoolIdentity, known: ReadonlySet<string>): Pool | null {
  return known.has(identity.base_mint) || known.has(identity.quote_mint) ? poolOf(identity) : null;
}

/** Reads accounts; null for one that is missing or is no pool. Throws as `Rpc.request` does. */
async function readAccounts(rpc: Rpc, addresses: readonly string[]): Promise<Map<string, PoolIdentity | null>> {
  const keys = addresses.map((address) => new PublicKey(address));
  const accounts = await rpc.request((connection) => connection.getMultipleAccountsInfo(keys));
  return new Map(
    addresses.map((address, index) => {
      const account = accounts[index];
      const isPool = account != null && account.owner.toBase58() === pumpSwapProgram;
      return [address, isPool ? decodePoolAccount(account.data) : null];
    }),
  );
}
