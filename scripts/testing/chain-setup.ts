import type { TestProject } from 'vitest/node';
// For the side effect on types: it declares what 'localChain' provides.
import type {} from '../../api/testing/chain.ts';
import { startLocalChainForTest } from './local-chain.ts';

/** One local chain for all integration tests of a run; `testChain()` gives each an address of its own on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { rpcUrl, wsUrl, remove } = await startLocalChainForTest({ log: console.warn });
  project.provide('localChain', { rpcUrl, wsUrl });
  return remove;
}
