import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { authCalls } from '../../common/auth/http.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { findToast } from '../testing/page.ts';
import { type Rendered, renderWithApp } from '../testing/render.tsx';
import { passTime } from '../testing/settle.ts';
import AuthPage, { FEATURE_STEP_MS } from './auth-page.tsx';
import { sessionAtom } from './session.ts';

const server = fakeServerPerTest();

function open(): Rendered {
  return renderWithApp(<AuthPage />, { path: '/auth', session: null });
}

async function fillIn(fields: { username?: string; password?: string; confirm?: string }): Promise<void> {
  for (const [label, text] of [
    ['Username', fields.username],
    ['Password', fields.password],
    ['Confirm password', fields.confirm],
  ] as const) {
    if (text === undefined) continue;
    await userEvent.click(screen.getByLabelText(label));
    // Pasted, since typing would render the form once per key.
    await userEvent.paste(text);
  }
}

async function openRegister(): Promise<Rendered> {
  const rendered = open();
  await userEvent.click(screen.getByRole('tab', { name: 'Register' }));
  return rendered;
}

const submitLogin = () => userEvent.click(screen.getByRole('button', { name: 'Access Dashboard' }));
const submitRegistration = () => userEvent.click(screen.getByRole('button', { name: 'Create Account' }));

