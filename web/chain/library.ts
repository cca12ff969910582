import { atom } from '../store.ts';
import type { ChainLibrary } from './chain.ts';

/** Where the library comes from: a chunk of its own, fetched by the pages that need it. Tests put another one in. */
export const chainLibraryAtom = atom<{ load: () => Promise<ChainLibrary> }>({ load: () => import('./solana.ts') });
