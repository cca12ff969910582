import type { TestProject } from 'vitest/node';
// Declares the type of the provided 'localChain'.
import type {} from '../../api/testing/chain.ts';
import { startLocalChainForTest } from './local-chain.ts';

/** Starts one local chain for all integration tests of a run; `testChain()` gives each an address on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { rpcUrl, wsUrl, launchpadKey, remove } = await startLocalChainForTest({ log: console.warn });
  project.provide('localChain', { rpcUrl, wsUrl, launchpadKey });
  return remove;
}
