import type { Token, TokenStats } from '../../../common/tokens/model.ts';
import { emptyList, insert, type List, type ListName, listCapacity, listNames, MAX_TOKENS, remove } from './lists.ts';

/** What the client knows of the market: plain data, from which the atoms are set. */
export interface MarketState {
  tokens: Map<string, Token>;
  lists: Record<ListName, List>;
  /** Totals of the stat cards, and the last event that is counted in them. */
  stats: { value: TokenStats | null; countedTo: number };
  /** Tokens whose versions can't be compared any more, because events were missed: the next answer replaces them. */
  distrusted: Set<string>;
  /** When each token's sparkline last got a point from the feed, epoch ms. */
  sparkedAt: Map<string, number>;
  /** What changed since the atoms were set last. */
  dirty: { tokens: Set<string>; lists: Set<ListName>; stats: boolean };
}

export function emptyState(): MarketState {
  return {
    tokens: new Map(),
    lists: {
      newest: emptyList(),
      fresh: emptyList(),
      runners: emptyList(),
      mightRun: emptyList(),
      search: emptyList(),
    },
    stats: { value: null, countedTo: 0 },
    distrusted: new Set(),
    sparkedAt: new Map(),
    dirty: { tokens: new Set(), lists: new Set(), stats: false },
  };
}

/** Takes a token in if it is newer than what is known (F5). */
export function upsert(state: MarketState, token: Token): void {
  const known = state.tokens.get(token.address);
  const outdated = !known || known.version < token.version || state.distrusted.has(token.address);
  if (!outdated) return;
  state.tokens.set(token.address, token);
  state.distrusted.delete(token.address);
  state.dirty.tokens.add(token.address);
}

/** Puts a known token into a list. */
export function enter(state: MarketState, name: ListName, address: string): void {
  const token = state.tokens.get(address);
  if (token && insert(state.lists[name], token, state.tokens, listCapacity[name])) state.dirty.lists.add(name);
}

export function leave(state: MarketState, name: ListName, address: string): void {
  if (remove(state.lists[name], address)) state.dirty.lists.add(name);
}

/** Forgets a token entirely. */
export function forget(state: MarketState, address: string): void {
  if (state.tokens.delete(address)) state.dirty.tokens.add(address);
  state.distrusted.delete(address);
  state.sparkedAt.delete(address);
  for (const name of listNames) leave(state, name, address);
}

/** Drops the tokens that came first and that no list and nothing on screen (`shown`) needs, until the bound is kept. */
export function evict(state: MarketState, shown: (address: string) => boolean, max: number = MAX_TOKENS): void {
  if (state.tokens.size <= max) return;
  const listed = new Set(listNames.flatMap((name) => state.lists[name].addresses));
  for (const address of state.tokens.keys()) {
    if (state.tokens.size <= max) return;
    if (listed.has(address) || shown(address)) continue;
    state.tokens.delete(address);
    state.distrusted.delete(address);
    state.sparkedAt.delete(address);
    state.dirty.tokens.add(address);
  }
}
