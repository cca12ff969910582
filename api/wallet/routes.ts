import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import { PublicError } from '../../common/errors.ts';
import { walletCalls } from '../../common/wallet/http.ts';
import type { Wallet } from '../../common/wallet/model.ts';
import { requireOwn } from '../http/authorize.ts';
import { addressKey } from '../http/rate-limits.ts';
import { register } from '../http/route.ts';
import type { SettingsService } from '../settings/service.ts';
import type { UserRecord } from '../users/model.ts';
import type { Users } from '../users/service.ts';
import type { OwnerCheck } from './owner-check.ts';
import { presentPrevious, presentWallet } from './present.ts';
import type { WalletChange, Wallets } from './service.ts';

export function walletRoutes(
  router: RouterInstance,
  deps: { wallets: Wallets; settings: SettingsService; ownerCheck: OwnerCheck; users: Users },
): void {
  const { wallets, settings, ownerCheck, users } = deps;

  register(router, walletCalls.get, async ({ params: { userId } }, { user }) => {
    await requireWalletOf(user, userId);
    return presentWallet(await wallets.find(userId));
  });

  register(router, walletCalls.save, async ({ params: { userId }, body }, { user, ctx }) => {
    await requireWalletOf(user, userId);
    const by = actor(user, ctx);
    await ownerCheck.count(by);
    return told(userId, await wallets.save(userId, body, by));
  });

  register(router, walletCalls.reveal, async ({ params: { userId }, body }, { user, ctx }) => {
    const by = actor(user, ctx);
    await ownerCheck.require(by, userId, body.password, 'key-reveal-refused');
    return wallets.reveal(userId, by);
  });

  register(router, walletCalls.previous, async ({ params: { userId } }, { user }) => {
    await requireWalletOf(user, userId);
    return (await wallets.previous(userId)).map(presentPrevious);
  });

  register(router, walletCalls.recover, async ({ params: { userId }, body }, { user, ctx }) => {
    const by = actor(user, ctx);
    await ownerCheck.require(by, userId, body.password, 'wallet-recover-refused');
    return told(userId, await wallets.recover(userId, body.id, by));
  });

  /** What belongs to the caller; for administrators, to anybody there is. */
  async function requireWalletOf(caller: UserRecord, userId: string): Promise<void> {
    requireOwn(caller, userId);
    const isOwn = caller._id.toHexString() === userId;
    if (!isOwn && !(await users.active(userId))) throw new PublicError('not-found', { text: 'There is no such user.' });
  }

  /** The answer, after the user's open tabs have heard of the change. */
  async function told(userId: string, { wallet, changed }: WalletChange): Promise<Wallet> {
    if (changed) await settings.tellWallet(userId);
    return presentWallet(wallet);
  }
}

/** Who is calling, for the audit. */
export function actor(user: UserRecord, ctx: Koa.Context) {
  return { user, address: addressKey(ctx.ip) };
}
