import type { Logger } from 'pino';
import type { Clock } from '../../../../../common/time.ts';
import type { Rpc } from '../../../../chain/rpc.ts';
import { RpcError } from '../../../../chain/rpc-error.ts';
import { createGrowingCache } from '../../../../platform/growing-cache.ts';
import { pause } from '../../../../platform/resilience.ts';
import type { Observation } from '../../observation.ts';
import { createFetchQueue } from '../feed/fetch-queue.ts';
import { bondingCurveOf } from '../programs.ts';
import { type FactsAt, readLargestHolders, readMint } from './mint-facts.ts';

/** A token whose facts are requested. */
export interface FactsTarget {
  address: string;
  /** Returns the owners that are not wallets, its curve and pool. Called when the token is read, as deriving them is slow. */
  excluded: () => readonly string[];
}

/** Returns the tokens of these observations, with their curve, and their pool where known. */
export function tokensOf(observations: readonly Observation[]): FactsTarget[] {
  const tokens = new Map<string, Set<string>>();
  for (const one of observations) {
    if (one.kind === 'rate' || one.kind === 'symbols' || one.kind === 'facts') continue;
    const excluded = tokens.get(one.address) ?? new Set<string>();
    tokens.set(one.address, excluded);
    if (one.kind === 'created' && one.bondingCurve !== null) excluded.add(one.bondingCurve);
    if (one.kind === 'migrated') excluded.add(one.pool);
  }
  return [...tokens].map(([address, excluded]) => ({
    address,
    // Derived from the address, so that a token first seen by a trade has its curve too.
    excluded: () => [...excluded.add(bondingCurveOf(address))],
  }));
}

export type FactsReader = ReturnType<typeof createFactsReader>;

export interface FactsReaderOptions {
  rpc: Rpc;
  clock: Clock;
  log: Logger;
  observe: (observations: readonly Observation[]) => void;
  /** A node may know a mint later than the transaction: pause before the next attempt, ms. Default 2,000. */
  missingPauseMs?: number;
}

/** Attempts to read a mint that the node does not know yet, and the default pause between them, ms. */
const MISSING_TRIES = 3;
const MISSING_PAUSE = 2_000;
/** Longest queue; the oldest token is dropped for a newer one, as it gains the least. */
const MAX_WAITING = 500;
/** Tokens read at the same time. */
const IN_FLIGHT = 3;
/** How long a token is not read again, ms, and for how many tokens. */
const READ_AGAIN_AFTER = 600_000;
const MAX_REMEMBERED = 10_000;

/** Creates a reader of the facts that no event contains (authorities, extensions, holders), observed as source `rpc`. */
export function createFactsReader(options: FactsReaderOptions) {
  const { clock, log } = options;
  const recentlyRead = createGrowingCache<true>(MAX_REMEMBERED, {
    ttl: READ_AGAIN_AFTER,
    // No cached time: tests move the clock.
    ttlResolution: 0,
    perf: { now: () => clock.now() },
  });
  /** Tokens in the queue, whose wait may be longer than `recentlyRead` lasts. */
  const queued = new Set<string>();
  const stopping = new AbortController();

  async function fetch(token: FactsTarget): Promise<void> {
    queued.delete(token.address);
    try {
      await readFacts(token, options, stopping.signal);
    } catch (error) {
      // Facts stay unknown, which the score supports; the source itself goes on.
      if (!isStopped(error)) log.debug({ err: error, address: token.address }, 'token facts not read');
      // After a failure of the node the token may be requested again at once.
      if (error instanceof RpcError && !isStopped(error)) recentlyRead.delete(token.address);
    }
  }

  const queue = createFetchQueue<FactsTarget>({
    fetch,
    inFlight: IN_FLIGHT,
    waiting: MAX_WAITING,
    // May be requested again with its next trade.
    onDrop({ address }) {
      queued.delete(address);
      recentlyRead.delete(address);
    },
  });
  return {
    /** Queues tokens that were not read recently; the newest is read first. Never throws. */
    request(tokens: readonly FactsTarget[]): void {
      const unread: FactsTarget[] = [];
      for (const token of tokens) {
        if (queued.has(token.address) || recentlyRead.has(token.address)) continue;
        queued.add(token.address);
        recentlyRead.set(token.address, true);
        unread.push(token);
      }
      queue.push(unread);
    },
    /** Returns the number of tokens queued or being read. */
    size: queue.size,
    stop(): void {
      stopping.abort();
      queue.stop();
    },
  };
}

/** Reads and observes the facts of one token. */
async function readFacts(
  { address, excluded }: FactsTarget,
  options: FactsReaderOptions,
  signal: AbortSignal,
): Promise<void> {
  const { rpc, clock, observe } = options;

  function emit({ facts, slot }: FactsAt): void {
    const now = clock.now();
    if (!signal.aborted) {
      observe([{ kind: 'facts', source: 'rpc', at: now, receivedAt: now, address, facts, slot }]);
    }
  }

  const mint = await readMintPatiently(address, options, signal);
  // A missing mint has no holders either; both stay unknown.
  if (mint === null) return;
  emit(mint);
  emit(await readLargestHolders(rpc, address, new Set(excluded())));
}

async function readMintPatiently(
  address: string,
  { rpc, missingPauseMs = MISSING_PAUSE }: FactsReaderOptions,
  signal: AbortSignal,
): Promise<FactsAt | null> {
  for (let attempt = 1; ; attempt += 1) {
    const mint = await readMint(rpc, address);
    if (mint !== null || attempt >= MISSING_TRIES || signal.aborted) return mint;
    await pause(missingPauseMs, signal);
  }
}

function isStopped(error: unknown): boolean {
  return error instanceof RpcError && error.code === 'stopped';
}
