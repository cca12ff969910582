import type { Store } from '../../store.ts';
import { type ListName, listNames } from '../model/lists.ts';
import type { FeedModel } from '../model/model.ts';
import { evict } from '../model/reducer.ts';
import { type ListView, linkAtom, listAtoms, statsAtom, type TokenAtoms } from './atoms.ts';

/** Maximum number of tokens with a paint time. */
const PAINTED_MAX = 500;
/** A row fades in when its token arrived within this time, ms; a row that was scrolled to does not. */
const JUST_ARRIVED_MS = 400;
/** Interval of removing tokens older than an hour from the list of new ones. */
const AGE_EVERY_MS = 5_000;

/** Sets the atoms from the model, at most once per animation frame however many events arrived. */
export interface AtomWriter {
  /** Schedules a write, after a change of the model. */
  schedule(): void;
  /** Sets the atoms now. */
  flush(): void;
  /** Returns when a token was first on screen, epoch ms by the browser's clock; null when its arrival was not seen. */
  paintedAt(address: string): number | null;
  /** Whether the token has just arrived with the feed. */
  justArrived(address: string): boolean;
  stop(): void;
}

interface AtomWriterDeps {
  model: FeedModel;
  store: Store;
  atoms: TokenAtoms;
  now: () => number;
  /** Runs a function at the next animation frame; returns the function that cancels it. */
  frame: (run: () => void) => () => void;
}

export function createAtomWriter({ model, store, atoms, now, frame }: AtomWriterDeps): AtomWriter {
  let cancel: (() => void) | null = null;
  let agedAt = 0;
  const painted = createPaintTimes(now, frame);
  let arrival: { at: number; addresses: Set<string> } = { at: 0, addresses: new Set() };

  function writeTokens(): void {
    for (const address of model.state.dirty.tokens) {
      const token = model.state.tokens.get(address) ?? null;
      store.set(atoms.atom(address), token);
      if (!token) atoms.forget(address);
    }
    model.state.dirty.tokens.clear();
  }

  function flush(): void {
    cancel?.();
    cancel = null;
    if (now() - agedAt >= AGE_EVERY_MS) {
      agedAt = now();
      model.age();
    }
    evict(model.state, atoms.shown);
    // Tokens first: a row must find its token when its list contains it.
    writeTokens();
    const arrived = writeLists(model, store);
    if (arrived.length > 0) arrival = { at: now(), addresses: new Set(arrived) };
    // Totals that have not changed are the same object.
    store.set(statsAtom, model.state.stats.value);
    if (store.get(linkAtom).phase === 'live') painted.note(arrived);
  }

  return {
    schedule() {
      cancel ??= frame(flush);
    },
    flush,
    paintedAt: painted.at,
    justArrived: (address) => now() - arrival.at < JUST_ARRIVED_MS && arrival.addresses.has(address),
    stop() {
      cancel?.();
      cancel = null;
    },
  };
}

/** Sets the changed list atoms; returns the addresses new at the top of `all`. */
function writeLists(model: FeedModel, store: Store): string[] {
  const arrived: string[] = [];
  for (const name of listNames) {
    const before = store.get(listAtoms[name]);
    const isComplete = model.missing() === null && !model.outdated().has(name);
    if (!model.state.dirty.lists.has(name) && before.complete === isComplete) continue;
    const next = viewOf(model, name, isComplete, before);
    if (name === 'all' && before.fetchedAt !== null) arrived.push(...added(before.addresses, next.addresses));
    store.set(listAtoms[name], next);
  }
  model.state.dirty.lists.clear();
  return arrived;
}

function createPaintTimes(now: () => number, frame: AtomWriterDeps['frame']) {
  const painted = new Map<string, number>();
  return {
    at: (address: string) => painted.get(address) ?? null,
    note(addresses: readonly string[]): void {
      if (addresses.length === 0) return;
      // By the frame after the one that shows them the browser has painted.
      frame(() => {
        for (const address of addresses) if (!painted.has(address)) painted.set(address, now());
        for (const address of painted.keys()) {
          if (painted.size <= PAINTED_MAX) break;
          painted.delete(address);
        }
      });
    },
  };
}

function viewOf(model: FeedModel, name: ListName, complete: boolean, before: ListView): ListView {
  const list = model.state.lists[name];
  const same =
    before.addresses.length === list.addresses.length &&
    before.addresses.every((address, at) => address === list.addresses[at]);
  return {
    // The same array while the rows are the same, so that a changed total does not sort and repaint the list.
    addresses: same ? before.addresses : [...list.addresses],
    fetchedAt: list.fetchedAt,
    more: list.more,
    total: list.total,
    complete,
  };
}

/** Returns the addresses at the top of the list that were not in it before. */
function added(before: readonly string[], after: readonly string[]): string[] {
  const known = new Set(before);
  return after.filter((address, at) => at < after.length - before.length + 1 && !known.has(address));
}
