import { useRef, useState } from 'react';
import type { WalletKey } from '../../chain/chain.ts';
import { chainLibraryAtom } from '../../chain/library.ts';
import { HttpError } from '../../http/error.ts';
import { useStore } from '../../store.ts';
import { toast } from '../../ui/toast-store.ts';
import { storeWallet } from './store-wallet.ts';

/** A wallet that was made and that the server has not stored: the only copy of its key is here. */
export interface UnsavedWallet {
  key: WalletKey;
  /** Why it is not stored. */
  problem: string;
}

export interface NewWallet {
  busy: 'creating' | 'importing' | null;
  create(): Promise<void>;
  /** Answers what is wrong with the key or the import; null when the wallet is stored. */
  importKey(hex: string): Promise<string | null>;
  /** Stores the wallet that could not be stored. */
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

/** Creates and imports wallets, one at a time. `onStored` hears of every wallet that is stored. */
export function useNewWallet(
  userId: string,
  on: { stored(key: WalletKey): void; unsaved(unsaved: UnsavedWallet | null): void },
): NewWallet {
  const store = useStore();
  const [busy, setBusy] = useState<NewWallet['busy']>(null);
  const working = useRef<boolean>(false);

  /** At most one at a time, however fast somebody clicks. */
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
      // Perhaps it is stored and only the answer was lost: trying again does no harm then.
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
          // The library could not be fetched: there is no key yet, so nothing is lost.
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
