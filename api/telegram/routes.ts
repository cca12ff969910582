import type { RouterInstance } from '@koa/router';
import { PublicError } from '../../common/errors.ts';
import { telegramCalls } from '../../common/telegram/http.ts';
import { actorOf } from '../http/caller.ts';
import { register } from '../http/route.ts';
import type { Telegram } from './telegram.ts';

export function telegramRoutes(router: RouterInstance, { telegram }: { telegram: Telegram }): void {
  const { links } = telegram;

  register(router, telegramCalls.status, (_input, { user }) => telegram.status(user.isAdmin));

  register(router, telegramCalls.link, (_input, { user }) => links.of(user._id.toHexString()));

  register(router, telegramCalls.linkCode, async (_input, { user }) => {
    if (!telegram.isConnected()) throw new PublicError('bot-not-connected');
    const { code, expiresAt } = await links.newCode(user._id.toHexString());
    const username = telegram.username();
    const url = username === null ? null : `https://t.me/${username}?start=${code}`;
    return { code, url, expiresAt: expiresAt.toISOString() };
  });

  register(router, telegramCalls.unlink, async (_input, { user, ctx }) => {
    await links.unlink(user._id.toHexString(), actorOf(user, ctx));
    return { linked: null };
  });
}
