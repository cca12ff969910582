import type { Token, TokenStats } from '../../../common/tokens/model.ts';
import { atom, type PrimitiveAtom } from '../../store.ts';
import type { ListName } from '../model/lists.ts';

/** A list as pages see it. Its array stays the same object while its rows do. */
export interface ListView {
  addresses: readonly string[];
  /** Browser time of the last answer, epoch ms; null before the first. */
  fetchedAt: number | null;
  more: boolean;
  total: number | null;
  /** False while events are known to be missing from it (F4). */
  complete: boolean;
}

/** What is under way for a list, and why it failed last: texts for the user. */
export interface LoadState {
  loading: boolean;
  loadingOlder: boolean;
  /** The list from its newest row on could not be fetched. */
  error: string | null;
  /** The page after the last row could not be fetched. */
  olderError: string | null;
}

/** Where the socket stands. `since`: when this phase began, browser clock, epoch ms. */
export interface Link {
  phase: 'connecting' | 'live' | 'down' | 'outdated';
  since: number;
  /** Round trip in ms; null until measured. */
  roundTrip: number | null;
}

/** Fallback polling: whether it runs, and when it was answered and when it failed last (epoch ms). */
export interface PollState {
  active: boolean;
  answeredAt: number | null;
  failedAt: number | null;
}

const noView: ListView = { addresses: [], fetchedAt: null, more: false, total: null, complete: true };
export const noLoad: LoadState = { loading: false, loadingOlder: false, error: null, olderError: null };

export const listAtoms: Record<ListName, PrimitiveAtom<ListView>> = {
  newest: atom(noView),
  fresh: atom(noView),
  runners: atom(noView),
  mightRun: atom(noView),
  search: atom(noView),
};

export const loadAtoms: Record<ListName, PrimitiveAtom<LoadState>> = {
  newest: atom(noLoad),
  fresh: atom(noLoad),
  runners: atom(noLoad),
  mightRun: atom(noLoad),
  search: atom(noLoad),
};

export const statsAtom = atom<TokenStats | null>(null);
export const linkAtom = atom<Link>({ phase: 'connecting', since: 0, roundTrip: null });
export const pollAtom = atom<PollState>({ active: false, answeredAt: null, failedAt: null });
/** False while the browser says that it has no network. */
export const onlineAtom = atom(true);

/**
 * One atom a token, so that an update repaints the row of that token and nothing else.
 * An atom goes when its token is forgotten and nothing on screen shows it.
 */
export interface TokenAtoms {
  atom(address: string): PrimitiveAtom<Token | null>;
  shown(address: string): boolean;
  forget(address: string): void;
  size(): number;
}

export function createTokenAtoms(): TokenAtoms {
  const atoms = new Map<string, PrimitiveAtom<Token | null>>();
  const shown = new Set<string>();
  return {
    atom(address) {
      const known = atoms.get(address);
      if (known) return known;
      const created = atom<Token | null>(null);
      created.onMount = () => {
        shown.add(address);
        // A row can come back to an atom that was forgotten while it was off screen.
        atoms.set(address, created);
        return () => shown.delete(address);
      };
      atoms.set(address, created);
      return created;
    },
    shown: (address) => shown.has(address),
    forget(address) {
      if (!shown.has(address)) atoms.delete(address);
    },
    size: () => atoms.size,
  };
}
