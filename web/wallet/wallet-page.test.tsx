import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { walletCalls } from '../../common/wallet/http.ts';
import { endSession, sessionAtom } from '../auth/session.ts';
import { fakeKey } from '../chain/testing/fake-chain.ts';
import { queryClientAtom } from '../store.ts';
import { type FakeServer, fakeServer, json } from '../testing/fake-server.ts';
import { sessionUser } from '../testing/render.tsx';
import { userKeys } from '../users/apply.ts';
import { findToast, noWallet, openWallet, savedAt, serveWallet, walletOf } from './testing/open-wallet.tsx';

let server: FakeServer;

beforeEach(() => {
  server = fakeServer();
});
afterEach(() => server.close());

const tab = (name: string) => screen.findByRole('tab', { name });
const generate = async () => userEvent.click(await screen.findByRole('button', { name: 'Generate Wallet' }));
/** A server that answers when the test lets it. */
function holdSaving(): (response: Response) => void {
  let answer = (_response: Response): void => undefined;
  const held = new Promise<Response>((resolve) => {
    answer = resolve;
  });
  server.reply(walletCalls.save, () => held);
  return (response) => answer(response);
}

describe('who may see the page', () => {
  test('S2.12-01 has its title and subtitle', async () => {
    serveWallet(server, noWallet);
    openWallet(server);
    expect(await screen.findByText('Create or import a Solana wallet for trading tokens')).toBeVisible();
    expect(document.title).toBe('Wallet · Mintwatch');
  });

  test('S2.12-02 S2.12-03 waits for the session; a user id in local storage grants nothing', async () => {
    localStorage.setItem('userId', 'user-1');
    localStorage.setItem('user', JSON.stringify(sessionUser()));
    serveWallet(server, walletOf(1));
    const { store } = openWallet(server);
    act(() => store.set(sessionAtom, 'unknown'));
    expect(screen.getByRole('status', { name: '' })).toHaveTextContent('Loading your session');
    expect(screen.queryByRole('tab')).toBeNull();
    act(() => store.set(sessionAtom, sessionUser()));
    expect(await tab('Manage')).toBeVisible();
  });

  test('S2.12-04 says so when the session ends while it is open, with the way to log in', async () => {
    serveWallet(server, walletOf(1));
    const { store } = openWallet(server);
    await tab('Manage');
    act(() => endSession(store));
    expect(await screen.findByText('You need to log in')).toBeVisible();
    expect(screen.getByText('Please log in to manage your wallet')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/auth');
    expect(screen.queryByText(fakeKey(1).walletAddress)).toBeNull();
  });

  test('a wallet that cannot be loaded says why and can be tried again', async () => {
    serveWallet(server, walletOf(1));
    server.fail(walletCalls.get, 'unavailable');
    openWallet(server);
    expect(await screen.findByText('Your wallet could not be loaded')).toBeVisible();
    serveWallet(server, walletOf(1));
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await tab('Manage')).toBeVisible();
  });
});

describe('the tabs', () => {
  test('S2.12-05 S2.12-06 S2.12-10 S2.12-16 without a wallet: Create Wallet is open, Manage is off', async () => {
    serveWallet(server, noWallet);
    openWallet(server);
    expect(await tab('Create Wallet')).toHaveAttribute('aria-selected', 'true');
    expect(await tab('Manage')).toBeDisabled();
  });

  test('S2.12-06 S2.12-16 with a wallet: Manage is open, the other one is Create New', async () => {
    serveWallet(server, walletOf(1));
    openWallet(server);
    expect(await tab('Manage')).toHaveAttribute('aria-selected', 'true');
    expect(screen.getByRole('tab', { name: 'Create New' })).toBeEnabled();
  });

  test('S2.12-07 S2.12-08 S2.12-09 create has two cards, the warning and the note', async () => {
    serveWallet(server, walletOf(1));
    openWallet(server);
    await userEvent.click(await tab('Create New'));
    expect(screen.getByRole('region', { name: 'Create a new wallet' })).toBeVisible();
    const field = within(screen.getByRole('region', { name: 'Import a wallet' })).getByLabelText('Private key (hex)');
    expect(field).toHaveAttribute('type', 'password');
    expect(screen.getByText('SECURITY WARNING')).toBeVisible();
    expect(screen.getByText(/Never share your private key/)).toBeVisible();
    expect(screen.getByText(/Creating a new wallet overrides the current one, so back up/)).toBeVisible();
  });
});

