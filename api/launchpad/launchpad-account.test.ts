import { PublicKey } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { SIMULATED_MINT_BASE } from '../market/sources/simulator/coin/mint-address.ts';
import { hourOf } from '../market/testing/simulated-market.ts';
import { seedOfMint, simulatedMintBase } from './launchpad-account.ts';

const tokenProgram = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');

describe('the address of a simulated coin', () => {
  const coins = hourOf('mints').filter((one) => one.kind === 'created');

  test('can be created on a chain under the public base, from stored fields of the coin', async () => {
    expect(simulatedMintBase().publicKey.toBase58()).toBe(SIMULATED_MINT_BASE);
    expect(coins.length).toBeGreaterThan(500);
    for (const { address, creator, at } of coins.slice(0, 100)) {
      const seed = seedOfMint(address, { creator, createdAt: at }) ?? expect.fail();
      const made = await PublicKey.createWithSeed(simulatedMintBase().publicKey, seed, tokenProgram);
      expect(made.toBase58()).toBe(address);
    }
  });

  test('is different for every coin', () => {
    expect(new Set(coins.map(({ address }) => address)).size).toBe(coins.length);
  });

  test('has no seed when it does not follow from creator and time', () => {
    const { address, creator, at } = coins[0] ?? expect.fail();
    expect(seedOfMint(address, { creator, createdAt: at + 1 })).toBeNull();
    expect(seedOfMint(creator, { creator, createdAt: at })).toBeNull();
  });
});
