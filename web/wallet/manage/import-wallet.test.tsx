import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { errors } from '../../../common/errors.ts';
import { walletCalls } from '../../../common/wallet/http.ts';
import { fakeKey } from '../../chain/testing/fake-chain.ts';
import { fakeServerPerTest, json } from '../../testing/fake-server.ts';
import { findToast, holdResponse } from '../../testing/page.ts';
import { noWallet, openWallet, savedAt, serveWallet, walletOf } from '../testing/open-wallet.tsx';

const server = fakeServerPerTest();

describe('importing', () => {
  const fill = async (hex: string) => {
    await userEvent.click(await screen.findByLabelText('Private key (hex)'));
    await userEvent.paste(hex);
  };
  const submit = () => userEvent.click(screen.getByRole('button', { name: 'Import Wallet' }));

  test('a blank key shows an error and disables the button [S5-10]', async () => {
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

  test('an invalid key fails and stays in the field [S8.6-04, S8.6-11, S5-10]', async () => {
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

  test('shows a pending label, stores the wallet of the key and opens Manage [S8.6-02, S4-17, S4-18]', async () => {
    serveWallet(server, noWallet);
    const respond = holdResponse(server, walletCalls.save);
    openWallet(server);
    await fill(fakeKey(2).privateKey);
    await submit();
    expect(await screen.findByRole('button', { name: 'Importing Wallet...' })).toBeDisabled();
    for (const one of screen.getAllByRole('tab')) expect(one).toBeDisabled();
    serveWallet(server, walletOf(2));
    respond(json(walletOf(2)));
    expect(await findToast('Wallet Imported')).toHaveTextContent('Your Solana wallet has been imported successfully.');
    expect(await screen.findByRole('tab', { name: 'Manage' })).toHaveAttribute('aria-selected', 'true');
    expect(server.requests.find(({ method }) => method === 'POST')?.body).toEqual(fakeKey(2));
  });

  test('an error of the server keeps the input', async () => {
    serveWallet(server, noWallet);
    server.fail(walletCalls.save, 'limit-reached');
    openWallet(server);
    await fill(fakeKey(2).privateKey);
    await submit();
    expect(await screen.findByText(errors['limit-reached'].text)).toBeVisible();
    expect(screen.getByLabelText('Private key (hex)')).toHaveValue(fakeKey(2).privateKey);
  });
});

describe('replaced wallets', () => {
  const replaced = {
    id: 'a'.repeat(24),
    walletAddress: fakeKey(2).walletAddress,
    replacedAt: savedAt,
    recoverableUntil: '2026-05-31T10:00:00.000Z',
  };

  test('are listed and recovered with the password; a wrong one shows an error beside the field', async () => {
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
