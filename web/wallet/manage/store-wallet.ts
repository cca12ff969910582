import { walletCalls } from '../../../common/wallet/http.ts';
import type { Wallet } from '../../../common/wallet/model.ts';
import type { WalletKey } from '../../chain/chain.ts';
import { request } from '../../http/client.ts';
import { queryClientAtom, type Store } from '../../store.ts';
import { applyUserData, userKeys } from '../../users/apply.ts';

/**
 * Stores a new wallet on the server, the only time its key is sent. Resolves with the wallet as the server returned it;
 * every page that shows the user's wallet updates at once. Throws `HttpError`. Repeating it with the same key changes
 * nothing.
 */
export async function storeWallet(store: Store, userId: string, key: WalletKey): Promise<WalletKey & Wallet> {
  const { data } = await request(walletCalls.save, { params: { userId }, body: { ...key } });
  takeWallet(store, userId, data);
  return { ...key, ...data, walletAddress: key.walletAddress };
}

/** Writes the server's state of the user's wallet into the cache and refetches it. */
export function takeWallet(store: Store, userId: string, wallet: Wallet): void {
  const client = store.get(queryClientAtom);
  applyUserData(client, userId, { subject: 'wallet', op: 'saved', item: wallet });
  void client.invalidateQueries({ queryKey: userKeys.wallet(userId) });
}