describe('creating', () => {
  test('S8.6-01 S4-17 S3-17 S7.2-02 stores the key once, tells, and switches to manage; the user is asked for again', async () => {
    serveWallet(server, noWallet);
    const { store } = openWallet(server);
    const client = store.get(queryClientAtom);
    client.setQueryData(userKeys.user('user-1'), { walletAddress: null });
    await generate();
    const toast = await findToast('Wallet Created');
    expect(toast).toHaveTextContent('Your Solana wallet has been created successfully.');
    expect(await tab('Manage')).toHaveAttribute('aria-selected', 'true');
    expect(screen.getByText(fakeKey(100).walletAddress)).toBeVisible();
    const saves = server.requests.filter(({ method }) => method === 'POST');
    expect(saves).toHaveLength(1);
    expect(saves[0]).toMatchObject({ path: '/api/users/user-1/wallet', body: fakeKey(100) });
    expect(client.getQueryData(userKeys.wallet('user-1'))).toEqual(walletOf(100));
    expect(client.getQueryState(userKeys.user('user-1'))?.isInvalidated).toBe(true);
  });

  test('the key is in no storage, cache, address or text', async () => {
    serveWallet(server, noWallet);
    const { store } = openWallet(server);
    await generate();
    await findToast('Wallet Created');
    const { privateKey } = fakeKey(100);
    const cache = store.get(queryClientAtom);
    const everything = [
      JSON.stringify(
        cache
          .getQueryCache()
          .getAll()
          .map(({ state }) => state),
      ),
      JSON.stringify(
        cache
          .getMutationCache()
          .getAll()
          .map(({ state }) => state),
      ),
      JSON.stringify({ ...localStorage, ...sessionStorage }),
      window.location.href,
      document.documentElement.outerHTML,
    ];
    for (const text of everything) expect(text).not.toContain(privateKey);
  });

  test('S4-18 S2.12-10 while it is stored, tabs and buttons are off and the label says so', async () => {
    serveWallet(server, walletOf(1, false));
    const answer = holdSaving();
    openWallet(server);
    await userEvent.click(await tab('Create New'));
    await userEvent.type(screen.getByLabelText('Private key (hex)'), 'ab');
    await generate();
    expect(await screen.findByRole('button', { name: 'Creating Wallet...' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Import Wallet' })).toBeDisabled();
    for (const one of screen.getAllByRole('tab')) expect(one).toBeDisabled();
    answer(json(walletOf(100)));
    expect(await findToast('Wallet Created')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('tab', { name: 'Create New' })).toBeEnabled());
  });

  test('over a wallet with a key asks first, and says that it stays recoverable', async () => {
    serveWallet(server, walletOf(1));
    openWallet(server);
    await userEvent.click(await tab('Create New'));
    await generate();
    const question = await screen.findByRole('alertdialog');
    expect(question).toHaveTextContent('stays recoverable on this page for 30 days');
    await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
    expect(server.count(walletCalls.save)).toBe(0);
    await generate();
    await userEvent.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Create wallet' }),
    );
    expect(await findToast('Wallet Created')).toBeVisible();
    expect(server.count(walletCalls.save)).toBe(1);
  });

  test('S8.6-03 S8.6-11 a wallet that could not be stored stays, masked, until it is stored', async () => {
    serveWallet(server, noWallet);
    server.fail(walletCalls.save, 'unavailable');
    openWallet(server);
    const user = userEvent.setup();
    await generate();
    const toast = await findToast('Error');
    expect(toast).toHaveTextContent('Failed to create wallet. Please try again.');
    expect(toast).toHaveAttribute('data-variant', 'destructive');
    const card = await screen.findByRole('region', { name: 'Your new wallet is not stored yet' });
    expect(card).toHaveTextContent('The database is not reachable right now.');
    expect(card).not.toHaveTextContent(fakeKey(100).privateKey);
    await user.click(within(card).getByRole('button', { name: 'Copy private key' }));
    expect(await navigator.clipboard.readText()).toBe(fakeKey(100).privateKey);
    serveWallet(server, noWallet);
    await user.click(within(card).getByRole('button', { name: 'Try again' }));
    expect(await findToast('Wallet Created')).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Your new wallet is not stored yet' })).toBeNull();
    expect(server.requests.at(-1)?.body ?? server.requests.findLast(({ method }) => method === 'POST')?.body).toEqual(
      fakeKey(100),
    );
  });

  test('a wallet that could not be stored survives the end of the session, and is discarded only when asked', async () => {
    serveWallet(server, noWallet);
    server.fail(walletCalls.save, 'unavailable');
    const { store } = openWallet(server);
    await generate();
    await screen.findByRole('region', { name: 'Your new wallet is not stored yet' });
    act(() => endSession(store));
    expect(await screen.findByText('You need to log in')).toBeVisible();
    // Also the way to the login is asked about: the key would be gone.
    await userEvent.click(screen.getByRole('link', { name: 'Log in' }));
    const question = await screen.findByRole('alertdialog');
    expect(question).toHaveTextContent('Leave without storing the new wallet?');
    await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
    await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
    await userEvent.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Discard wallet' }),
    );
    await waitFor(() => expect(screen.queryByText('Your new wallet is not stored yet')).toBeNull());
  });
});

