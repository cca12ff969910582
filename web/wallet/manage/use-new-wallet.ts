import { useRef, useState } from 'react';
import { walletCalls } from '../../../common/wallet/http.ts';
import type { Wallet } from '../../../common/wallet/model.ts';
import type { WalletKey } from '../../chain/chain.ts';
import { chainLibraryAtom } from '../../chain/use-chain.ts';
import { request } from '../../http/client.ts';
import { errorText } from '../../http/error.ts';
import { queryClientAtom, type Store, useStore } from '../../store.ts';
import { toast } from '../../ui/toast-store.ts';
import { applyUserData, userKeys } from '../../users/user-cache.ts';

/** A created wallet that the server has not stored, with the only copy of its key. */
export interface UnsavedWallet {
  key: WalletKey;
  /** Error text of the attempt to store it. */
  problem: string;
}

export interface NewWallet {
  busy: 'creating' | 'importing' | null;
  create(): Promise<void>;
  /** Resolves with an error text, or null when the wallet is stored. */
  importKey(hex: string): Promise<string | null>;
  /** Tries to store an unsaved wallet. */
  retry(unsaved: UnsavedWallet): Promise<void>;
}

const toasts = {
  created: { title: 'Wallet Created', description: 'Your Solana wallet has been created successfully.' },
  imported: { title: 'Wallet Imported', description: 'Your Solana wallet has been imported successfully.' },
  notCreated: { title: 'Error', description: 'Failed to create wallet. Please try again.', variant: 'destructive' },
  notImported: {
    title: 'Error',
    description: 'Failed to import wallet. Please check your private key and try again.',
    variant: 'destructive',
  },
} as const;

/** Creates and imports wallets, one at a time. */
export function useNewWallet(
  userId: string,
  on: { stored(key: WalletKey): void; unsaved(unsaved: UnsavedWallet | null): void },
): NewWallet {
  const store = useStore();
  const [busy, setBusy] = useState<NewWallet['busy']>(null);
  const working = useRef<boolean>(false);

  /** Runs one action at a time, however fast the user clicks; resolves with `fallback` while another one runs. */
  async function runExclusive<Result>(
    kind: 'creating' | 'importing',
    fallback: Result,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (working.current) return fallback;
    working.current = true;
    setBusy(kind);
    try {
      return await work();
    } finally {
      working.current = false;
      setBusy(null);
    }
  }

  async function storeCreated(key: WalletKey): Promise<void> {
    try {
      await storeWallet(store, userId, key);
    } catch (reason) {
      // It may be stored and only the response lost; storing it again is harmless.
      on.unsaved({ key, problem: errorText(reason) });
      toast(toasts.notCreated);
      return;
    }
    on.unsaved(null);
    on.stored(key);
    toast(toasts.created);
  }

  return {
    busy,
    create: () =>
      runExclusive('creating', undefined, async () => {
        let key: WalletKey;
        try {
          key = (await store.get(chainLibraryAtom).load()).generateWallet();
        } catch {
          // The library could not be loaded, so there is no key yet and nothing is lost.
          toast(toasts.notCreated);
          return;
        }
        await storeCreated(key);
      }),
    retry: ({ key }) => runExclusive('creating', undefined, () => storeCreated(key)),
    importKey: (hex) =>
      runExclusive('importing', 'Please wait.', async () => {
        try {
          const key = (await store.get(chainLibraryAtom).load()).walletOfKey(hex);
          if (key === null) {
            toast(toasts.notImported);
            return 'This is not the hex form of a 64-byte Solana secret key.';
          }
          await storeWallet(store, userId, key);
          on.stored(key);
        } catch (reason) {
          toast(toasts.notImported);
          return errorText(reason);
        }
        toast(toasts.imported);
        return null;
      }),
  };
}

/** Stores a wallet on the server, the only time its key is sent. Idempotent. Throws `HttpError`. */
async function storeWallet(store: Store, userId: string, key: WalletKey): Promise<void> {
  const { data } = await request(walletCalls.save, { params: { userId }, body: { ...key } });
  applyWallet(store, userId, data);
}

/** Applies the server's wallet to the cache, then refetches it. */
export function applyWallet(store: Store, userId: string, wallet: Wallet): void {
  const client = store.get(queryClientAtom);
  applyUserData(client, userId, { subject: 'wallet', op: 'saved', item: wallet });
  void client.invalidateQueries({ queryKey: userKeys.wallet(userId) });
}
