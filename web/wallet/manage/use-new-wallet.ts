import { useRef, useState } from 'react';
import type { WalletKey } from '../../chain/chain.ts';
import { chainLibraryAtom } from '../../chain/library.ts';
import { HttpError } from '../../http/error.ts';
import { useStore } from '../../store.ts';
import { toast } from '../../ui/toast-store.ts';
import { storeWallet } from './store-wallet.ts';

/** A created wallet that the server has not stored: this is the only copy of its key. */
export interface UnsavedWallet {
  key: WalletKey;
  /** Why it is not stored. */
  problem: string;
}

export interface NewWallet {
  busy: 'creating' | 'importing' | null;
  create(): Promise<void>;
  /** Resolves with the error of the key or the import; null when the wallet is stored. */
  importKey(hex: string): Promise<string | null>;
  /** Retries storing the wallet. */
  tryAgain(unsaved: UnsavedWallet): Promise<void>;
}

const toasts = {
  created: { title: 'Wallet Created', description: 'Your Solana wallet has been created successfully.' },
  imported: { title: 'Wallet Imported', description: 'Your Solana wallet has been imported successfully.' },
  notCreated: {
    title: 'Error',
    description: 'Failed to create wallet. Please try again.',
    variant: 'destructive',
  },
  notImported: {
    title: 'Error',
    description: 'Failed to import wallet. Please check your private key and try again.',
    variant: 'destructive',
  },
} as const;

/** Creates and imports wallets, one at a time. Calls `onStored` for every stored wallet. */
export function useNewWallet(
  userId: string,
  on: { stored(key: WalletKey): void; unsaved(unsaved: UnsavedWallet | null): void },
): NewWallet {
  const store = useStore();
  const [busy, setBusy] = useState<NewWallet['busy']>(null);
  const working = useRef<boolean>(false);

  /** One at a time, however fast the user clicks. */
  async function exclusively<Result>(
    kind: 'creating' | 'importing',
    otherwise: Result,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (working.current) return otherwise;
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
      // It may be stored with only the response lost; retrying is safe then.
      on.unsaved({ key, problem: problemOf(reason) });
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
      exclusively('creating', undefined, async () => {
        let key: WalletKey;
        try {
          key = (await store.get(chainLibraryAtom).load()).generateWallet();
        } catch {
          // The library could not be loaded: no key exists yet, so nothing is lost.
          toast(toasts.notCreated);
          return;
        }
        await storeCreated(key);
      }),
    tryAgain: ({ key }) => exclusively('creating', undefined, () => storeCreated(key)),
    importKey: (hex) =>
      exclusively('importing', 'Please wait.', async () => {
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
          return problemOf(reason);
        }
        toast(toasts.imported);
        return null;
      }),
  };
}

function problemOf(reason: unknown): string {
  return reason instanceof HttpError ? reason.message : 'Something went wrong. Please try again.';
}