describe('importing', () => {
  const fill = async (hex: string) => {
    await userEvent.click(await screen.findByLabelText('Private key (hex)'));
    await userEvent.paste(hex);
  };
  const submit = () => userEvent.click(screen.getByRole('button', { name: 'Import Wallet' }));

  test('S5-10 a blank key is asked for, and disables the button', async () => {
    serveWallet(server, noWallet);
    openWallet(server);
    expect(await screen.findByRole('button', { name: 'Import Wallet' })).toBeDisabled();
    await fill('  ');
    expect(await screen.findByText('Please enter your private key.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Import Wallet' })).toBeDisabled();
    await fill('a');
    expect(screen.getByRole('button', { name: 'Import Wallet' })).toBeEnabled();
    expect(screen.queryByText('Please enter your private key.')).toBeNull();
  });

  test('S8.6-04 S8.6-11 S5-10 a key that is none fails, and stays typed', async () => {
    serveWallet(server, noWallet);
    openWallet(server);
    await fill('abc');
    await submit();
    const toast = await findToast('Error');
    expect(toast).toHaveTextContent('Failed to import wallet. Please check your private key and try again.');
    expect(toast).toHaveAttribute('data-variant', 'destructive');
    expect(screen.getByLabelText('Private key (hex)')).toHaveValue('abc');
    expect(screen.getByLabelText('Private key (hex)')).toBeInvalid();
    expect(server.count(walletCalls.save)).toBe(0);
  });

  test('S8.6-02 S4-17 S4-18 stores the wallet of the key, with its label meanwhile, and switches to manage', async () => {
    serveWallet(server, noWallet);
    const answer = holdSaving();
    openWallet(server);
    await fill(fakeKey(2).privateKey);
    await submit();
    expect(await screen.findByRole('button', { name: 'Importing Wallet...' })).toBeDisabled();
    for (const one of screen.getAllByRole('tab')) expect(one).toBeDisabled();
    serveWallet(server, walletOf(2));
    answer(json(walletOf(2)));
    expect(await findToast('Wallet Imported')).toHaveTextContent('Your Solana wallet has been imported successfully.');
    expect(await tab('Manage')).toHaveAttribute('aria-selected', 'true');
    expect(server.requests.find(({ method }) => method === 'POST')?.body).toEqual(fakeKey(2));
  });

  test('what the server refuses keeps what was typed', async () => {
    serveWallet(server, noWallet);
    server.fail(walletCalls.save, 'limit-reached');
    openWallet(server);
    await fill(fakeKey(2).privateKey);
    await submit();
    expect(await screen.findByText(/You have as many of these/)).toBeVisible();
    expect(screen.getByLabelText('Private key (hex)')).toHaveValue(fakeKey(2).privateKey);
  });
});

describe('wallets that were replaced', () => {
  const replaced = {
    id: 'a'.repeat(24),
    walletAddress: fakeKey(2).walletAddress,
    replacedAt: savedAt,
    recoverableUntil: '2026-05-31T10:00:00.000Z',
  };

  test('are listed, and had back by the password; a wrong one stands beside the field', async () => {
    serveWallet(server, walletOf(1), [replaced]);
    server.fail(walletCalls.recover, 'wrong-password');
    openWallet(server);
    const list = await screen.findByRole('list', { name: 'Previous wallets' });
    expect(list).toHaveTextContent('31 May 2026');
    await userEvent.click(within(list).getByRole('button', { name: /^Recover/ }));
    const dialog = await screen.findByRole('dialog');
    await userEvent.type(within(dialog).getByLabelText('Password'), 'wrong{Enter}');
    await waitFor(() =>
      expect(within(dialog).getByLabelText('Password')).toHaveAccessibleDescription('This is not your password.'),
    );
    server.answer(walletCalls.recover, walletOf(2));
    server.answer(walletCalls.get, walletOf(2));
    await userEvent.click(within(dialog).getByRole('button', { name: 'Recover' }));
    expect(await findToast('Wallet Recovered')).toBeVisible();
    expect(await screen.findByText(fakeKey(2).walletAddress)).toBeVisible();
    expect(server.requests.find(({ path }) => path.endsWith('/recover'))?.body).toEqual({
      id: replaced.id,
      password: 'wrong',
    });
  });
});
