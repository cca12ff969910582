import { useMemo } from 'react';
import type { ChainConfig } from '../../common/client-config/model.ts';
import { chainErrorText } from '../chain/chain-error.ts';
import { useChainConfig } from '../chain/config.ts';
import { atomWithQuery, useAtomValue } from '../store.ts';

const NO_CHAIN = 'This server has no Solana cluster configured.';

/** Reads from the node of the configured chain, once for each key, and again by `reload`. */
export function useNode<Data>(key: string, read: (chain: ChainConfig, id: string) => Promise<Data>, id: string) {
  const { chain, error: configError, reload: reloadConfig } = useChainConfig();
  const query = useMemo(
    () =>
      atomWithQuery(() => ({
        queryKey: ['explorer', key, id, chain?.rpcUrl],
        queryFn: () => {
          if (!chain) throw new Error(NO_CHAIN);
          return read(chain, id);
        },
        enabled: chain !== undefined,
        refetchOnMount: 'always' as const,
      })),
    [key, id, chain, read],
  );
  const { data, error, isFetching, refetch } = useAtomValue(query);
  return {
    data,
    error: configError ?? (error === null ? null : chainErrorText(error)),
    loading: isFetching,
    reload: () => (configError === null ? refetch() : reloadConfig()),
  };
}
