import { readFile } from 'node:fs/promises';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import {
  type Connection,
  type Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
  Transaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { createUser } from './accounts.ts';
import { connectChain, giveWallet } from './wallets.ts';

interface Trader {
  page: Page;
  id: string;
  pair: Keypair;
}

/** Creates a user with a wallet of `sol` test SOL. */
async function trader(context: BrowserContext, sol: number): Promise<Trader> {
  const page = await context.newPage();
  const { id } = await createUser(page);
  return { page, id, pair: await giveWallet(page, id, sol) };
}

/** Records a transfer, as the wallet page does before it sends one. Returns the function that sends it. */
async function recordTransfer(from: Trader, to: string, lamports: number, connection: Connection) {
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
  const transaction = new Transaction({ recentBlockhash: blockhash, feePayer: from.pair.publicKey });
  transaction.add(SystemProgram.transfer({ fromPubkey: from.pair.publicKey, toPubkey: new PublicKey(to), lamports }));
  transaction.sign(from.pair);
  const signature = bs58.encode(transaction.signature ?? new Uint8Array());
  const data = { type: 'transfer_out', signature, lamports, recipient: to, lastValidBlockHeight };
  const recorded = await from.page.request.post(`/api/users/${from.id}/transactions`, { data });
  expect(recorded.ok()).toBe(true);
  return { signature, send: () => connection.sendRawTransaction(transaction.serialize()) };
}

test('a transfer appears as pending, is confirmed, and reaches the other user, without a reload [S2.11-04, S4-14, S2.5-12]', async ({
  browser,
}) => {
  // Two browsers beside a chain.
  test.slow();
  const [mine, theirs] = await Promise.all([browser.newContext(), browser.newContext()]);
  const alice = await trader(mine, 5);
  const bob = await trader(theirs, 0);
  const connection = await connectChain(alice.page);

  await alice.page.goto('/app/transactions');
  await expect(alice.page.getByRole('heading', { name: 'Transactions' })).toBeVisible();
  await expect(alice.page.getByText('No Transactions')).toBeVisible();
  await bob.page.goto('/app');
  await bob.page.getByRole('tab', { name: 'Recent Transactions' }).click();
  await expect(bob.page.getByText('No Recent Transactions')).toBeVisible();
  for (const { page } of [alice, bob])
    await expect(page.getByRole('button', { name: /^Connection: Live/ })).toBeVisible();

  const transfer = await recordTransfer(alice, bob.pair.publicKey.toBase58(), 1.5 * LAMPORTS_PER_SOL, connection);
  const out = alice.page.getByRole('table', { name: 'Transactions' }).getByRole('row').nth(1);
  await expect(out.getByText('Pending')).toBeVisible();
  await transfer.send();
  await expect(out.getByText('Confirmed')).toBeVisible();
  await expect(out).toContainText('Transfer out');
  await expect(out).toContainText('−1.5 SOL');
  await expect(out).toContainText('fee 0.000005');
  const link = out.getByRole('link', { name: 'View on explorer' });
  const [explorer] = await Promise.all([alice.page.waitForEvent('popup'), link.click()]);
  await expect(explorer.getByText('Success', { exact: true })).toBeVisible();
  await expect(explorer.getByRole('table', { name: 'Balances in SOL' })).toContainText('+1.5');
  const receiver = bob.pair.publicKey.toBase58();
  await explorer.getByRole('link', { name: receiver }).first().click();
  await expect(explorer.getByText('1.5 SOL', { exact: true })).toBeVisible();
  await explorer.close();

  const arrived = bob.page.getByRole('table', { name: 'Recent Transactions' }).getByRole('row').nth(1);
  await expect(arrived).toContainText('Transfer in');
  await expect(arrived).toContainText('+1.5 SOL');

  const [download] = await Promise.all([
    alice.page.waitForEvent('download'),
    alice.page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const csv = await readFile(await download.path(), 'utf8');
  expect(csv.split('\r\n')).toHaveLength(2);
  expect(csv).toContain(`,Transfer out,Confirmed,SOL,,1.5,,0.000005,${bob.pair.publicKey.toBase58()},`);
  await Promise.all([mine.close(), theirs.close()]);
});
