import { atom } from '../store.ts';
import type { ChainLibrary } from './chain.ts';

/** Loads the library as a chunk of its own, for the pages that need it. Tests replace it. */
export const chainLibraryAtom = atom<{ load: () => Promise<ChainLibrary> }>({ load: () => import('./solana.ts') });
