import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { authCalls } from '../../common/auth/http.ts';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import { request } from '../http/client.ts';
import { HttpError } from '../http/error.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { type Rendered, renderWithApp, sessionUser } from '../testing/render.tsx';
import { PasswordPrompt } from './password-prompt.tsx';
import { SecurityCard } from './security-card.tsx';

const server = fakeServerPerTest();

function open({ hasSecondFactor = false } = {}): Rendered {
  const page = (
    <>
      <SecurityCard />
      <PasswordPrompt />
    </>
  );
  return renderWithApp(page, { path: '/app/settings', session: sessionUser({ hasSecondFactor }) });
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const type = (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text);
const bodiesOf = (path: string) => server.requests.filter((one) => one.path === path).map(({ body }) => body);
/** Presses the button of the dialog, whose name a button of the page may have as well. */
const pressInDialog = async (name: string) =>
  userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }));

describe('the password', () => {
  test('is changed with the current one', async () => {
    server.answer(authCalls.changePassword, { ok: true });
    open();
    await press('Change password');
    await type('Current password', 'old one');
    await type('New password', 'correct horse');
    await type('Confirm new password', 'correct hors');
    await pressInDialog('Change password');
    expect(await screen.findByText("Passwords don't match")).toBeVisible();
    await type('Confirm new password', 'e');
    await pressInDialog('Change password');
    expect(await screen.findByText('Password changed')).toBeVisible();
    expect(bodiesOf('/api/auth/password')).toEqual([{ currentPassword: 'old one', newPassword: 'correct horse' }]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('shows why the server refuses it, beside the field', async () => {
    const reason = 'This is one of the most common passwords. Please choose another one.';
    const body = { error: reason, code: 'invalid-input', details: { newPassword: [reason] } };
    server.reply(authCalls.changePassword, () => json(body, 400));
    open();
    await press('Change password');
    await type('Current password', 'old one');
    await type('New password', 'password');
    await type('Confirm new password', 'password');
    await pressInDialog('Change password');
    await waitFor(() => expect(screen.getByLabelText('New password')).toHaveAccessibleDescription(reason));
  });
});

describe('two-step login', () => {
  test('is set up with a QR code and a code of the app, and shows the recovery codes once', async () => {
    const codes = ['AAAA-BBBB-CCCC-DDDD', 'EEEE-FFFF-GGGG-HHHH'];
    server.answer(authCalls.setUpSecondFactor, { secret: 'ABCDEFGHIJKLMNOP', uri: 'otpauth://totp/Mintwatch:trader' });
    server.answer(authCalls.enableSecondFactor, { recoveryCodes: codes });
    server.answer(authCalls.me, sessionUser({ hasSecondFactor: true }));
    open();
    await press('Set up');
    expect(await screen.findByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
    expect(screen.getByText('ABCD EFGH IJKL MNOP')).toBeVisible();
    expect(screen.getByText(/Your other sessions end\./)).toBeVisible();
    await type('Code of the app', '12345');
    await press('Switch on');
    expect(await screen.findByText('Please enter the 6 digits of the app, or a recovery code.')).toBeVisible();
    await type('Code of the app', '6');
    await press('Switch on');
    const list = await screen.findByRole('list', { name: 'Recovery codes' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(codes);
    expect(bodiesOf('/api/auth/second-factor')).toEqual([{ code: '123456' }]);
    await press('I have saved them');
    expect(await screen.findByRole('button', { name: 'Switch off' })).toBeVisible();
    expect(screen.queryByRole('list', { name: 'Recovery codes' })).toBeNull();
  });

  test('is switched off with password and code; a wrong code shows at its field', async () => {
    const body = {
      error: 'This code is not valid.',
      code: 'wrong-code',
      details: { code: ['This code is not valid.'] },
    };
    server.reply(authCalls.disableSecondFactor, () => json(body, 403));
    server.answer(authCalls.me, sessionUser());
    open({ hasSecondFactor: true });
    await press('Switch off');
    await type('Password', 'correct horse');
    await type('Code', '000000');
    await pressInDialog('Switch off');
    await waitFor(() => expect(screen.getByLabelText('Code')).toHaveAccessibleDescription('This code is not valid.'));
    server.answer(authCalls.disableSecondFactor, { ok: true });
    await pressInDialog('Switch off');
    expect(await screen.findByText('Two-step login is off')).toBeVisible();
    expect(bodiesOf('/api/auth/second-factor/off')[1]).toEqual({ password: 'correct horse', code: '000000' });
  });
});

test('sessions are listed with device and address, and ended one by one or all others at once', async () => {
  const at = '2026-11-22T10:00:00.000Z';
  const common = { createdAt: at, lastUsedAt: at, endsAt: '2026-12-22T10:00:00.000Z' };
  const own = { ...common, id: 'a'.repeat(24), device: 'Firefox on Windows', address: '127.0.0.1', isCurrent: true };
  const other = { ...common, id: 'b'.repeat(24), device: null, address: '203.0.113.7', isCurrent: false };
  let sessions = [own, other];
  server.answer(authCalls.sessions, () => sessions);
  server.answer(authCalls.endSession, () => {
    sessions = [own];
    return { ok: true as const };
  });
  server.answer(authCalls.endOtherSessions, { ended: 1 });
  open();
  await press('Show sessions');
  const list = await screen.findByRole('list', { name: 'Sessions' });
  expect(within(list).getByText('· this session')).toBeVisible();
  expect(within(list).getByText(/203\.0\.113\.7/)).toBeVisible();
  await press('End all other sessions');
  expect(await screen.findByText('1 session')).toBeVisible();
  await press('End the session of Unknown browser');
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(1));
  expect(server.requests.some(({ method, path }) => method === 'DELETE' && path.endsWith(other.id))).toBe(true);
});

describe('a call that needs a recent password', () => {
  const { removeAllTokens } = maintenanceCalls;

  test('asks once for all that wait, and repeats them', async () => {
    let isConfirmed = false;
    const removed = { message: 'done', count: 1 };
    server.reply(removeAllTokens, () =>
      isConfirmed ? json(removed) : json({ error: 'Please enter your password.', code: 'password-needed' }, 403),
    );
    server.answer(authCalls.confirm, () => {
      isConfirmed = true;
      return { ok: true as const };
    });
    open();
    const calls = Promise.all([request(removeAllTokens), request(removeAllTokens)]);
    expect(await screen.findByRole('dialog', { name: 'Is it you?' })).toBeVisible();
    await type('Password', 'correct horse');
    await press('Continue');
    expect((await calls).map(({ data }) => data)).toEqual([removed, removed]);
    expect(bodiesOf('/api/auth/confirm')).toEqual([{ password: 'correct horse' }]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('fails with the reason when the question is cancelled', async () => {
    server.fail(removeAllTokens, 'password-needed');
    open();
    const call = request(removeAllTokens).catch((reason: unknown) => reason);
    await screen.findByRole('dialog');
    await press('Cancel');
    const failure = await call;
    expect(failure).toBeInstanceOf(HttpError);
    expect(failure).toMatchObject({ code: 'password-needed' });
    expect(server.count(removeAllTokens)).toBe(1);
  });

  test('asks for a code as well while two-step login is on', async () => {
    server.fail(removeAllTokens, 'password-needed');
    open({ hasSecondFactor: true });
    const call = request(removeAllTokens).catch(() => null);
    expect(await screen.findByLabelText('Code')).toBeVisible();
    await press('Cancel');
    await call;
  });
});
