import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Keypair, PublicKey } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { CURVE_START } from '../../../api/market/sources/simulator/coin/curve.ts';
import { pumpProgram } from '../../../api/market/sources/solana/programs.ts';
import { buyExactQuoteIn, type CurveTrade } from '../../../api/trading/pump/instructions.ts';
import { pumpAddresses } from '../../../api/trading/pump/interface.ts';
import { startLocalChainForTest } from '../../testing/local-chain.ts';
import { clientOf, pay, SOL } from '../testing/client.ts';
import { BUYBACK_RECIPIENT, FEE_RECIPIENT, launchpadKey } from './launchpad.ts';
import { createTokenAccount, listingOf } from './listing.ts';

const stateSchema = z.object({
  identity: z.object({ seed: z.string() }),
  accounts: z.array(z.tuple([z.string(), z.array(z.unknown())])),
});

test('a coin that is listed on the local chain can be bought after a restart', async () => {
  const chain = await startLocalChainForTest();
  const stateOf = async () =>
    stateSchema.parse(JSON.parse(await readFile(path.join(chain.directory, 'state.json'), 'utf8')));
  try {
    const { connection, confirmed, signed, funded } = clientOf(chain);
    expect(await connection.getAccountInfo(new PublicKey(pumpProgram))).toMatchObject({ executable: true });
    const key = launchpadKey(Buffer.from((await stateOf()).identity.seed, 'base64'));
    const mint = Keypair.generate();
    const user = await funded();
    const money = pay(user, key.publicKey, SOL);
    // Named as writable, the program's account counts as changed; it must not be stored, since a later version would be lost.
    money.keys.push({ pubkey: new PublicKey(pumpProgram), isSigner: false, isWritable: true });
    await confirmed(await signed([money], [user]));
    const [creator, freezeAuthority] = [user.publicKey, null];
    const coin = { mint: mint.publicKey, creator, reserves: CURVE_START, isMintRevoked: true, freezeAuthority };
    await confirmed(await signed(listingOf(coin, key.publicKey), [key, mint]));
    await chain.stop();
    const { accounts } = await stateOf();
    expect(accounts.map(([address]) => address)).toContain(mint.publicKey.toBase58());
    expect(accounts.map(([address]) => address)).not.toContain(pumpProgram);

    await chain.start();
    const after = clientOf(chain);
    const trade: CurveTrade = {
      mint: mint.publicKey.toBase58(),
      tokenProgram: pumpAddresses.quoteTokenProgram,
      creator: creator.toBase58(),
      user: user.publicKey.toBase58(),
      feeRecipient: FEE_RECIPIENT,
      buybackRecipient: BUYBACK_RECIPIENT,
    };
    const account = createTokenAccount(user.publicKey, user.publicKey, mint.publicKey);
    // What 3 SOL bought in a recorded trade on mainnet.
    const buy = buyExactQuoteIn(trade, 3_000_000_000n, 96_449_438_144_093n);
    await after.confirmed(await after.signed([account, buy], [user]));
  } finally {
    await chain.remove();
  }
});
