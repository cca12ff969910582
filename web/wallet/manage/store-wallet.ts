import { walletCalls } from '../../../common/wallet/http.ts';
import type { Wallet } from '../../../common/wallet/model.ts';
import type { WalletKey } from '../../chain/chain.ts';
import { request } from '../../http/client.ts';
import { queryClientAtom, type Store } from '../../store.ts';
import { applyUserData, userKeys } from '../../users/apply.ts';

/**
 * Sends a new wallet to the server, the one time its key travels. Answers the wallet with what the server says of it;
 * every page that shows the user's wallet is right at once. Throws `HttpError`. Once more with the same key changes nothing.
 */
export async function storeWallet(store: Store, userId: string, key: WalletKey): Promise<WalletKey & Wallet> {
  const { data } = await request(walletCalls.save, { params: { userId }, body: { ...key } });
  takeWallet(store, userId, data);
  return { ...key, ...data, walletAddress: key.walletAddress };
}

/** Takes the server's word on the user's wallet into the cache, and has it asked for again besides. */
export function takeWallet(store: Store, userId: string, wallet: Wallet): void {
  const client = store.get(queryClientAtom);
  applyUserData(client, userId, { subject: 'wallet', op: 'saved', item: wallet });
  void client.invalidateQueries({ queryKey: userKeys.wallet(userId) });
}
