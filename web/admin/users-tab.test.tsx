import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { adminCalls } from '../../common/admin/http.ts';
import type { AdminUser } from '../../common/admin/model.ts';
import { authCalls } from '../../common/auth/http.ts';
import { errors } from '../../common/errors.ts';
import { sessionAtom } from '../auth/session.ts';
import { linkAtom } from '../live/atoms/atoms.ts';
import { queryClientAtom } from '../store.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { card, findToast, sent } from '../testing/page.ts';
import { type Rendered, renderWithApp, sessionUser } from '../testing/render.tsx';
import { adminUser, serveUsers } from './testing/fixtures.ts';
import { USERS_PAGE, usersKey } from './use-admin-users.ts';
import { UsersTab } from './users-tab.tsx';

const WALLET = 'So11111111111111111111111111111111111111112';
const ann = adminUser(1, { username: 'ann', isAdmin: true, telegramId: '4711', walletAddress: WALLET });
const bob = adminUser(2, { username: 'bob', isActive: false });
const server = fakeServerPerTest();

async function open(users: AdminUser[] = [ann, bob]): Promise<Rendered> {
  serveUsers(server, users);
  const rendered = renderWithApp(<UsersTab totalUsers={null} />, {
    session: sessionUser({ id: ann.id, username: 'ann', isAdmin: true }),
  });
  await screen.findAllByRole('article');
  return rendered;
}

async function toggle(username: string, verb: string): Promise<void> {
  await userEvent.click(within(card(username)).getByRole('button', { name: verb }));
  await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: verb }));
}

test('a card has name, badges, messaging id, wallet, created date and the button [S2.13-05, S9-15]', async () => {
  await open();
  const admin = within(card('ann'));
  expect(admin.getByText('Admin')).toBeVisible();
  expect(admin.getByText('Active')).toBeVisible();
  expect(admin.getByText('4711')).toBeVisible();
  expect(admin.getByRole('button', { name: `Copy wallet address ${WALLET}` })).toHaveTextContent('So111111…1112');
  expect(admin.getByText('2026-02-03')).toHaveAttribute('title', '2026-02-03 04:05:06 UTC');
  expect(admin.getByRole('button', { name: 'Remove Admin' })).toHaveAccessibleDescription('ann');
  const other = within(card('bob'));
  expect(other.queryByText('Admin')).toBeNull();
  expect(other.getByText('Inactive')).toBeVisible();
  expect(other.getByText('Web-only user')).toBeVisible();
  expect(other.getByText('–')).toBeVisible();
  expect(other.getByRole('button', { name: 'Make Admin' })).toBeVisible();
});

test('searches by username or messaging id after a pause in typing [S2.13-04]', async () => {
  await open();
  const box = screen.getByRole('searchbox', { name: 'Search by username or messaging ID' });
  await userEvent.type(box, '47');
  await waitFor(() => expect(screen.queryByRole('article', { name: 'bob' })).toBeNull());
  expect(card('ann')).toBeVisible();
  expect(screen.getByText('1 user')).toBeVisible();
  await userEvent.clear(box);
  await userEvent.type(box, 'zed');
  expect(await screen.findByText('No Matching Users')).toBeVisible();
  const searches = server.requests.map(({ query }) => query.get('q'));
  expect(searches[0]).toBeNull();
  expect(searches).toContain('47');
  expect(searches.at(-1)).toBe('zed');
});

test("'Load more' fetches the next users [S2.13-04]", async () => {
  await open(Array.from({ length: USERS_PAGE + 3 }, (_, index) => adminUser(index)));
  expect(screen.getAllByRole('article')).toHaveLength(USERS_PAGE);
  await userEvent.click(screen.getByRole('button', { name: 'Load more' }));
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(USERS_PAGE + 3));
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  expect(screen.getByText('27 users')).toBeVisible();
});

test('a registration between two page requests shows no user twice', async () => {
  const users = Array.from({ length: USERS_PAGE + 3 }, (_, index) => adminUser(index));
  await open(users);
  users.unshift(adminUser(900));
  await userEvent.click(screen.getByRole('button', { name: 'Load more' }));
  await waitFor(() => expect(screen.getAllByRole('article').length).toBeGreaterThan(USERS_PAGE));
  const names = screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent);
  expect(names).toHaveLength(new Set(names).size);
});

