import { afterAll } from 'vitest';
import type { LocalChainOptions } from '../local-chain/launcher.ts';
import { type PrivateChain, startLocalChainForTest } from './local-chain.ts';

/** Starts a local chain for all tests of a file, and removes it after them. */
export async function privateChain(options?: LocalChainOptions): Promise<PrivateChain> {
  const chain = await startLocalChainForTest(options);
  afterAll(() => chain.remove());
  return chain;
}
