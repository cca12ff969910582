import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { auditCalls } from '../../common/audit/http.ts';
import type { AuditEntry } from '../../common/audit/model.ts';
import { AccountActivity } from '../settings/settings-page.tsx';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { id, USER_ID } from '../testing/page.ts';
import { renderWithApp, sessionUser } from '../testing/render.tsx';
import AuditPage from './audit-page.tsx';
import { AUDIT_PAGE } from './use-audit.ts';

const server = fakeServerPerTest();

function entry(number: number, fields: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: id(number),
    at: '2026-02-03T04:05:06.000Z',
    action: 'admin-granted',
    actor: `admin-${number}`,
    subject: 'bob',
    object: null,
    address: '127.0.0.1',
    ...fields,
  };
}

const rows = () => screen.getAllByRole('row').slice(1);
const cells = (row: HTMLElement | undefined) =>
  within(row ?? document.body)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);

test('an entry has time, actor, action, subject, object and address', async () => {
  server.answer(auditCalls.list, {
    entries: [
      entry(2, { action: 'login-failed', actor: 'unknown', subject: null, object: 'carol', address: '10.0.0.9' }),
      entry(1, { actor: 'ann' }),
    ],
    next: null,
  });
  renderWithApp(<AuditPage />, { path: '/app/admin/audit' });
  const table = await screen.findByRole('table', { name: 'Audit log' });
  const headings = within(table).getAllByRole('columnheader');
  expect(headings.map((one) => one.textContent)).toEqual(['When', 'Who', 'What', 'Whose', 'On what', 'From']);
  const [failed, granted] = rows();
  for (const text of ['unknown', 'Login failed', 'carol', '10.0.0.9']) expect(failed).toHaveTextContent(text);
  expect(cells(failed)[3]).toContain('–');
  for (const text of ['2026-02-03 04:05:06 UTC', 'ann', 'Admin status granted', 'bob', '127.0.0.1']) {
    expect(granted).toHaveTextContent(text);
  }
  expect(document.title).toBe('Audit log · Mintwatch');
});

test('settings and modes of trading have the labels of the settings page', async () => {
  const changed = (number: number, action: AuditEntry['action'], object: string) => entry(number, { action, object });
  const entries = [
    changed(1, 'trading-protections-changed', 'stopLossGuard off, guardLockMs'),
    changed(2, 'trading-limits-changed', 'perTradeLamports, maxOpen'),
    changed(3, 'trading-limits-changed', 'maximum of a purchase by bot'),
    changed(4, 'trading-mode-changed', 'paper'),
    changed(5, 'live-trading-on', 'live'),
    changed(6, 'template-changed', 'paper'),
  ];
  server.answer(auditCalls.list, { entries, next: null });
  renderWithApp(<AuditPage />, { path: '/app/admin/audit' });
  await screen.findByRole('table');
  expect(rows().map((row) => cells(row)[4])).toEqual([
    'Stop-loss guard off · Stop-loss guard: Lock for',
    'Most per trade · Open positions: At most',
    'maximum of a purchase by bot',
    'Paper',
    'Mainnet (beta)',
    'paper',
  ]);
});

test('loads entries page by page, filtered by action and user', async () => {
  const stored = Array.from({ length: AUDIT_PAGE + 1 }, (_, index) => entry(index + 1));
  server.answer(auditCalls.list, ({ query }) => {
    const { limit, before, action, user } = auditCalls.list.query.parse(Object.fromEntries(query));
    const matching = stored.filter(
      (one) => (!action || one.action === action) && (!user || one.actor === user || one.subject === user),
    );
    const start = before === undefined ? 0 : matching.findIndex((one) => one.id === before) + 1;
    const entries = matching.slice(start, start + limit);
    return { entries, next: start + limit < matching.length ? (entries.at(-1)?.id ?? null) : null };
  });
  renderWithApp(<AuditPage />, { path: '/app/admin/audit' });
  await screen.findByRole('table');
  expect(rows()).toHaveLength(AUDIT_PAGE);
  await userEvent.click(screen.getByRole('button', { name: 'Load more' }));
  await waitFor(() => expect(rows()).toHaveLength(AUDIT_PAGE + 1));
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();

  await userEvent.type(screen.getByRole('searchbox'), 'admin-7');
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(rows()[0]).toHaveTextContent('admin-7');

  await userEvent.click(screen.getByRole('combobox', { name: 'Action' }));
  await userEvent.click(screen.getByRole('option', { name: 'Login failed' }));
  expect(await screen.findByText('No Matching Entries')).toBeVisible();
  const query = server.requests.at(-1)?.query;
  expect([query?.get('action'), query?.get('user')]).toEqual(['login-failed', 'admin-7']);
});

test('shows an error with a retry button when the log fails to load', async () => {
  server.fail(auditCalls.list, 'unavailable');
  renderWithApp(<AuditPage />, { path: '/app/admin/audit' });
  expect(await screen.findByText('Failed to fetch the audit log')).toBeVisible();
  server.answer(auditCalls.list, { entries: [], next: null });
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('No Entries')).toBeVisible();
});

test('a user sees the entries about their account after opening them', async () => {
  server.answer(auditCalls.ofUser, {
    entries: [entry(1, { action: 'user-looked-up', actor: 'ann', address: null })],
    next: null,
  });
  renderWithApp(<AccountActivity />, { session: sessionUser({ id: USER_ID }) });
  expect(server.requests).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Show' }));
  const table = await screen.findByRole('table', { name: 'Account activity' });
  expect(within(table).getByText('User looked up')).toBeVisible();
  expect(within(table).getByText('ann')).toBeVisible();
  expect(cells(rows()[0]).at(-1)).toBe('from –');
  expect(server.requests.map(({ path }) => path)).toEqual([`/api/users/${USER_ID}/audit`]);
  await userEvent.click(screen.getByRole('button', { name: 'Hide' }));
  expect(screen.queryByRole('table')).toBeNull();
});
