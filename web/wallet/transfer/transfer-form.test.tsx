import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { transactionCalls } from '../../../common/transactions/http.ts';
import { walletCalls } from '../../../common/wallet/http.ts';
import { ChainError } from '../../chain/chain-error.ts';
import { type FakeChain, fakeAddress, fakeChain, fakeKey, localConfig } from '../../chain/testing/fake-chain.ts';
import { fakeServerPerTest } from '../../testing/fake-server.ts';
import { findToast } from '../../testing/page.ts';
import { settle } from '../../testing/settle.ts';
import { openWallet, password, serveWallet, walletOf } from '../testing/open-wallet.tsx';
import { createPendingTransfer } from './pending-transfer.ts';

const SOL = 1_000_000_000n;
const address = fakeAddress(1);
const recipient = fakeAddress(2);
const server = fakeServerPerTest();
let chain: FakeChain;

beforeEach(() => {
  serveWallet(server, walletOf(1));
  chain = fakeChain({ [address]: 5n * SOL, [recipient]: SOL });
});

const form = async () => within(await screen.findByRole('region', { name: 'TRANSFER SOL' }));
const recipientField = async () => (await form()).findByLabelText('Recipient address');
const amountField = async () => (await form()).findByLabelText('Amount (SOL)');
const submit = async () => userEvent.click(await (await form()).findByRole('button', { name: 'Transfer SOL' }));

async function open(): Promise<void> {
  openWallet(server, { chain });
  await screen.findByText(/^\d+\.\d{4} SOL$/);
}

async function paste(field: HTMLElement, text: string): Promise<void> {
  await userEvent.click(field);
  await userEvent.paste(text);
}

async function fill(to: string, amount: string): Promise<void> {
  if (to !== '') await paste(await recipientField(), to);
  if (amount !== '') await paste(await amountField(), amount);
}

/** Fills and submits the form; resolves with the confirmation. */
async function openConfirmation(to: string, amount: string): Promise<HTMLElement> {
  await fill(to, amount);
  await submit();
  return screen.findByRole('dialog');
}

async function enterPassword(dialog: HTMLElement, typed = password): Promise<void> {
  await userEvent.type(within(dialog).getByLabelText('Password'), `${typed}{Enter}`);
}

