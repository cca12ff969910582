import type { Store } from '../../store.ts';
import { type ListName, listNames } from '../model/lists.ts';
import type { FeedModel } from '../model/model.ts';
import { evict } from '../model/state.ts';
import { type ListView, linkAtom, listAtoms, type TokenAtoms } from './atoms.ts';

/** Tokens whose time of painting is remembered. */
const PAINTED_MAX = 500;
/** A row of a token that arrived within this long fades in; a row that was scrolled to does not. */
const JUST_ARRIVED_MS = 400;
/** How often tokens that passed the hour leave the list of new ones. */
const AGE_EVERY_MS = 5_000;

/** Sets the atoms from the model, at most once per animation frame however many events arrived in between. */
export interface Applier {
  /** Something in the model changed. */
  touch(): void;
  /** Sets the atoms now. */
  flush(): void;
  /** When a token was first on screen, epoch ms by the browser's clock; null when it was not seen to arrive. */
  paintedAt(address: string): number | null;
  /** Whether the token came with the feed a moment ago. */
  justArrived(address: string): boolean;
  stop(): void;
}

export interface ApplierDeps {
  model: FeedModel;
  store: Store;
  atoms: TokenAtoms;
  now: () => number;
  /** Runs a function at the next animation frame; returns the way to cancel it. */
  frame: (run: () => void) => () => void;
  setStats: (model: FeedModel) => void;
}

export function createApplier({ model, store, atoms, now, frame, setStats }: ApplierDeps): Applier {
  let cancel: (() => void) | null = null;
  let agedAt = 0;
  let lastComplete = new Map<ListName, boolean>();
  const painted = new Map<string, number>();
  let arrival: { at: number; addresses: Set<string> } = { at: 0, addresses: new Set() };

  function flushTokens(): void {
    for (const address of model.state.dirty.tokens) {
      const token = model.state.tokens.get(address) ?? null;
      store.set(atoms.atom(address), token);
      if (!token) atoms.forget(address);
    }
    model.state.dirty.tokens.clear();
  }

  function flushLists(): string[] {
    const arrived: string[] = [];
    const complete = new Map<ListName, boolean>();
    for (const name of listNames) {
      const whole = model.missing() === null && !model.outdated().has(name);
      complete.set(name, whole);
      if (!model.state.dirty.lists.has(name) && lastComplete.get(name) === whole) continue;
      const before = store.get(listAtoms[name]);
      const next = viewOf(model, name, whole, before);
      if (name === 'newest' && before.fetchedAt !== null) arrived.push(...added(before.addresses, next.addresses));
      store.set(listAtoms[name], next);
    }
    lastComplete = complete;
    model.state.dirty.lists.clear();
    return arrived;
  }

  /** The frame after the one that shows them: by then the browser has painted. */
  function notePainted(addresses: string[]): void {
    if (addresses.length === 0) return;
    frame(() => {
      for (const address of addresses) if (!painted.has(address)) painted.set(address, now());
      for (const address of painted.keys()) {
        if (painted.size <= PAINTED_MAX) break;
        painted.delete(address);
      }
    });
  }

  function flush(): void {
    cancel?.();
    cancel = null;
    if (now() - agedAt >= AGE_EVERY_MS) {
      agedAt = now();
      model.age();
    }
    evict(model.state, atoms.shown);
    // Tokens first: a row must find its token when its list names it.
    flushTokens();
    const arrived = flushLists();
    if (arrived.length > 0) arrival = { at: now(), addresses: new Set(arrived) };
    if (model.state.dirty.stats) setStats(model);
    model.state.dirty.stats = false;
    if (store.get(linkAtom).phase === 'live') notePainted(arrived);
  }

  return {
    touch() {
      cancel ??= frame(flush);
    },
    flush,
    paintedAt: (address) => painted.get(address) ?? null,
    justArrived: (address) => now() - arrival.at < JUST_ARRIVED_MS && arrival.addresses.has(address),
    stop() {
      cancel?.();
      cancel = null;
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

/** Addresses at the top of the list that were not there before. */
function added(before: readonly string[], after: readonly string[]): string[] {
  const known = new Set(before);
  return after.filter((address, at) => at < after.length - before.length + 1 && !known.has(address));
}
