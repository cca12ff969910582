import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Keypair, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createTokenAccount, listingOf } from '../../../api/launchpad/instructions.ts';
import { simulatedMintBase } from '../../../api/launchpad/launchpad-account.ts';
import { CURVE_START } from '../../../api/market/sources/simulator/coin/curve.ts';
import { pumpProgram } from '../../../api/market/sources/solana/programs.ts';
import { buyExactQuoteIn, type CurveTrade } from '../../../api/trading/pump/instructions.ts';
import { pumpAddresses } from '../../../api/trading/pump/interface.ts';
import { startLocalChainForTest } from '../../testing/local-chain.ts';
import { clientOf, pay, SOL } from '../testing/client.ts';
import { BUYBACK_RECIPIENT, FEE_RECIPIENT, launchpadKey } from './launchpad.ts';
import { newMint } from './testing/launchpad-chain.ts';

const stateSchema = z.object({
  identity: z.object({ seed: z.string() }),
  accounts: z.array(z.tuple([z.string(), z.array(z.unknown())])),
});

test('a coin that is listed on the local chain can be bought after a restart', async () => {
  const chain = await startLocalChainForTest();
  const stateOf = async () => {
    const text = await readFile(path.join(chain.directory, 'state.json'), 'utf8');
    return stateSchema.parse(JSON.parse(text.slice(text.indexOf('{'))));
  };
  try {
    const { connection, confirmed, signed, funded } = clientOf(chain);
    expect(await connection.getAccountInfo(new PublicKey(pumpProgram))).toMatchObject({ executable: true });
    const key = Keypair.fromSecretKey(bs58.decode(chain.launchpadKey));
    expect(key).toEqual(launchpadKey(Buffer.from((await stateOf()).identity.seed, 'base64')));
    const { mint, seed } = newMint();
    const user = await funded();
    const money = pay(user, key.publicKey, SOL);
    // Named as writable, the program's account counts as changed; it must not be stored, since a later version would be lost.
    money.keys.push({ pubkey: new PublicKey(pumpProgram), isSigner: false, isWritable: true });
    await confirmed(await signed([money], [user]));
    const creator = user.publicKey;
    const coin = { mint, seed, creator, reserves: CURVE_START };
    await confirmed(await signed(listingOf(coin, key.publicKey), [key, simulatedMintBase()]));
    await chain.stop();
    const { accounts } = await stateOf();
    expect(accounts.map(([address]) => address)).toContain(mint.toBase58());
    expect(accounts.map(([address]) => address)).not.toContain(pumpProgram);

    await chain.start();
    const after = clientOf(chain);
    const trade: CurveTrade = {
      mint: mint.toBase58(),
      tokenProgram: pumpAddresses.quoteTokenProgram,
      creator: creator.toBase58(),
      user: user.publicKey.toBase58(),
      feeRecipient: FEE_RECIPIENT,
      buybackRecipient: BUYBACK_RECIPIENT,
    };
    const account = createTokenAccount(user.publicKey, user.publicKey, mint);
    // What 3 SOL bought in a recorded trade on mainnet.
    const buy = buyExactQuoteIn(trade, 3_000_000_000n, 96_449_438_144_093n);
    await after.confirmed(await after.signed([account, buy], [user]));
  } finally {
    await chain.remove();
  }
});