describe('the form', () => {
  test('has recipient, amount with limits, a warning and the network [S2.12-15]', async () => {
    await open();
    expect(await recipientField()).toBeEnabled();
    const amount = await amountField();
    expect(amount).toHaveAttribute('step', '0.001');
    expect(amount).toHaveAttribute('min', '0');
    expect(amount).toHaveAttribute('max', '5');
    expect((await form()).getByText(/^Transfers are final/)).toBeVisible();
    expect((await form()).getByText('Local chain')).toBeVisible();
  });

  test('an empty form shows errors beside the fields [S5-11, S5-13]', async () => {
    await open();
    await submit();
    await waitFor(async () =>
      expect(await recipientField()).toHaveAccessibleDescription('Please enter a recipient address.'),
    );
    expect(await amountField()).toHaveAccessibleDescription('Please enter a valid amount greater than 0.');
    expect(chain.count('build')).toBe(0);
  });

  test('an invalid address and an amount above the balance show errors and keep the input [S5-12, S5-14]', async () => {
    await open();
    await fill('too-short', '5.1');
    await submit();
    await waitFor(async () =>
      expect(await recipientField()).toHaveAccessibleDescription('Please enter a valid Solana wallet address.'),
    );
    expect(await amountField()).toHaveAccessibleDescription('Transfer amount exceeds your wallet balance.');
    expect(await recipientField()).toHaveValue('too-short');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('Max fills in the balance without the fee, which can be sent', async () => {
    await open();
    await paste(await recipientField(), recipient);
    await userEvent.click((await form()).getByRole('button', { name: /^Max/ }));
    expect(await amountField()).toHaveValue(4.999995);
    await submit();
    expect(await screen.findByRole('dialog')).toHaveTextContent('Left in the wallet0 SOL');
  });

  test('rejects a remainder that the network would refuse', async () => {
    await open();
    await fill(recipient, '4.9999');
    await submit();
    await waitFor(async () =>
      expect(await amountField()).toHaveAccessibleDescription(/A wallet must keep 0\.00065024 SOL or nothing/),
    );
  });
});

describe('the confirmation', () => {
  test('shows amount, fee, full recipient, network and remaining balance, and a warning', async () => {
    await open();
    const dialog = await openConfirmation(recipient, '1.5');
    expect(dialog).toHaveTextContent('Transfers are final');
    expect(dialog).toHaveTextContent('Amount1.5 SOL');
    expect(dialog).toHaveTextContent('Network fee0.000005 SOL');
    expect(dialog.textContent?.replaceAll(/\s/g, '')).toContain(`To${recipient}`);
    expect(dialog).toHaveTextContent('NetworkLocal chain');
    expect(dialog).toHaveTextContent('Left in the wallet3.499995 SOL');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(await recipientField()).toHaveValue(recipient);
    expect(chain.count('sign')).toBe(0);
  });

  test('warns about an address that has never received anything', async () => {
    await open();
    expect(await openConfirmation(fakeAddress(3), '1')).toHaveTextContent('This address has never received anything');
  });

  test('keeps a wrong password with an error and sends nothing', async () => {
    await open();
    const dialog = await openConfirmation(recipient, '1');
    await enterPassword(dialog, 'wrong');
    await waitFor(() =>
      expect(within(dialog).getByLabelText('Password')).toHaveAccessibleDescription('This is not your password.'),
    );
    expect(chain.count('sign')).toBe(0);
    await userEvent.clear(within(dialog).getByLabelText('Password'));
    await enterPassword(dialog);
    expect(await findToast('Transfer Successful')).toBeVisible();
  });

  test('needs no password while the key is held', async () => {
    await open();
    await userEvent.click(screen.getByRole('button', { name: 'Reveal' }));
    await enterPassword(await screen.findByRole('dialog'));
    await screen.findByText(fakeKey(1).privateKey);
    const dialog = await openConfirmation(recipient, '1');
    expect(within(dialog).queryByLabelText('Password')).toBeNull();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Send 1 SOL' }));
    expect(await findToast('Transfer Successful')).toBeVisible();
    expect(server.count(walletCalls.reveal)).toBe(1);
  });
});

describe('sending', () => {
  test('sends whole lamports, records the transfer, fetches the balance, clears the fields and shows a toast [S8.6-09, S4-21, S4-22, S5-15]', async () => {
    await open();
    const before = chain.calls.length;
    await enterPassword(await openConfirmation(recipient, '1.0000000009'));
    expect(await findToast('Transfer Successful')).toHaveTextContent('Your SOL has been transferred successfully.');
    const made = chain.calls.slice(before);
    const sequence = made.slice(made.lastIndexOf('build'));
    expect(sequence.slice(0, 4)).toEqual(['build', 'latestBlock', 'sign', 'send']);
    expect(sequence.at(-1)).toBe('balance');
    expect(chain.balances.get(recipient)).toBe(2n * SOL);
    expect(screen.getByText('3.9999 SOL')).toBeVisible();
    expect(await recipientField()).toHaveValue('');
    expect(await amountField()).toHaveValue(null);
    expect(server.requests.find(({ path }) => path.endsWith('/transactions'))?.body).toMatchObject({
      type: 'transfer_out',
      lamports: 1_000_000_000,
      recipient,
      lastValidBlockHeight: 1150,
    });
  });

  test('shows a pending label, and a double click sends once [S4-19]', async () => {
    await open();
    const release = chain.hold('send');
    const dialog = await openConfirmation(recipient, '1');
    await userEvent.type(within(dialog).getByLabelText('Password'), password);
    await userEvent.dblClick(within(dialog).getByRole('button', { name: 'Send 1 SOL' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect((await form()).getByRole('button', { name: 'Processing Transfer...' })).toBeDisabled();
    expect(await recipientField()).toBeDisabled();
    await settle(async () => release());
    expect(await findToast('Transfer Successful')).toBeVisible();
    expect(chain.count('sign')).toBe(1);
    expect(server.count(transactionCalls.record)).toBe(1);
  });

  test('a failure before sending shows a toast and keeps the input [S8.6-10, S8.6-11]', async () => {
    await open();
    const dialog = await openConfirmation(recipient, '1');
    chain.fail('latestBlock', new ChainError('unreachable'));
    await enterPassword(dialog);
    const toast = await findToast('Transfer Failed');
    expect(toast).toHaveTextContent(
      'Failed to transfer funds: Error creating transaction: The Solana node cannot be reached.',
    );
    expect(toast).toHaveAttribute('data-variant', 'destructive');
    expect(await recipientField()).toHaveValue(recipient);
    expect(await amountField()).toHaveValue(1);
  });

  test('a rejection by the network shows the reason and keeps the input [S8.6-10]', async () => {
    await open();
    const dialog = await openConfirmation(recipient, '1');
    chain.fail('send', new ChainError('fee'));
    await enterPassword(dialog);
    expect(await findToast('Transfer Failed')).toHaveTextContent(
      'Failed to transfer funds: Transaction failed: The wallet does not hold enough SOL for the network fee.',
    );
    expect(await recipientField()).toHaveValue(recipient);
  });

  test('warns against sending again while the outcome is unknown, and follows the transfer', async () => {
    chain.confirms = false;
    await open();
    const dialog = await openConfirmation(recipient, '1');
    chain.fail('send', new ChainError('unreachable'));
    await enterPassword(dialog);
    expect(
      await screen.findByText(/We don't know yet whether the network received it\. Don't send it again:/),
    ).toBeVisible();
    expect((await form()).getByRole('button', { name: 'Processing Transfer...' })).toBeDisabled();
    expect(await recipientField()).toHaveValue(recipient);
    const signature = createPendingTransfer('user-1', localConfig).read()?.signature ?? '';
    act(() => chain.settle(signature, { is: 'confirmed' }));
    expect(await findToast('Transfer Successful')).toBeVisible();
  });

  test('follows a pending transfer after its wallet was replaced by one without a key', async () => {
    serveWallet(server, walletOf(2, false));
    const sent = { from: address, to: recipient, lamports: '1500000000', signature: '5'.repeat(64), bytes: 'AAAA' };
    createPendingTransfer('user-1', localConfig).write({ ...sent, lastValidBlockHeight: 1100, accepted: true });
    chain.confirms = false;
    await open();
    expect(await screen.findByText('Sent. Waiting for the network to confirm it.')).toBeVisible();
    act(() => chain.settle(sent.signature, { is: 'confirmed' }));
    expect(await findToast('Transfer Successful')).toBeVisible();
    expect(screen.queryByText('Sent. Waiting for the network to confirm it.')).toBeNull();
  });

  test('shows a transfer left pending by an earlier visit, which cannot be sent again', async () => {
    const sent = { from: address, to: recipient, lamports: '1500000000', signature: '5'.repeat(64), bytes: 'AAAA' };
    createPendingTransfer('user-1', localConfig).write({ ...sent, lastValidBlockHeight: 1100, accepted: true });
    chain.confirms = false;
    await open();
    expect(await screen.findByText('Sent. Waiting for the network to confirm it.')).toBeVisible();
    expect(await recipientField()).toHaveValue(recipient);
    expect(await amountField()).toHaveValue(1.5);
    expect((await form()).getByRole('button', { name: 'Processing Transfer...' })).toBeDisabled();
    act(() => chain.settle(sent.signature, { is: 'failed', why: 'The network refused it.' }));
    expect(await findToast('Transfer Failed')).toHaveTextContent('Transaction failed: The network refused it.');
    expect(await recipientField()).toHaveValue(recipient);
    expect(await recipientField()).toBeEnabled();
  });
});