test("another administrator's change appears within a minute while the socket is connected", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const users = [ann, bob];
    const { store } = await open(users);
    store.set(linkAtom, { phase: 'live', since: Date.now(), roundTrip: 1 });
    users[1] = { ...bob, isAdmin: true };
    await vi.advanceTimersByTimeAsync(59_000);
    expect(await within(card('bob')).findByText('Admin')).toBeVisible();
  } finally {
    vi.useRealTimers();
  }
});

test('an open confirmation keeps its question when another administrator changes the user', async () => {
  const users = [ann, { ...bob, isAdmin: true }];
  const { store } = await open(users);
  await userEvent.click(within(card('bob')).getByRole('button', { name: 'Remove Admin' }));
  users[1] = { ...bob, isAdmin: false };
  await store.get(queryClientAtom).invalidateQueries({ queryKey: usersKey });
  const question = within(screen.getByRole('alertdialog', { name: 'Remove bob as an administrator?' }));
  await userEvent.click(question.getByRole('button', { name: 'Remove Admin' }));
  await findToast('User updated');
  expect(sent(server, 'PATCH', `/api/admin/users/${bob.id}`)).toEqual([{ isAdmin: false }]);
});

test('makes and removes an administrator after a confirmation [S4-23, S8.7-12]', async () => {
  await open();
  await userEvent.click(within(card('bob')).getByRole('button', { name: 'Make Admin' }));
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(server.count(adminCalls.changeUser)).toBe(0);
  await toggle('bob', 'Make Admin');
  expect(await findToast('User updated')).toHaveTextContent('Admin status granted successfully');
  expect(within(card('bob')).getByText('Admin')).toBeVisible();
  await toggle('bob', 'Remove Admin');
  await waitFor(async () =>
    expect(await findToast('User updated')).toHaveTextContent('Admin status revoked successfully'),
  );
  expect(await within(card('bob')).findByRole('button', { name: 'Make Admin' })).toBeVisible();
  expect(sent(server, 'PATCH', `/api/admin/users/${bob.id}`)).toEqual([{ isAdmin: true }, { isAdmin: false }]);
});

test('a user who removes their own rights loses them at once [S4-23]', async () => {
  const { store } = await open([ann, { ...bob, isAdmin: true }]);
  server.answer(authCalls.me, { id: ann.id, username: 'ann', isAdmin: false, hasSecondFactor: false });
  await toggle('ann', 'Remove Admin');
  await waitFor(() => expect(store.get(sessionAtom)).toMatchObject({ isAdmin: false }));
});

test('a failure shows an error and changes nothing [S8.7-04]', async () => {
  await open();
  server.fail(adminCalls.changeUser, 'unavailable');
  await toggle('bob', 'Make Admin');
  const toast = await findToast('Update failed');
  expect(toast).toHaveTextContent('Could not update user admin status');
  expect(toast).toHaveAttribute('data-variant', 'destructive');
  expect(within(card('bob')).getByRole('button', { name: 'Make Admin' })).toBeVisible();
});

test('the last administrator keeps the rights, and the reason is shown [S8.7-04]', async () => {
  await open();
  await toggle('ann', 'Remove Admin');
  expect(await findToast('Update failed')).toHaveTextContent(errors['last-admin'].text);
  expect(within(card('ann')).getByText('Admin')).toBeVisible();
});

test("shows 'Failed to fetch users' with a retry button when the response is not OK [S8.1-02]", async () => {
  server.fail(adminCalls.users, 'unavailable');
  renderWithApp(<UsersTab totalUsers={null} />);
  expect(screen.getByRole('status', { name: 'Loading users' })).toBeInTheDocument();
  expect(await screen.findByText('Failed to fetch users')).toBeVisible();
  serveUsers(server, [bob]);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('article', { name: 'bob' })).toBeVisible();
});

test('a 403 shows that there is no permission, whatever its body [S8.1-03]', async () => {
  server.reply(adminCalls.users, () => json({ unrelated: true }, 403));
  renderWithApp(<UsersTab totalUsers={null} />);
  expect(await screen.findByText("You don't have permission to access this resource")).toBeVisible();
});
