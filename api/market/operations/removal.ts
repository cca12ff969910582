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
const TOLD_AT_ONCE = 500;
/** Addresses of deleted tokens that wait to be told of: when everything goes, one event tells of all instead. */
const MOST_UNTOLD = 20_000;

/** Which tokens are to be removed: the same ones in MongoDB, in memory, and in what the sources still say. */
export interface Removal {
  filter: QueryFilter<TokenRecord>;
  matches(record: TokenRecord): boolean;
  /** Observations that could bring one of them back and are lost meanwhile; null: none but those of what is found. */
  concerns: ((observation: Observation) => boolean) | null;
  /** Whether the source makes them up, and must let go of them. */
  isMadeUpBy(source: Source): boolean;
}

/** The tokens of the simulated market: `metadata.source` is "simulator" (decision 17). */
export const simulatedTokens: Removal = {
  filter: { launchpad: 'simulator' },
  matches: ({ launchpad }) => launchpad === 'simulator',
  concerns: ({ kind, source }) => kind !== 'rate' && source === 'simulator',
  isMadeUpBy: ({ name }) => name === 'simulator',
};

/** Every token. What is launched meanwhile is lost: it would be taken for one of those that go. */
export const allTokens: Removal = {
  filter: {},
  matches: () => true,
  concerns: (observation) => 'address' in observation,
  isMadeUpBy: ({ name }) => name === 'simulator',
};

/** Tokens that we heard of between two times, epoch ms. The market goes on with all others, the simulated one as well. */
export function detectedBetween(from: number, to: number): Removal {
  return {
    filter: { detectedAt: { $gte: from, $lte: to } },
    matches: ({ detectedAt }) => detectedAt >= from && detectedAt <= to,
    concerns: null,
    isMadeUpBy: () => false,
  };
}

/** The tokens at these addresses. */
export function tokensAt(addresses: ReadonlySet<string>): Removal {
  return {
    filter: { _id: { $in: [...addresses] } },
    matches: ({ _id }) => addresses.has(_id),
    concerns: null,
    isMadeUpBy: () => false,
  };
}

/**
 * Removes tokens for good: from memory, with their trades and samples from MongoDB, and, after that is acknowledged, from
 * what clients show. While this process runs, none of them is taken up again, whoever tells of it. Resolves with how many
 * there were; `onProgress` hears how many are gone. `already-running` while another removal is under way.
 */
export type Remove = (removal: Removal, onProgress?: (removed: number) => void) => Promise<number>;

export interface RemovalDeps {
  engine: Engine;
  store: MarketStore;
  sources: readonly Source[];
  clock: Clock;
  /** Called when tokens have been deleted, before anybody is told. */
  onDeleted(): void;
}

export function createRemove(deps: RemovalDeps): Remove {
  const { engine, sources } = deps;
  let isRunning = false;

  return async (removal, onProgress = () => {}) => {
    if (isRunning) throw new PublicError('already-running');
    isRunning = true;
    // From here on nothing new can come to those that go. The sources are not stopped: all they say meanwhile is lost.
    engine.refuse(removal.concerns);
    try {
      return await removeAll(removal, deps, onProgress);
    } finally {
      for (const source of sources) if (removal.isMadeUpBy(source)) source.clear?.();
      engine.refuse(null);
      isRunning = false;
    }
  };
}

async function removeAll(removal: Removal, deps: RemovalDeps, onProgress: (removed: number) => void): Promise<number> {
  const { engine, store } = deps;
  const unstored = new Set(
    await engine.between(() => {
      const forgotten = engine.forget(removal.matches);
      engine.banish(forgotten);
      return forgotten;
    }),
  );
  /** Those that are about to be deleted: also what was taken up from MongoDB since, for something that was heard of it. */
  async function letGo(page: readonly string[]): Promise<void> {
    engine.banish(page);
    // Nothing that is said could have begun them anew, but an analysis may have taken them up.
    if (removal.concerns !== null && !page.some((address) => engine.holds(address))) return;
    const going = new Set(page);
    await engine.between(() => engine.forget(({ _id }) => going.has(_id)));
  }
  const untold = [...unstored];
  let count = unstored.size;
  try {
    let page = await store.remove(removal.filter, '', letGo);
    while (page.length > 0) {
      // A write whose answer was lost has stored some of them all the same.
      const others = page.filter((address) => !unstored.has(address));
      untold.push(...others);
      count += others.length;
      onProgress(count);
      if (untold.length >= MOST_UNTOLD) await say(untold.splice(0), deps);
      page = await store.remove(removal.filter, page.at(-1) ?? '', letGo);
    }
  } finally {
    // Also after a failure: what is deleted is gone.
    await say(untold, deps);
  }
  return count;
}

/** Tells of the addresses; when nothing at all is left, of that. */
async function say(addresses: readonly string[], deps: RemovalDeps): Promise<void> {
  const { engine, onDeleted } = deps;
  if (addresses.length === 0) return;
  await engine.between(async () => {
    const left = await whatIsLeft(deps);
    onDeleted();
    await engine.sayRemoved(left.nothing ? [{ all: true }] : inChunks(addresses), left.launches);
  });
}

/** Whether nothing is left, and the launches that are. */
async function whatIsLeft({ engine, store, clock }: RemovalDeps) {
  try {
    if (engine.size === 0 && (await store.isEmpty())) return { nothing: true, launches: [] };
    return { nothing: false, launches: await store.launches(clock.now()) };
  } catch {
    // MongoDB went away in the middle of it: the addresses are true all the same.
    return { nothing: false, launches: null };
  }
}

function inChunks(addresses: readonly string[]): RemovedTokens[] {
  const chunks: RemovedTokens[] = [];
  for (let from = 0; from < addresses.length; from += TOLD_AT_ONCE) {
    chunks.push({ addresses: addresses.slice(from, from + TOLD_AT_ONCE) });
  }
  return chunks;
}
