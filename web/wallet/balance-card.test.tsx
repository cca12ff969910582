import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { transactionCalls } from '../../common/transactions/http.ts';
import { ChainError } from '../chain/chain-error.ts';
import { fakeChain, fakeKey, fakeSignature, localConfig } from '../chain/testing/fake-chain.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { findToast } from '../testing/page.ts';
import { settle } from '../testing/settle.ts';
import { openWallet, serveWallet, walletOf } from './testing/open-wallet.tsx';
import { BALANCE_POLL_MS } from './use-balance.ts';

const SOL = 1_000_000_000n;
const { walletAddress: address } = fakeKey(1);
const server = fakeServerPerTest();

beforeEach(() => {
  serveWallet(server, walletOf(1));
});
afterEach(() => void vi.useRealTimers());

const balanceCard = async () => within(await screen.findByRole('region', { name: 'WALLET BALANCE' }));

describe('WALLET BALANCE', () => {
  test('shows LOADING... until known, then SOL with 4 decimals and the time [S2.12-13, S4-20]', async () => {
    const chain = fakeChain({ [address]: 1_234_567_890n });
    const release = chain.hold('balance');
    openWallet(server, { chain });
    const card = await balanceCard();
    expect(await card.findByText('LOADING...')).toBeVisible();
    await settle(async () => release());
    expect(await card.findByText('1.2345 SOL')).toBeVisible();
    expect(card.getByTitle('1.23456789 SOL')).toBeVisible();
    expect(card.getByText(/^Last updated/)).toBeVisible();
    expect(card.getByRole('button', { name: 'Refresh Balance' })).toBeEnabled();
  });

  test('is fetched at once and every 60 s, and follows the chain, until the page is closed [S7.4-04, S9-21]', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const chain = fakeChain({ [address]: SOL });
    const { unmount } = openWallet(server, { chain });
    const card = await balanceCard();
    expect(await card.findByText('1.0000 SOL')).toBeVisible();
    act(() => chain.setBalance(address, 3n * SOL));
    expect(card.getByText('3.0000 SOL')).toBeVisible();
    const reads = chain.count('balance');
    await settle(() => vi.advanceTimersByTimeAsync(BALANCE_POLL_MS));
    expect(BALANCE_POLL_MS).toBe(60_000);
    expect(chain.count('balance')).toBe(reads + 1);
    expect(chain.watching()).toBe(1);
    unmount();
    expect(chain.watching()).toBe(0);
    await vi.advanceTimersByTimeAsync(2 * BALANCE_POLL_MS);
    expect(chain.count('balance')).toBe(reads + 1);
  });

  test('follows the chain again after a long outage of the node', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const chain = fakeChain({ [address]: SOL });
    openWallet(server, { chain });
    const card = await balanceCard();
    expect(await card.findByText('1.0000 SOL')).toBeVisible();
    chain.forgetWatchers();
    await settle(() => vi.advanceTimersByTimeAsync(BALANCE_POLL_MS));
    expect(chain.watching()).toBe(1);
    act(() => chain.setBalance(address, 2n * SOL));
    expect(card.getByText('2.0000 SOL')).toBeVisible();
  });

  test('ignores a response older than the last notification', async () => {
    const chain = fakeChain({ [address]: SOL });
    openWallet(server, { chain });
    const card = await balanceCard();
    expect(await card.findByText('1.0000 SOL')).toBeVisible();
    const release = chain.hold('balance');
    await userEvent.click(card.getByRole('button', { name: 'Refresh Balance' }));
    act(() => chain.setBalance(address, 3n * SOL));
    chain.balances.set(address, SOL);
    await settle(async () => release());
    expect(card.getByText('3.0000 SOL')).toBeVisible();
  });

  test('a refresh shows the balance in a toast [S8.6-07]', async () => {
    const chain = fakeChain({ [address]: SOL });
    openWallet(server, { chain });
    const card = await balanceCard();
    await card.findByText('1.0000 SOL');
    chain.balances.set(address, 2_500_099_999n);
    await userEvent.click(card.getByRole('button', { name: 'Refresh Balance' }));
    expect(await findToast('Balance Updated')).toHaveTextContent('Your current balance is 2.5000 SOL');
  });

  test('a failed refresh keeps the last balance, marked stale [S8.6-08, S8.6-11, S4-20]', async () => {
    const chain = fakeChain({ [address]: SOL });
    openWallet(server, { chain });
    const card = await balanceCard();
    await card.findByText('1.0000 SOL');
    chain.fail('balance', new ChainError('unreachable'));
    await userEvent.click(card.getByRole('button', { name: 'Refresh Balance' }));
    const toast = await findToast('Error');
    expect(toast).toHaveTextContent('Failed to refresh balance from blockchain');
    expect(toast).toHaveAttribute('data-variant', 'destructive');
    expect(card.getByText('1.0000 SOL')).toBeVisible();
    expect(card.getByText('Stale')).toBeVisible();
    expect(card.getByText(/^The Solana node cannot be reached/)).toBeVisible();
    await userEvent.click(card.getByRole('button', { name: 'Refresh Balance' }));
    await findToast('Balance Updated');
    expect(card.queryByText('Stale')).toBeNull();
  });

  test('a failure without a known balance shows Unavailable and Retry, never a number [S4-20, S8.6-08]', async () => {
    const chain = fakeChain({ [address]: SOL });
    chain.fail('balance', new ChainError('rate-limited'), 2);
    openWallet(server, { chain });
    const card = await balanceCard();
    expect(await card.findByText('Unavailable')).toBeVisible();
    expect(await findToast('Error')).toHaveTextContent('Failed to refresh balance from blockchain');
    expect(card.queryByText(/\d SOL/)).toBeNull();
    // The first fetch has failed, and the first Retry fails as well.
    await userEvent.click(card.getByRole('button', { name: 'Retry' }));
    await userEvent.click(await card.findByRole('button', { name: 'Retry' }));
    expect(await card.findByText('1.0000 SOL')).toBeVisible();
  });

  test('links to the explorer of the configured cluster, in a new tab [S2.12-14]', async () => {
    openWallet(server);
    const link = await (await balanceCard()).findByRole('link', { name: 'View on Explorer' });
    expect(link).toHaveAttribute('href', `/app/explorer/address/${address}`);
    expect(link).toHaveAttribute('target', '_blank');
  });

  test('the explorer follows the cluster [S2.12-14, S7.4-01]', async () => {
    openWallet(server, { config: { ...localConfig, cluster: 'devnet', faucet: false } });
    const card = await balanceCard();
    expect(await card.findByRole('link', { name: 'View on Explorer' })).toHaveAttribute(
      'href',
      `https://explorer.solana.com/address/${address}?cluster=devnet`,
    );
    expect(card.getByText('Devnet')).toBeVisible();
    expect(card.queryByRole('button', { name: 'Get test SOL' })).toBeNull();
  });

  test('shows that no cluster is configured', async () => {
    openWallet(server, { config: null });
    const card = await balanceCard();
    expect(await card.findByText(/has no Solana cluster configured/)).toBeVisible();
    expect(card.getByText('Unavailable')).toBeVisible();
    expect(screen.getByText(/Transfers are off/)).toBeVisible();
    expect(screen.getByRole('tab', { name: 'Create New' })).toBeEnabled();
  });

  test('the faucet of the local chain sends 1 SOL and records the transaction', async () => {
    const chain = fakeChain();
    openWallet(server, { chain });
    const card = await balanceCard();
    expect(await card.findByText('0.0000 SOL')).toBeVisible();
    await userEvent.click(card.getByRole('button', { name: 'Get test SOL' }));
    expect(await findToast('Test SOL Received')).toBeVisible();
    expect(card.getByText('1.0000 SOL')).toBeVisible();
    expect(server.requests.find(({ path }) => path.endsWith('/transactions'))?.body).toMatchObject({
      type: 'airdrop',
      lamports: 1_000_000_000,
      recipient: address,
      lastValidBlockHeight: 1150,
    });
    expect(server.count(transactionCalls.record)).toBe(1);
  });

  test('shows the arrival on the notification of the chain, without another poll', async () => {
    const chain = fakeChain();
    chain.confirms = false;
    openWallet(server, { chain });
    const idle = await waitFor(() => {
      expect(chain.watching()).toBeGreaterThan(0);
      return chain.watching();
    });
    await userEvent.click(await (await balanceCard()).findByRole('button', { name: 'Get test SOL' }));
    await waitFor(() => expect(chain.count('status')).toBeGreaterThan(0));
    expect(chain.watching()).toBe(idle + 1);
    const polls = chain.count('status');
    chain.settle(fakeSignature(1), { is: 'confirmed' });
    expect(await findToast('Test SOL Received')).toBeVisible();
    expect(chain.count('status')).toBe(polls);
    expect(chain.watching()).toBe(idle);
  });

  test('shows why the faucet refused', async () => {
    const chain = fakeChain();
    chain.fail('airdrop', new ChainError('rate-limited'));
    openWallet(server, { chain });
    await userEvent.click(await (await balanceCard()).findByRole('button', { name: 'Get test SOL' }));
    expect(await findToast('Error')).toHaveTextContent(
      'Failed to get test SOL: The Solana node gets too many requests',
    );
  });
});
