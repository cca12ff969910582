import { Keypair, PublicKey } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { privateChain } from '../testing/private-services.ts';
import { clientOf } from './testing/client.ts';
import { createMint, createTokenAccount, mintTo, transferChecked } from './testing/token-instructions.ts';

const chain = await privateChain();
const client = clientOf(chain);
const { connection } = client;

test('mints, holds, transfers and shows tokens', async () => {
  const alice = await client.funded();
  const bob = await client.funded();
  const [mint, hers, his] = [Keypair.generate(), Keypair.generate(), Keypair.generate()];
  const rentOf = (bytes: number) => connection.getMinimumBalanceForRentExemption(bytes);
  await client.confirmed(
    await client.signed(
      [
        ...createMint(alice.publicKey, mint.publicKey, 6, await rentOf(82)),
        ...createTokenAccount(alice.publicKey, hers.publicKey, mint.publicKey, alice.publicKey, await rentOf(165)),
        mintTo(mint.publicKey, hers.publicKey, alice.publicKey, 5_000_000n),
      ],
      [alice, mint, hers],
    ),
  );
  await client.confirmed(
    await client.signed(
      createTokenAccount(bob.publicKey, his.publicKey, mint.publicKey, bob.publicKey, await rentOf(165)),
      [bob, his],
    ),
  );
  const transfer = transferChecked(hers.publicKey, mint.publicKey, his.publicKey, alice.publicKey, 2_500_000n, 6);
  const signature = await client.confirmed(await client.signed([transfer], [alice]));

  expect((await connection.getTokenAccountBalance(his.publicKey)).value).toMatchObject({
    amount: '2500000',
    uiAmountString: '2.5',
  });
  expect((await connection.getTokenSupply(mint.publicKey)).value.uiAmount).toBe(5);
  const held = await connection.getParsedTokenAccountsByOwner(bob.publicKey, { mint: mint.publicKey });
  expect(held.value.map((one) => one.account.data.parsed.info.tokenAmount.uiAmount)).toEqual([2.5]);
  expect((await connection.getTokenLargestAccounts(mint.publicKey)).value).toHaveLength(2);
  const program = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
  const filters = [{ dataSize: 165 }, { memcmp: { offset: 0, bytes: mint.publicKey.toBase58() } }];
  expect(await connection.getProgramAccounts(program, { filters })).toHaveLength(2);
  const several = await connection.getMultipleAccountsInfo([
    mint.publicKey,
    his.publicKey,
    Keypair.generate().publicKey,
  ]);
  expect(several.map((one) => one?.data.length ?? null)).toEqual([82, 165, null]);
  const found = await connection.getParsedTransaction(signature, { commitment: 'confirmed' });
  expect(found?.transaction.message.instructions[0]).toMatchObject({
    program: 'spl-token',
    parsed: { type: 'transferChecked' },
  });
  const after = found?.meta?.postTokenBalances?.map(({ owner, uiTokenAmount }) => [owner, uiTokenAmount.amount]);
  expect(after).toEqual(
    expect.arrayContaining([
      [alice.publicKey.toBase58(), '2500000'],
      [bob.publicKey.toBase58(), '2500000'],
    ]),
  );
});

test('describes itself', async () => {
  expect(await connection.getVersion()).toHaveProperty('solana-core');
  expect(await connection.getGenesisHash()).toMatch(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/);
  const { absoluteSlot, blockHeight } = await connection.getEpochInfo();
  expect(absoluteSlot).toBeGreaterThan(blockHeight ?? Number.POSITIVE_INFINITY);
  expect(await connection.getMinimumBalanceForRentExemption(165)).toBe(2_039_280);
  await expect(connection.getBlock(1)).rejects.toThrow('Method not found');
});
