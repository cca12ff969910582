import type { RouterInstance } from '@koa/router';
import { PublicError } from '../../common/errors.ts';
import { walletCalls } from '../../common/wallet/http.ts';
import type { OpenPositionsChoice, Wallet } from '../../common/wallet/model.ts';
import type { AdminActions } from '../audit/admin-actions.ts';
import { actorOf, type RequestActor, type RequestUser, requireOwnerOrAdmin, sessionActorOf } from '../http/caller.ts';
import { register } from '../http/route.ts';
import type { OwnerCheck } from './owner-check.ts';
import { presentKey, presentPrevious, presentWallet } from './present.ts';
import type { WalletChange, Wallets } from './service.ts';

interface WalletRouteDeps {
  wallets: Wallets;
  /** The open positions of a wallet that an administrator replaces. */
  positions: {
    prepare(userId: string, replaced: string, choice: OpenPositionsChoice | undefined, by: RequestActor): Promise<void>;
    abandon(userId: string, walletAddress: string): Promise<void>;
  };
  /** Emits the change: the settings show the wallet too. */
  settings: { walletChanged(userId: string): Promise<void> };
  ownerCheck: OwnerCheck;
  adminActions: AdminActions;
  users: { findActive(userId: string): Promise<unknown> };
}

export function walletRoutes(router: RouterInstance, deps: WalletRouteDeps): void {
  const { wallets, positions, settings, ownerCheck, adminActions, users } = deps;

  register(router, walletCalls.get, async ({ params: { userId } }, { user, ctx }) => {
    await authorizeLook(actorOf(user, ctx), userId, 'wallet');
    return presentWallet(await wallets.find(userId));
  });

  register(router, walletCalls.save, async ({ params: { userId }, body }, { user, ctx, confirmReplacement }) => {
    await authorize(user, userId);
    const present = await wallets.current(userId);
    if (present && present.walletAddress !== body.walletAddress) await confirmReplacement();
    const by = actorOf(user, ctx);
    await ownerCheck.count(by);
    const { positions: choice, ...wallet } = body;
    if (user._id.toHexString() === userId) return emitAndPresent(userId, await wallets.save(userId, wallet, by));
    const change = await wallets.save(userId, wallet, by, async (walletAddress) => {
      await adminActions.authorizeLook(by, userId, 'open positions', 'trading-looked-up');
      await positions.prepare(userId, walletAddress, choice, by);
    });
    // After it, so that a crash in between abandons nothing that can still be sold.
    if (choice === 'abandon' && change.changed && present) await positions.abandon(userId, present.walletAddress);
    return emitAndPresent(userId, change);
  });

  register(router, walletCalls.reveal, async ({ params: { userId }, body }, { user, ctx }) => {
    const by = sessionActorOf(user, ctx);
    await ownerCheck.require(by, userId, body, 'key-reveal-refused');
    const { walletAddress, secretKey } = await wallets.reveal(userId, by);
    const response = presentKey(walletAddress, secretKey);
    secretKey.fill(0);
    ctx.res.once('close', () => response.bytes.fill(0));
    return response;
  });

  register(router, walletCalls.previous, async ({ params: { userId } }, { user, ctx }) => {
    await authorizeLook(actorOf(user, ctx), userId, 'replaced wallets');
    return (await wallets.previous(userId)).map(presentPrevious);
  });

  register(router, walletCalls.recover, async ({ params: { userId }, body }, { user, ctx }) => {
    const by = sessionActorOf(user, ctx);
    await ownerCheck.require(by, userId, body, 'wallet-recover-refused');
    return emitAndPresent(userId, await wallets.recover(userId, body.id, by));
  });

  /** Authorizes the owner, and administrators for any active user. Throws `forbidden` and `not-found`. */
  async function authorize(caller: RequestUser, userId: string): Promise<void> {
    requireOwnerOrAdmin(caller, userId);
    if (caller._id.toHexString() === userId || (await users.findActive(userId))) return;
    throw new PublicError('not-found', { text: 'There is no such user.' });
  }

  /** The same for a look, which is recorded. */
  async function authorizeLook(by: RequestActor, userId: string, what: string): Promise<void> {
    await authorize(by.user, userId);
    await adminActions.authorizeLook(by, userId, what);
  }

  /** Responds after the user's open tabs have received the change. */
  async function emitAndPresent(userId: string, { wallet, changed }: WalletChange): Promise<Wallet> {
    if (changed) await settings.walletChanged(userId);
    return presentWallet(wallet);
  }
}
