import type { Logger } from 'pino';
import type { Clock } from '../../../../../common/time.ts';
import type { Rpc } from '../../../../chain/rpc.ts';
import { RpcError } from '../../../../chain/rpc-error.ts';
import { pause } from '../../../../platform/resilience.ts';
import type { FactsObservation, Observation } from '../../observation.ts';
import { type FactsAt, readLargestHolders, readMint } from './mint-facts.ts';

/** A coin whose facts are wanted. */
export interface Coin {
  address: string;
  /** Owners that are not wallets: the coin's curve and pool. Asked for when the coin is read, as deriving them costs time. */
  excluded: () => readonly string[];
}

export interface FactsReader {
  /** Queues coins that were not read lately; the newest is read first. Never throws. */
  want(coins: readonly Coin[]): void;
  /** Coins that wait or are being read. */
  size(): number;
  stop(): void;
}

export interface FactsReaderOptions {
  rpc: Rpc;
  clock: Clock;
  log: Logger;
  observe: (observations: readonly Observation[]) => void;
  /** Coins that may wait; the oldest is given up for a newer one, as it has the least to gain. */
  waiting?: number;
  /** Coins read at the same time. */
  inFlight?: number;
  /** How long a coin is not read again, ms, and how many coins this is remembered of. */
  ttlMs?: number;
  remembered?: number;
  /** A node may know a mint a little later than the transaction: pause before looking again, ms, and how often. */
  missingPauseMs?: number;
  missingTries?: number;
}

const defaults = {
  waiting: 500,
  inFlight: 3,
  ttlMs: 600_000,
  remembered: 10_000,
  missingPauseMs: 2_000,
  missingTries: 3,
};

/** Reads the facts that no event tells (authorities, extensions, holders) and hands them on as observations of `rpc`. */
export function createFactsReader(options: FactsReaderOptions): FactsReader {
  const { rpc, clock, log, observe, waiting, inFlight, ttlMs, remembered, missingPauseMs, missingTries } = {
    ...defaults,
    ...options,
  };
  const queue = new Map<string, Coin>();
  const readAt = new Map<string, number>();
  const stopping = new AbortController();
  let running = 0;

  function isFresh(address: string): boolean {
    const at = readAt.get(address);
    return at !== undefined && clock.now() - at < ttlMs;
  }

  function remember(address: string): void {
    readAt.delete(address);
    readAt.set(address, clock.now());
    for (const [oldest] of readAt) {
      if (readAt.size <= remembered) break;
      readAt.delete(oldest);
    }
  }

  function tell(address: string, { facts, slot }: FactsAt): void {
    const now = clock.now();
    const observation: FactsObservation = {
      kind: 'facts',
      source: 'rpc',
      at: now,
      receivedAt: now,
      address,
      facts,
      slot,
    };
    if (!stopping.signal.aborted) observe([observation]);
  }

  async function readMintPatiently(address: string): Promise<FactsAt | null> {
    for (let tried = 1; ; tried += 1) {
      const mint = await readMint(rpc, address);
      if (mint !== null || tried >= missingTries || stopping.signal.aborted) return mint;
      await pause(missingPauseMs, stopping.signal);
    }
  }

  async function read({ address, excluded }: Coin): Promise<void> {
    try {
      const mint = await readMintPatiently(address);
      // A mint that is not there has no holders either; both stay unknown.
      if (mint === null) return;
      tell(address, mint);
      tell(address, await readLargestHolders(rpc, address, new Set(excluded())));
    } catch (error) {
      // Facts stay unknown, which the score knows how to treat; the source itself goes on without them.
      if (!(error instanceof RpcError && error.code === 'stopped'))
        log.debug({ err: error, address }, 'facts not read');
      if (isPassing(error)) readAt.delete(address);
    }
  }

  function next(): void {
    while (running < inFlight && queue.size > 0 && !stopping.signal.aborted) {
      const coin = [...queue.values()].at(-1);
      if (coin === undefined) return;
      queue.delete(coin.address);
      running += 1;
      void read(coin).finally(() => {
        running -= 1;
        next();
      });
    }
  }

  return {
    want(coins) {
      if (stopping.signal.aborted) return;
      for (const coin of coins) {
        if (isFresh(coin.address)) continue;
        // Remembered when queued, so that a coin that trades meanwhile is not queued again.
        remember(coin.address);
        queue.set(coin.address, coin);
        for (const [oldest] of queue) {
          if (queue.size <= waiting) break;
          queue.delete(oldest);
          // It may be wanted again when it trades next.
          readAt.delete(oldest);
        }
      }
      next();
    },
    size: () => queue.size + running,
    stop() {
      stopping.abort();
      queue.clear();
    },
  };
}

/** Trouble of the node rather than of the coin: the coin may be wanted again at once. */
function isPassing(error: unknown): boolean {
  return error instanceof RpcError && error.code !== 'stopped';
}
