import type { QueryFilter } from 'mongoose';
import { PublicError } from '../../../common/errors.ts';
import type { Clock } from '../../../common/time.ts';
import type { TokenRecord } from '../../tokens/record.ts';
import type { Engine } from '../engine.ts';
import type { RemovedTokens } from '../publish/outbox.ts';
import type { MarketStore } from '../publish/store.ts';
import type { Observation } from '../sources/observation.ts';
import type { Source } from '../sources/source.ts';

/** Addresses in one event. */
const ADDRESSES_PER_EVENT = 500;
/** Addresses of deleted tokens that wait for their event; when everything is removed, one event covers all instead. */
const MAX_UNPUBLISHED = 20_000;

/** Selection of tokens to remove: the same in MongoDB, in memory and in the observations. */
export interface Removal {
  filter: QueryFilter<TokenRecord>;
  matches(record: TokenRecord): boolean;
  /** Matches observations that could bring a token back; they are dropped meanwhile. null when blocking the found tokens suffices. */
  concerns: ((observation: Observation) => boolean) | null;
  /** Returns whether the source invents such tokens and must discard them. */
  isInventedBy(source: Source): boolean;
}

/** The tokens of the simulated market: `metadata.source` is "simulator" (decision 17). */
export const simulatedTokens: Removal = {
  filter: { launchpad: 'simulator' },
  matches: ({ launchpad }) => launchpad === 'simulator',
  concerns: ({ kind, source }) => kind !== 'rate' && source === 'simulator',
  isInventedBy: ({ name }) => name === 'simulator',
};

/** Every token. Launches during the removal are dropped, since they are indistinguishable from removed ones. */
export const allTokens: Removal = {
  filter: {},
  matches: () => true,
  concerns: (observation) => 'address' in observation,
  isInventedBy: ({ name }) => name === 'simulator',
};

/** Tokens detected between two times, epoch ms. All sources go on with the others, including the simulator. */
export function detectedBetween(from: number, to: number): Removal {
  return {
    filter: { detectedAt: { $gte: from, $lte: to } },
    matches: ({ detectedAt }) => detectedAt >= from && detectedAt <= to,
    concerns: null,
    isInventedBy: () => false,
  };
}

/** The tokens at these addresses. */
export function tokensAt(addresses: ReadonlySet<string>): Removal {
  return {
    filter: { _id: { $in: [...addresses] } },
    matches: ({ _id }) => addresses.has(_id),
    concerns: null,
    isInventedBy: () => false,
  };
}

/**
 * Removes tokens for good: from memory, from MongoDB with their trades and samples, and, after the acknowledgement, from
 * the clients. They stay blocked while this process runs. Resolves with their number; `onProgress` receives the number
 * removed so far. Throws `PublicError('already-running')` during another removal.
 */
export type Remove = (removal: Removal, onProgress?: (removed: number) => void) => Promise<number>;

export interface RemovalDeps {
  engine: Engine;
  store: MarketStore;
  sources: readonly Source[];
  /** Receives the pinned tokens that are about to be removed, and is awaited. */
  beforeRemoval?: (addresses: readonly string[]) => Promise<void>;
  clock: Clock;
}

export function createRemove(deps: RemovalDeps): Remove {
  const { engine, sources, beforeRemoval } = deps;
  let isRunning = false;

  return async (removal, onProgress = () => {}) => {
    if (isRunning) throw new PublicError('already-running');
    isRunning = true;
    // The sources keep running: their observations about such tokens are dropped until the end.
    engine.queue.filter(removal.concerns);
    try {
      const pinned = engine.pinnedAddresses().filter((address) => {
        const live = engine.live(address);
        return live !== undefined && removal.matches(live.record);
      });
      if (pinned.length > 0) await beforeRemoval?.(pinned);
      return await removeAll(removal, deps, onProgress);
    } finally {
      for (const source of sources) if (removal.isInventedBy(source)) source.clear?.();
      engine.queue.filter(null);
      isRunning = false;
    }
  };
}

async function removeAll(removal: Removal, deps: RemovalDeps, onProgress: (removed: number) => void): Promise<number> {
  const { engine, store } = deps;
  const unstored = new Set(
    await engine.betweenTicks(() => {
      const evicted = engine.evict(removal.matches);
      engine.queue.block(evicted);
      return evicted;
    }),
  );
  /** Blocks and evicts the page before its deletion: an observation may have hydrated some of it since. */
  async function beforeDelete(page: readonly string[]): Promise<void> {
    engine.queue.block(page);
    // With observations filtered, only an analysis may have loaded one of them.
    if (removal.concerns !== null && !page.some((address) => engine.has(address))) return;
    const going = new Set(page);
    await engine.betweenTicks(() => engine.evict(({ _id }) => going.has(_id)));
  }
  const unpublished = [...unstored];
  let count = unstored.size;
  try {
    let page = await store.remove(removal.filter, '', beforeDelete);
    while (page.length > 0) {
      // A write whose response was lost may have stored some of them.
      const others = page.filter((address) => !unstored.has(address));
      unpublished.push(...others);
      count += others.length;
      onProgress(count);
      if (unpublished.length >= MAX_UNPUBLISHED) await publish(unpublished.splice(0), deps);
      page = await store.remove(removal.filter, page.at(-1) ?? '', beforeDelete);
    }
  } finally {
    // After a failure, too: the tokens deleted so far are gone.
    await publish(unpublished, deps);
  }
  return count;
}

/** Publishes the removal of these addresses, or of everything when no token is left. */
async function publish(addresses: readonly string[], deps: RemovalDeps): Promise<void> {
  const { engine } = deps;
  if (addresses.length === 0) return;
  await engine.betweenTicks(async () => {
    const left = await remaining(deps);
    engine.publishRemoved(left.isEmpty ? [{ all: true }] : inChunks(addresses), left.launches);
  });
}

/** Returns whether no token is left, and the remaining launches. */
async function remaining({ engine, store, clock }: RemovalDeps) {
  try {
    if (engine.size === 0 && (await store.isEmpty())) return { isEmpty: true, launches: [] };
    return { isEmpty: false, launches: await store.launches(clock.now()) };
  } catch {
    // MongoDB became unavailable meanwhile; the addresses are deleted all the same.
    return { isEmpty: false, launches: null };
  }
}

function inChunks(addresses: readonly string[]): RemovedTokens[] {
  const chunks: RemovedTokens[] = [];
  for (let from = 0; from < addresses.length; from += ADDRESSES_PER_EVENT) {
    chunks.push({ addresses: addresses.slice(from, from + ADDRESSES_PER_EVENT) });
  }
  return chunks;
}

/** Receives pinned tokens that are about to be removed. The removal waits for it. */
export type OnRemoving = (addresses: readonly string[]) => Promise<void>;

/** Creates the announcement of removals. */
export function createRemoving() {
  const listeners = new Set<OnRemoving>();
  return {
    async emit(addresses: readonly string[]): Promise<void> {
      await Promise.all([...listeners].map((listener) => listener(addresses)));
    },
    /** Returns a function that ends the subscription. */
    subscribe(listener: OnRemoving): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
