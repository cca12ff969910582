import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { walletCalls } from '../../common/wallet/http.ts';
import { endSession, sessionAtom } from '../auth/session.ts';
import { fakeKey } from '../chain/testing/fake-chain.ts';
import { queryClientAtom } from '../store.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { findToast, holdResponse } from '../testing/page.ts';
import { sessionUser } from '../testing/render.tsx';
import { userKeys } from '../users/user-cache.ts';
import { noWallet, openWallet, serveWallet, walletOf } from './testing/open-wallet.tsx';

const server = fakeServerPerTest();

const tab = (name: string) => screen.findByRole('tab', { name });
const generate = async () => userEvent.click(await screen.findByRole('button', { name: 'Generate Wallet' }));
describe('the page', () => {
  test('has a title and subtitle [S2.12-01]', async () => {
    serveWallet(server, noWallet);
    openWallet(server);
    expect(await screen.findByText('Create or import a Solana wallet for trading tokens')).toBeVisible();
    expect(document.title).toBe('Wallet · Mintwatch');
  });

  test('waits for the session; a user id in local storage grants nothing [S2.12-02, S2.12-03]', async () => {
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

  test('shows a link to the login when the session ends while it is open [S2.12-04]', async () => {
    serveWallet(server, walletOf(1));
    const { store } = openWallet(server);
    await tab('Manage');
    act(() => endSession(store));
    expect(await screen.findByText('You need to log in')).toBeVisible();
    expect(screen.getByText('Please log in to manage your wallet')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/auth');
    expect(screen.queryByText(fakeKey(1).walletAddress)).toBeNull();
  });

  test('shows why the wallet could not be loaded, and retries', async () => {
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
  test('without a wallet Create Wallet is open and Manage is disabled [S2.12-05, S2.12-06, S2.12-10, S2.12-16]', async () => {
    serveWallet(server, noWallet);
    openWallet(server);
    expect(await tab('Create Wallet')).toHaveAttribute('aria-selected', 'true');
    expect(await tab('Manage')).toBeDisabled();
  });

  test('with a wallet Manage is open beside Create New [S2.12-06, S2.12-16]', async () => {
    serveWallet(server, walletOf(1));
    openWallet(server);
    expect(await tab('Manage')).toHaveAttribute('aria-selected', 'true');
    expect(screen.getByRole('tab', { name: 'Create New' })).toBeEnabled();
  });

  test('Create has two cards, a warning and a note [S2.12-07, S2.12-08, S2.12-09]', async () => {
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
  test('stores the key once, shows a toast, opens Manage and refetches the user [S8.6-01, S4-17, S3-17, S7.2-02]', async () => {
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

  test('leaves the key in no storage, cache, address or text', async () => {
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

  test('shows a pending label and disables tabs and buttons while storing [S4-18, S2.12-10]', async () => {
    serveWallet(server, walletOf(1, false));
    const respond = holdResponse(server, walletCalls.save);
    openWallet(server);
    await userEvent.click(await tab('Create New'));
    await userEvent.type(screen.getByLabelText('Private key (hex)'), 'ab');
    await generate();
    expect(await screen.findByRole('button', { name: 'Creating Wallet...' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Import Wallet' })).toBeDisabled();
    for (const one of screen.getAllByRole('tab')) expect(one).toBeDisabled();
    respond(json(walletOf(100)));
    expect(await findToast('Wallet Created')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('tab', { name: 'Create New' })).toBeEnabled());
  });

  test('asks before it replaces a wallet with a key, which stays recoverable', async () => {
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
    // The new key is held for a minute for a backup, so no password is needed.
    await screen.findByText(fakeKey(100).walletAddress);
    await userEvent.click(screen.getByRole('button', { name: 'Reveal' }));
    expect(await screen.findByText(fakeKey(100).privateKey)).toBeVisible();
    expect(server.count(walletCalls.reveal)).toBe(0);
  });

  test('an unsaved wallet stays, masked, until it is stored [S8.6-03, S8.6-11]', async () => {
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

  test('an unsaved wallet survives the end of the session and is discarded only after a confirmation', async () => {
    serveWallet(server, noWallet);
    server.fail(walletCalls.save, 'unavailable');
    const { store } = openWallet(server);
    await generate();
    await screen.findByRole('region', { name: 'Your new wallet is not stored yet' });
    act(() => endSession(store));
    expect(await screen.findByText('You need to log in')).toBeVisible();
    // The link to the login asks as well, since leaving would discard the key.
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
