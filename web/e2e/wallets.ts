import { expect, type Page } from '@playwright/test';
import { Connection, Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import { configCalls } from '../../common/client-config/http.ts';

/** Connects to the chain of the server that the page belongs to. */
export async function connectChain(page: Page): Promise<Connection> {
  const reply = await page.request.get(configCalls.get.path);
  const { chain } = configCalls.get.output.parse(await reply.json());
  if (chain === null) throw new Error('the server has no chain');
  return new Connection(chain.rpcUrl, { commitment: 'confirmed', wsEndpoint: chain.wsUrl });
}

/** Stores a new wallet of `userId`, the page's user, by the API and funds it with `sol` test SOL. Returns its keys. */
export async function giveWallet(page: Page, userId: string, sol: number): Promise<Keypair> {
  const pair = Keypair.generate();
  const data = { walletAddress: pair.publicKey.toBase58(), privateKey: Buffer.from(pair.secretKey).toString('hex') };
  const saved = await page.request.post(`/api/users/${userId}/wallet`, { data });
  expect(saved.ok(), await saved.text()).toBe(true);
  if (sol === 0) return pair;
  const connection = await connectChain(page);
  await connection.requestAirdrop(pair.publicKey, sol * LAMPORTS_PER_SOL);
  await expect.poll(() => connection.getBalance(pair.publicKey)).toBe(sol * LAMPORTS_PER_SOL);
  return pair;
}
