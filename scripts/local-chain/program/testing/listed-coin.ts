import { Keypair, type PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { listingOf } from '../../../../api/launchpad/instructions.ts';
import { simulatedMintBase } from '../../../../api/launchpad/simulated-mint.ts';
import { CURVE_START } from '../../../../api/market/sources/simulator/coin/curve.ts';
import type { PrivateChain } from '../../../testing/local-chain.ts';
import { clientOf, pay, SOL } from '../../testing/client.ts';
import { newMint } from './launchpad-chain.ts';

/** Lists a coin that has just started on a running chain, and returns its mint. */
export async function listCoin(chain: PrivateChain): Promise<PublicKey> {
  const { confirmed, signed, funded } = clientOf(chain);
  const key = Keypair.fromSecretKey(bs58.decode(chain.launchpadKey));
  const creator = await funded();
  await confirmed(await signed([pay(creator, key.publicKey, SOL)], [creator]));
  const coin = { ...newMint(), creator: creator.publicKey, reserves: CURVE_START };
  await confirmed(await signed(listingOf(coin, key.publicKey), [key, simulatedMintBase()]));
  return coin.mint;
}