describe('the page', () => {
  test('has the modes login and register; the default is login [S2.4-01]', () => {
    open();
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Login', 'Register']);
    expect(screen.getByRole('tab', { name: 'Login' })).toHaveAttribute('aria-selected', 'true');
  });

  test('login has username, password and Access Dashboard [S2.4-02]', () => {
    open();
    const panel = within(screen.getByRole('tabpanel'));
    expect(panel.getByLabelText('Username')).toHaveAttribute('name', 'username');
    expect(panel.getByLabelText('Password')).toHaveAttribute('type', 'password');
    expect(panel.queryByLabelText('Confirm password')).toBeNull();
    expect(panel.getByRole('button', { name: 'Access Dashboard' })).toHaveAttribute('type', 'submit');
  });

  test('register has username, password, confirmPassword and Create Account [S2.4-03]', async () => {
    await openRegister();
    const panel = within(screen.getByRole('tabpanel'));
    expect(panel.getByLabelText('Username')).toHaveAttribute('name', 'username');
    expect(panel.getByLabelText('Password')).toHaveAttribute('name', 'password');
    expect(panel.getByLabelText('Confirm password')).toHaveAttribute('name', 'confirmPassword');
    expect(panel.getByRole('button', { name: 'Create Account' })).toHaveAttribute('type', 'submit');
  });

  test('lists the four features beside the forms [S2.4-04]', () => {
    open();
    const features = within(screen.getByRole('list', { name: 'Features' })).getAllByRole('heading');
    expect(features.map((feature) => feature.textContent)).toEqual([
      'Ultra-fast token detection',
      'Automated trading strategies',
      'Advanced analytics',
      'Telegram integration',
    ]);
  });

  test('moves the highlight every 3 seconds in 5 steps over four cards [S2.4-05]', () => {
    vi.useFakeTimers();
    try {
      open();
      const cards = within(screen.getByRole('list', { name: 'Features' })).getAllByRole('listitem');
      const highlighted = () => cards.findIndex((card) => card.dataset.highlighted === 'true');
      const seen = [highlighted()];
      for (let step = 1; step <= 5; step += 1) {
        passTime(2999);
        expect(highlighted()).toBe(seen.at(-1));
        passTime(1);
        seen.push(highlighted());
      }
      expect(FEATURE_STEP_MS).toBe(3000);
      expect(cards).toHaveLength(4);
      expect(seen, 'the fifth step highlights none').toEqual([0, 1, 2, 3, -1, 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('keeps typed text while the other form is open, and shows the password on demand', async () => {
    open();
    await fillIn({ username: 'satoshi', password: 'secret1' });
    await userEvent.click(screen.getByRole('tab', { name: 'Register' }));
    expect(screen.getByLabelText('Username')).toHaveValue('satoshi');
    await userEvent.click(screen.getByRole('tab', { name: 'Login' }));
    expect(screen.getByLabelText('Username')).toHaveValue('satoshi');
    expect(screen.getByLabelText('Password')).toHaveValue('secret1');
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'text');
  });
});

describe('validation', () => {
  test('login shows errors of short usernames and passwords at their fields, and sends nothing [S5-01, S5-02]', async () => {
    open();
    await fillIn({ username: 'ab', password: '12345' });
    await submitLogin();
    expect(await screen.findByText('Username must be at least 3 characters')).toBeVisible();
    expect(screen.getByLabelText('Username')).toHaveAccessibleDescription('Username must be at least 3 characters');
    expect(screen.getByLabelText('Username')).toBeInvalid();
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('Password must be at least 6 characters');
    expect(server.requests).toHaveLength(0);
  });

  test('register shows them as well, and accepts 3 and 6 characters [S5-01, S5-02]', async () => {
    server.answer(authCalls.register, { id: '1', username: 'abc', isAdmin: false, hasSecondFactor: false });
    await openRegister();
    await submitRegistration();
    expect(await screen.findByText('Username must be at least 3 characters')).toBeVisible();
    expect(screen.getByText('Password must be at least 6 characters')).toBeVisible();
    await fillIn({ username: 'abc', password: '123456', confirm: '123456' });
    await submitRegistration();
    await waitFor(() => expect(server.count(authCalls.register)).toBe(1));
  });

  test("register shows Passwords don't match on confirmPassword [S5-03]", async () => {
    await openRegister();
    await fillIn({ username: 'satoshi', password: 'secret1', confirm: 'secret2' });
    await submitRegistration();
    expect(await screen.findByText("Passwords don't match")).toBeVisible();
    expect(screen.getByLabelText('Confirm password')).toHaveAccessibleDescription("Passwords don't match");
    expect(screen.getByLabelText('Password')).not.toBeInvalid();
    expect(server.requests).toHaveLength(0);
  });
});

describe('login', () => {
  test('sets the session and welcomes the user back [S8.2-01, S4-02]', async () => {
    server.answer(authCalls.login, { id: '7', username: 'satoshi', isAdmin: false, hasSecondFactor: false });
    const { store, path } = open();
    await fillIn({ username: 'satoshi', password: 'secret1' });
    await submitLogin();
    const toast = await findToast('Login successful');
    expect(within(toast).getByText('Welcome back, satoshi!')).toBeVisible();
    expect(toast).toHaveAttribute('data-variant', 'default');
    expect(store.get(sessionAtom)).toEqual({ id: '7', username: 'satoshi', isAdmin: false, hasSecondFactor: false });
    expect(server.requests[0]?.body).toEqual({ username: 'satoshi', password: 'secret1' });
    await waitFor(() => expect(path()).toBe('/'));
  });

  test('appends (Admin) for admins [S8.2-01]', async () => {
    server.answer(authCalls.login, { id: '1', username: 'root', isAdmin: true, hasSecondFactor: false });
    open();
    await fillIn({ username: 'root', password: 'secret1' });
    await submitLogin();
    expect(await screen.findByText('Welcome back, root! (Admin)')).toBeVisible();
  });

  test("shows the server's error text in a destructive toast and keeps the typed text [S8.2-02, S8.2-07]", async () => {
    server.fail(authCalls.login, 'wrong-credentials');
    const { store, path } = open();
    await fillIn({ username: 'satoshi', password: 'secret1' });
    await submitLogin();
    const toast = await findToast('Login failed');
    expect(within(toast).getByText('Invalid username or password')).toBeVisible();
    expect(toast).toHaveAttribute('data-variant', 'destructive');
    expect(screen.getByLabelText('Username')).toHaveValue('satoshi');
    expect(screen.getByLabelText('Password')).toHaveValue('secret1');
    expect(store.get(sessionAtom)).toBeNull();
    expect(path()).toBe('/auth');
  });

  test('asks for a code when two-step login is on, and logs in with it', async () => {
    const user = { id: '7', username: 'satoshi', isAdmin: false, hasSecondFactor: true };
    server.reply(authCalls.login, ({ body }) => {
      const { code } = authCalls.login.body.parse(body);
      if (code === '123456') return json(user);
      const failure = code === undefined ? 'code-needed' : 'wrong-code';
      return json({ error: 'No.', code: failure, details: { code: ['No.'] } }, code === undefined ? 401 : 403);
    });
    const { store } = open();
    await fillIn({ username: 'satoshi', password: 'secret1' });
    expect(screen.queryByLabelText('Code')).toBeNull();
    await submitLogin();
    await waitFor(() => expect(screen.getByLabelText('Code')).toHaveFocus());
    expect(screen.queryByText('Login failed')).toBeNull();
    await userEvent.type(screen.getByLabelText('Code'), '000000');
    await submitLogin();
    await waitFor(() => expect(screen.getByLabelText('Code')).toHaveAccessibleDescription('No.'));
    await userEvent.clear(screen.getByLabelText('Code'));
    await userEvent.type(screen.getByLabelText('Code'), '123456');
    await submitLogin();
    await waitFor(() => expect(store.get(sessionAtom)).toEqual(user));
  });

  test('falls back to Login failed without an error text [S8.2-02]', async () => {
    server.reply(authCalls.login, () => new Response('<h1>Bad gateway</h1>', { status: 502 }));
    open();
    await fillIn({ username: 'satoshi', password: 'secret1' });
    await submitLogin();
    const toast = await findToast('Login failed');
    expect(toast).not.toHaveTextContent('502');
    expect(toast).not.toHaveTextContent('Bad gateway');
  });

  test('ignores a second submit while one is pending', async () => {
    let respond = (_response: Response): void => undefined;
    server.reply(
      authCalls.login,
      () =>
        new Promise((resolve) => {
          respond = resolve;
        }),
    );
    open();
    await fillIn({ username: 'satoshi', password: 'secret1' });
    await submitLogin();
    const button = screen.getByRole('button', { name: 'Access Dashboard' });
    await waitFor(() => expect(button).toBeDisabled());
    expect(button).toHaveAttribute('aria-busy', 'true');
    await userEvent.type(screen.getByLabelText('Password'), '{Enter}');
    expect(server.count(authCalls.login)).toBe(1);
    respond(json({ error: 'no', code: 'wrong-credentials' }, 401));
    await waitFor(() => expect(button).toBeEnabled());
  });
});

describe('registration', () => {
  test('sets the session and welcomes the user; confirmPassword stays in the browser [S8.2-03, S4-02]', async () => {
    server.answer(authCalls.register, { id: '8', username: 'newbie', isAdmin: false, hasSecondFactor: false });
    const { store } = await openRegister();
    await fillIn({ username: 'newbie', password: 'secret1', confirm: 'secret1' });
    await submitRegistration();
    const toast = await findToast('Registration successful');
    expect(within(toast).getByText('Welcome, newbie!')).toBeVisible();
    expect(store.get(sessionAtom)).toEqual({ id: '8', username: 'newbie', isAdmin: false, hasSecondFactor: false });
    expect(server.requests[0]?.body).toEqual({ username: 'newbie', password: 'secret1' });
  });

  test("shows the server's error text in a destructive toast and keeps the typed text [S8.2-04, S8.2-07]", async () => {
    server.fail(authCalls.register, 'username-taken');
    await openRegister();
    await fillIn({ username: 'taken', password: 'secret1', confirm: 'secret1' });
    await submitRegistration();
    const toast = await findToast('Registration failed');
    expect(within(toast).getByText('This username is already taken.')).toBeVisible();
    expect(toast).toHaveAttribute('data-variant', 'destructive');
    expect(screen.getByLabelText('Confirm password')).toHaveValue('secret1');
  });

  test('falls back to Registration failed without an error text [S8.2-04]', async () => {
    server.reply(authCalls.register, () => new Response('', { status: 500 }));
    await openRegister();
    await fillIn({ username: 'newbie', password: 'secret1', confirm: 'secret1' });
    await submitRegistration();
    expect(await findToast('Registration failed')).not.toHaveTextContent('500');
  });

  test("shows the server's error of a field at the field", async () => {
    const body = { error: 'Some of the input is not valid.', code: 'invalid-input', details: { username: ['is odd'] } };
    server.reply(authCalls.register, () => json(body, 400));
    await openRegister();
    await fillIn({ username: 'newbie', password: 'secret1', confirm: 'secret1' });
    await submitRegistration();
    await waitFor(() => expect(screen.getByLabelText('Username')).toHaveAccessibleDescription('is odd'));
  });
});
