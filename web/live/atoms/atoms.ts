import type { Token, TokenStats } from '../../../common/tokens/model.ts';
import { atom, type PrimitiveAtom } from '../../store.ts';
import type { ListName } from '../model/lists.ts';

/** A list as pages see it. Its array stays the same object while its rows are the same. */
export interface ListView {
  addresses: readonly string[];
  /** Time of the latest response by the browser's clock, epoch ms; null before the first. */
  fetchedAt: number | null;
  more: boolean;
  total: number | null;
  /** False while events are missing from it (F4). */
  complete: boolean;
}

/** Calls in progress for a list, and the errors of the latest ones as texts for the user. */
export interface LoadState {
  loading: boolean;
  loadingOlder: boolean;
  /** The list from its newest row on could not be fetched. */
  error: string | null;
  /** The page after the last row could not be fetched. */
  olderError: string | null;
}

/** State of the socket. `since`: start of this phase by the browser's clock, epoch ms. */
export interface Link {
  phase: 'connecting' | 'live' | 'down' | 'wrong-version';
  since: number;
  /** Round trip, ms; null until measured. */
  roundTrip: number | null;
}

/** Fallback polling: whether it is active, and the times of its latest response and failure (epoch ms). */
export interface PollState {
  active: boolean;
  respondedAt: number | null;
  failedAt: number | null;
}

export const noView: ListView = { addresses: [], fetchedAt: null, more: false, total: null, complete: true };
export const noLoad: LoadState = { loading: false, loadingOlder: false, error: null, olderError: null };

export const listAtoms: Record<ListName, PrimitiveAtom<ListView>> = {
  all: atom(noView),
  new: atom(noView),
  runners: atom(noView),
  mightRun: atom(noView),
};

export const loadAtoms: Record<ListName, PrimitiveAtom<LoadState>> = {
  all: atom(noLoad),
  new: atom(noLoad),
  runners: atom(noLoad),
  mightRun: atom(noLoad),
};

export const statsAtom = atom<TokenStats | null>(null);
export const linkAtom = atom<Link>({ phase: 'connecting', since: 0, roundTrip: null });
/**
 * Whether the socket is up and its rooms are joined. For queries and pages: `linkAtom` also changes with each measurement of the
 * round trip.
 */
export const isLiveAtom = atom((get) => get(linkAtom).phase === 'live');
export const pollAtom = atom<PollState>({ active: false, respondedAt: null, failedAt: null });
/**
 * Whether the feed has just started, and its rooms are not joined yet. Ends with a failed attempt, and when polling begins.
 * Data that room events change is fetched afterwards: an earlier response may miss a change.
 */
export const joiningAtom = atom((get) => {
  const { phase, since } = get(linkAtom);
  return phase === 'connecting' && since > 0 && !get(pollAtom).active;
});
/** False while the browser reports that it has no network. */
export const onlineAtom = atom(true);

/**
 * One atom per token, so that an update repaints the row of that token alone. An atom is dropped with its token once
 * nothing on screen shows it.
 */
export interface TokenAtoms {
  atom(address: string): PrimitiveAtom<Token | null>;
  /** Whether the token is on screen or kept. */
  shown(address: string): boolean;
  /** Keeps tokens of a list, also those that are scrolled out of sight. Returns the function that ends it. */
  keep(addresses: readonly string[]): () => void;
  forget(address: string): void;
}

export function createTokenAtoms(): TokenAtoms {
  const atoms = new Map<string, PrimitiveAtom<Token | null>>();
  const shown = new Set<string>();
  const kept = new Set<ReadonlySet<string>>();
  const isKept = (address: string) => {
    for (const addresses of kept) if (addresses.has(address)) return true;
    return false;
  };
  return {
    atom(address) {
      const known = atoms.get(address);
      if (known) return known;
      const created = atom<Token | null>(null);
      created.onMount = () => {
        shown.add(address);
        // A row may mount an atom again that was dropped while the row was off screen.
        atoms.set(address, created);
        return () => shown.delete(address);
      };
      atoms.set(address, created);
      return created;
    },
    shown: (address) => shown.has(address) || isKept(address),
    keep(addresses) {
      const one = new Set(addresses);
      kept.add(one);
      return () => void kept.delete(one);
    },
    forget(address) {
      if (!shown.has(address)) atoms.delete(address);
    },
  };
}
