import { useCallback, useEffect, useState } from 'react';
import type { ChainConfig } from '../../common/client-config/model.ts';
import { atom, useAtomValue } from '../store.ts';
import type { ChainClient, ChainLibrary } from './chain.ts';
import { useChainConfig } from './config.ts';

/** Loads the library as a chunk of its own, for the pages that need it. Tests replace it. */
export const chainLibraryAtom = atom<{ load: () => Promise<ChainLibrary> }>({ load: () => import('./solana.ts') });

export type ChainState =
  | { state: 'loading' }
  /** No cluster is configured on the server. */
  | { state: 'none' }
  | { state: 'failed'; message: string; retry: () => void }
  | { state: 'ready'; client: ChainClient; config: ChainConfig };

const NOT_LOADED = 'The part of the page that talks to Solana could not be loaded.';

/** Returns the client of the configured cluster. The Solana library loads with the first page that needs it. */
export function useChain(): ChainState {
  const { chain, error, reload } = useChainConfig();
  const library = useAtomValue(chainLibraryAtom);
  const [opened, setOpened] = useState<{ config: ChainConfig; client: ChainClient } | null>(null);
  const [failed, setFailed] = useState(false);

  const open = useCallback(() => {
    if (!chain) return;
    setFailed(false);
    library.load().then(
      ({ openChain }) => setOpened({ config: chain, client: openChain(chain) }),
      () => setFailed(true),
    );
  }, [chain, library]);
  useEffect(open, [open]);

  if (chain === null) return { state: 'none' };
  if (chain === undefined) {
    return error === null ? { state: 'loading' } : { state: 'failed', message: error, retry: reload };
  }
  if (opened?.config === chain) return { state: 'ready', ...opened };
  return failed ? { state: 'failed', message: NOT_LOADED, retry: open } : { state: 'loading' };
}
