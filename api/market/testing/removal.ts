import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { createAnalyze } from '../operations/analysis.ts';
import { createRemove, type Removal } from '../operations/removal.ts';
import type { Source } from '../sources/source.ts';
import { createMemoryStore, testEngine } from './market.ts';

/** Returns an engine with a simulator, and the operations on its tokens. */
export function setUpRemoval(store = createMemoryStore()) {
  const parts = testEngine({ store });
  const { engine, clock } = parts;
  let cleared = 0;
  const simulator: Source = {
    name: 'simulator',
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    status: () => ({ state: 'live', lastEventAt: null }),
    clear: () => {
      cleared += 1;
    },
  };
  /** Number of feed events published before each `token-removed`. */
  const removedAfter: number[] = [];
  parts.bus.on('token-removed', () => void removedAfter.push(parts.events.length));
  /** Pinned tokens before their removal, with whether they were still in memory. */
  const announced: [address: string, isPresent: boolean][] = [];
  const beforeRemoval = async (addresses: readonly string[]) => {
    for (const address of addresses) announced.push([address, engine.has(address)]);
  };
  const remove = createRemove({ engine, store, sources: [simulator], beforeRemoval, clock });
  const analyze = createAnalyze({ engine, store, clock });

  /** Ticks until `work` ends. */
  async function tickUntil<Result>(work: Promise<Result>, tick = () => parts.tick()): Promise<Result> {
    let isOver = false;
    const done = work.finally(() => {
      isOver = true;
    });
    // The rejection is handled below, after the last tick.
    done.catch(() => {});
    while (!isOver) {
      await tick();
      // An analysis yields to the rest of the process, and must get its turn.
      await yieldToOthers();
    }
    return done;
  }

  return {
    ...parts,
    store,
    removedAfter,
    announced,
    remove,
    tickUntil,
    cleared: () => cleared,
    /** Removes tokens, ticking until the end. */
    cleanUp(removal: Removal, options: { onProgress?: (removed: number) => void; tick?: () => Promise<void> } = {}) {
      store.isRemoved = removal.matches;
      return tickUntil(remove(removal, options.onProgress), options.tick);
    },
    analyze: (signal = new AbortController().signal) => tickUntil(analyze(() => {}, signal)),
    /** Payloads of the `tokens-removed` events. */
    removals: () => parts.events.filter(({ event }) => event === 'tokens-removed').map(({ payload }) => payload),
  };
}
