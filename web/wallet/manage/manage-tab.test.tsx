import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { walletCalls } from '../../../common/wallet/http.ts';
import { fakeChain, fakeKey } from '../../chain/testing/fake-chain.ts';
import { fakeServerPerTest, json } from '../../testing/fake-server.ts';
import { findToast } from '../../testing/page.ts';
import { openWallet, password, serveWallet, walletOf } from '../testing/open-wallet.tsx';
import { HOLD_MS } from './use-held-key.ts';

const SOL = 1_000_000_000n;
const { walletAddress: address, privateKey } = fakeKey(1);
const server = fakeServerPerTest();

beforeEach(() => {
  serveWallet(server, walletOf(1));
});
afterEach(() => void vi.useRealTimers());

const details = async () => within(await screen.findByRole('region', { name: 'WALLET DETAILS' }));
const balanceCard = async () => within(await screen.findByRole('region', { name: 'WALLET BALANCE' }));

async function reveal(typed: string): Promise<void> {
  await userEvent.click((await details()).getByRole('button', { name: 'Reveal' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(dialog.getByLabelText('Password'), `${typed}{Enter}`);
}

describe('WALLET DETAILS', () => {
  test('shows the address and copies it [S2.12-11, S8.6-05]', async () => {
    const user = userEvent.setup();
    openWallet(server);
    const card = await details();
    expect(card.getByText(address)).toBeVisible();
    await user.click(card.getByRole('button', { name: 'Copy public address' }));
    expect(await findToast('Copied!')).toHaveTextContent('Public address copied to clipboard.');
    expect(await navigator.clipboard.readText()).toBe(address);
  });

  test('shows an error when the clipboard refuses [S8.6-06, S8.6-11]', async () => {
    const user = userEvent.setup();
    openWallet(server);
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('denied'));
    await user.click((await details()).getByRole('button', { name: 'Copy public address' }));
    const toast = await findToast('Error');
    expect(toast).toHaveTextContent('Failed to copy to clipboard.');
    expect(toast).toHaveAttribute('data-variant', 'destructive');
  });

  test('masks the key, reveals it with the password and hides it again [S2.12-12]', async () => {
    openWallet(server);
    expect((await details()).queryByText(privateKey)).toBeNull();
    expect(server.count(walletCalls.reveal)).toBe(0);
    await reveal(password);
    expect(await screen.findByText(privateKey)).toBeVisible();
    await userEvent.click((await details()).getByRole('button', { name: 'Hide' }));
    expect(screen.queryByText(privateKey)).toBeNull();
    // Cleared rather than masked, so revealing it needs the password again.
    await userEvent.click((await details()).getByRole('button', { name: 'Reveal' }));
    expect(await screen.findByRole('dialog')).toBeVisible();
  });

  test('copies the key with the password without revealing it [S8.6-05]', async () => {
    const user = userEvent.setup();
    openWallet(server);
    await user.click((await details()).getByRole('button', { name: 'Copy private key' }));
    await user.type(within(await screen.findByRole('dialog')).getByLabelText('Password'), `${password}{Enter}`);
    expect(await findToast('Copied!')).toHaveTextContent('Private key copied to clipboard.');
    expect(await navigator.clipboard.readText()).toBe(privateKey);
    expect(screen.queryByText(privateKey)).toBeNull();
  });

  test('shows a wrong password beside the field, and the time to wait after too many attempts', async () => {
    openWallet(server);
    await reveal('wrong');
    const field = within(screen.getByRole('dialog')).getByLabelText('Password');
    await waitFor(() => expect(field).toHaveAccessibleDescription('This is not your password.'));
    expect(field).toHaveValue('wrong');
    const error = { error: 'Too many attempts. Please wait a moment and try again.', code: 'too-many-requests' };
    server.reply(walletCalls.reveal, () => json(error, 429, { 'Retry-After': '840' }));
    await userEvent.type(field, '{Enter}');
    await waitFor(() =>
      expect(field).toHaveAccessibleDescription('Too many attempts. Please wait 14 minutes and try again.'),
    );
    expect(screen.queryByText(privateKey)).toBeNull();
  });

  test('clears the key after a minute, and when the tab is hidden', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    openWallet(server);
    const show = async () => {
      await user.click((await details()).getByRole('button', { name: 'Reveal' }));
      await user.type(within(await screen.findByRole('dialog')).getByLabelText('Password'), `${password}{Enter}`);
      expect(await screen.findByText(privateKey)).toBeVisible();
    };
    await show();
    act(() => void vi.advanceTimersByTime(HOLD_MS));
    expect(HOLD_MS).toBe(60_000);
    expect(screen.queryByText(privateKey)).toBeNull();
    await show();
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    fireEvent(document, new Event('visibilitychange'));
    expect(screen.queryByText(privateKey)).toBeNull();
    hidden.mockRestore();
  });

  test('a wallet without a key has a balance, but neither reveal nor transfer', async () => {
    serveWallet(server, walletOf(1, false));
    openWallet(server, { chain: fakeChain({ [address]: 2n * SOL }) });
    const card = await details();
    expect(card.getByText(/Only the address of this wallet is known here/)).toBeVisible();
    expect(card.queryByRole('button', { name: 'Reveal' })).toBeNull();
    expect(await (await balanceCard()).findByText('2.0000 SOL')).toBeVisible();
    const transfer = within(screen.getByRole('region', { name: 'TRANSFER SOL' }));
    expect(transfer.getByText(/it cannot send or buy from here/)).toBeVisible();
    expect(transfer.queryByRole('button')).toBeNull();
  });
});
