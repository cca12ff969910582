import { Keypair } from '@solana/web3.js';
import { z } from 'zod';
import type { TestServer } from './server.ts';

/** What the Wallet page sends. */
export interface TestWallet {
  walletAddress: string;
  /** Hex. */
  privateKey: string;
}

/** An address and its key; the same for the same number, 0–255. */
export function testWallet(number: number): TestWallet {
  const pair = Keypair.fromSeed(new Uint8Array(32).fill(number));
  return { walletAddress: pair.publicKey.toBase58(), privateKey: Buffer.from(pair.secretKey).toString('hex') };
}

/** The id of the user whose cookie this is. */
export async function userIdOf(server: TestServer, cookie: string): Promise<string> {
  const { body } = await server.fetchJson('/api/auth/me', { cookie });
  return z.object({ id: z.string() }).parse(body).id;
}
