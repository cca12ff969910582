import { adminCalls } from '../../../common/admin/http.ts';
import type { AdminStats, AdminUser } from '../../../common/admin/model.ts';
import { errors } from '../../../common/errors.ts';
import { TOTAL_COUNT_HEADER } from '../../../common/live/protocol.ts';
import { type FakeServer, json } from '../../testing/fake-server.ts';
import { id } from '../../testing/page.ts';

export const stats: AdminStats = {
  users: { total: 1_234, active: 1_200 },
  tokens: { total: 56_789, last24h: 321 },
  scanners: { lastTokenScan: null, lastXPostScan: null },
};

/** A user without a linked chat. */
export function adminUser(number: number, fields: Partial<AdminUser> = {}): AdminUser {
  return {
    id: id(number),
    username: `user-${number}`,
    isAdmin: false,
    isActive: true,
    createdAt: '2026-02-03T04:05:06.000Z',
    ...fields,
  };
}

/** Serves users: searched by the start of name or chat id, with at least one administrator at all times. */
export function serveUsers(server: FakeServer, users: AdminUser[]): AdminUser[] {
  server.reply(adminCalls.users, ({ query }) => {
    const { q = '', limit, skip } = adminCalls.users.query.parse(Object.fromEntries(query));
    const found = users.filter(({ username, telegramId }) => username.startsWith(q) || telegramId?.startsWith(q));
    const page = adminCalls.users.output.parse(found.slice(skip, skip + limit));
    return json(page, 200, { [TOTAL_COUNT_HEADER]: String(found.length) });
  });
  server.reply(adminCalls.changeUser, ({ params, body }) => {
    const { isAdmin } = adminCalls.changeUser.body.parse(body);
    const index = users.findIndex((one) => one.id === params.id);
    const before = users[index];
    if (before === undefined) return json({ error: errors['not-found'].text, code: 'not-found' }, 404);
    if (!isAdmin && !users.some((one) => one.isAdmin && one !== before)) {
      return json({ error: errors['last-admin'].text, code: 'last-admin' }, 409);
    }
    users[index] = { ...before, isAdmin };
    return json(users[index]);
  });
  return users;
}
