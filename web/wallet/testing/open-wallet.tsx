import type { SessionUser } from '../../../common/auth/model.ts';
import { configCalls } from '../../../common/client-config/http.ts';
import type { ChainConfig } from '../../../common/client-config/model.ts';
import { transactionCalls } from '../../../common/transactions/http.ts';
import type { Transaction } from '../../../common/transactions/model.ts';
import { walletCalls } from '../../../common/wallet/http.ts';
import type { PreviousWallet, Wallet } from '../../../common/wallet/model.ts';
import { type FakeChain, fakeChain, fakeKey, localConfig } from '../../chain/testing/fake-chain.ts';
import { chainLibraryAtom } from '../../chain/use-chain.ts';
import { createAppStore } from '../../store.ts';
import { type FakeServer, json } from '../../testing/fake-server.ts';
import { type Rendered, renderWithApp, sessionUser } from '../../testing/render.tsx';
import WalletPage from '../wallet-page.tsx';

export const savedAt = '2026-05-01T10:00:00.000Z';
export const noWallet: Wallet = { walletAddress: null, hasKey: false, savedAt: null };
export const password = 'a good password';

/** A wallet as the server sends it. */
export function walletOf(byte: number, hasKey = true): Wallet {
  return { walletAddress: fakeKey(byte).walletAddress, hasKey, savedAt };
}

interface OpenWallet extends Rendered {
  chain: FakeChain;
}

/** Serves the wallet of one user and applies changes to it. */
export function serveWallet(server: FakeServer, wallet: Wallet, previous: PreviousWallet[] = []): void {
  let present = wallet;
  server.answer(walletCalls.get, () => present);
  server.answer(walletCalls.previous, previous);
  server.answer(walletCalls.save, ({ body }) => {
    const { walletAddress } = walletCalls.save.body.parse(body);
    present = { walletAddress, hasKey: true, savedAt };
    return present;
  });
  server.reply(walletCalls.reveal, ({ body }) => {
    if (walletCalls.reveal.body.parse(body).password !== password) {
      return json({ error: 'This is not your password.', code: 'wrong-password' }, 403);
    }
    const key = [1, 2, 100].map(fakeKey).find(({ walletAddress }) => walletAddress === present.walletAddress);
    return json(key ?? { error: 'none', code: 'no-key' }, key ? 200 : 404);
  });
  server.answer(transactionCalls.record, ({ body }) => recorded(transactionCalls.record.body.parse(body)));
}

function recorded({ type, signature, recipient }: { type: Transaction['type']; signature: string; recipient: string }) {
  return {
    id: '1',
    type,
    status: 'pending' as const,
    token: null,
    amount: 1,
    price: null,
    fee: null,
    counterparty: recipient,
    signature,
    cluster: 'local' as const,
    orderId: null,
    profit: null,
    failure: null,
    createdAt: savedAt,
    updatedAt: savedAt,
  };
}

/** Opens the page with a chain in memory. */
export function openWallet(
  server: FakeServer,
  options: { chain?: FakeChain; config?: ChainConfig | null; session?: SessionUser } = {},
): OpenWallet {
  const { chain = fakeChain(), config = localConfig, session = sessionUser() } = options;
  server.answer(configCalls.get, { chain: config, botUsername: null });
  const store = createAppStore();
  store.set(chainLibraryAtom, { load: async () => chain.library });
  return { ...renderWithApp(<WalletPage />, { path: '/app/wallet', store, session }), chain };
}
