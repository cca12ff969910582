import type { TelegramLink } from '../../common/telegram/model.ts';
import type { TelegramLinkRecord } from './links/model.ts';

/** A user's link as their tabs see it; null: no chat is linked. */
export function presentLink(link: TelegramLinkRecord | null): TelegramLink {
  if (!link) return { linked: null };
  const { username, linkedAt, goneAt } = link;
  return { linked: { username, linkedAt: linkedAt.toISOString(), gone: goneAt !== null } };
}
