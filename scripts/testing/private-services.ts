import { afterAll } from 'vitest';
import type { LocalChainOptions } from '../local-chain/launcher.ts';
import { embeddedMongoForTest, type PrivateMongo } from './embedded-mongo.ts';
import { type PrivateChain, startLocalChainForTest } from './local-chain.ts';

/** Starts a local chain for all tests of a file, and removes it after them. */
export async function privateChain(options?: LocalChainOptions): Promise<PrivateChain> {
  const chain = await startLocalChainForTest(options);
  afterAll(() => chain.remove());
  return chain;
}

/** Starts a MongoDB server for all tests of a file, and removes it after them. */
export async function privateMongo(): Promise<PrivateMongo> {
  const mongo = await embeddedMongoForTest();
  afterAll(() => mongo.remove());
  return mongo;
}
