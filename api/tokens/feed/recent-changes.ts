import { type Clock, MINUTE } from '../../../common/time.ts';
import type { Token, TokenPatch } from '../../../common/tokens/model.ts';
import { applyPatch, type PatchContext } from '../../../common/tokens/patch.ts';

/** Time for which a change is kept, ms. The worker stores each change within a few seconds. */
const KEPT_FOR = 2 * MINUTE;
/** Tokens whose changes are kept, at most, about 1 kB each. */
const MAX_TOKENS = 50_000;

/** The changes of one token: a whole token, patches after it, or both. */
export interface RecentChange {
  /** The token as an event carried it; null without such an event. */
  token: Token | null;
  /** All later patches as one; null without any. */
  patch: TokenPatch | null;
  /** Time of the last patch, and the rate of the last one with a price. */
  context: PatchContext;
  /** Time of the last event, epoch ms. */
  at: number;
}

export type RecentChanges = ReturnType<typeof createRecentChanges>;

/**
 * Creates the memory of the tokens that the feed changed in the last two minutes. A stored token may be some seconds older than the
 * feed: `current` brings it up to date.
 */
export function createRecentChanges(clock: Clock, maxTokens = MAX_TOKENS) {
  /** By address, the token that changed last at the end. */
  const changes = new Map<string, RecentChange>();

  function keep(address: string, change: RecentChange): void {
    changes.delete(address);
    changes.set(address, change);
    const since = change.at - KEPT_FOR;
    for (const [oldest, { at }] of changes) {
      if (at >= since && changes.size <= maxTokens) break;
      changes.delete(oldest);
    }
  }

  return {
    get size() {
      return changes.size;
    },
    /** Adds a token as an event carried it. */
    addToken(token: Token): void {
      const known = changes.get(token.address);
      // Events of lists carry the same state as the update before them.
      if (known !== undefined && versionOf(known) > token.version) return;
      const context = { at: Date.parse(token.lastUpdated), solUsd: null };
      keep(token.address, { token, patch: null, context, at: clock.now() });
    },
    /** Adds a patch of an event. */
    addPatch(patch: TokenPatch, { at, solUsd }: PatchContext): void {
      const known = changes.get(patch.address);
      const merged = mergePatches(known?.patch ?? null, patch);
      // The rate of the price: a market cap that follows from it does not change with the rate of a later event.
      const rate = patch.price === undefined && known !== undefined ? known.context.solUsd : solUsd;
      const context = { at, solUsd: rate };
      keep(patch.address, { token: known?.token ?? null, patch: merged, context, at: clock.now() });
    },
    remove(addresses: Iterable<string>): void {
      for (const address of addresses) changes.delete(address);
    },
    clear(): void {
      changes.clear();
    },
    /** Returns the changes of a token; undefined for one that did not change lately. */
    of: (address: string): RecentChange | undefined => changes.get(address),
    /** Returns the newest known state of a token that was read from the database. */
    current<Read extends Token>(read: Read): Read {
      const change = changes.get(read.address);
      if (change === undefined) return read;
      const base = change.token !== null && change.token.version > read.version ? { ...read, ...change.token } : read;
      return change.patch === null ? base : { ...base, ...applyPatch(base, change.patch, change.context) };
    },
  };
}

function versionOf({ token, patch }: RecentChange): number {
  return patch?.version ?? token?.version ?? 0;
}

/** Returns both patches as one. A market cap that follows from the later price replaces the one of the earlier patch. */
function mergePatches(before: TokenPatch | null, after: TokenPatch): TokenPatch {
  const merged = { ...before, ...after };
  if (after.price !== undefined && after.marketCap === undefined) delete merged.marketCap;
  return merged;
}
