import { Keypair, type PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { listingOf } from '../../../../api/launchpad/instructions.ts';
import { simulatedMintBase } from '../../../../api/launchpad/launchpad-account.ts';
import { migrateInstructions } from '../../../../api/launchpad/pool.ts';
import { CURVE_START } from '../../../../api/market/sources/simulator/coin/curve.ts';
import { buyExactQuoteIn, createTokenAccount } from '../../../../api/trading/pump/instructions.ts';
import { pumpAddresses } from '../../../../api/trading/pump/interface.ts';
import type { PrivateChain } from '../../../testing/local-chain.ts';
import { clientOf, pay, SOL } from '../../testing/client.ts';
import { BUYBACK_RECIPIENT, FEE_RECIPIENT } from '../launchpad.ts';
import { newMint } from './launchpad-chain.ts';

/** Lists a coin that has just started on a running chain, and returns its mint. */
export async function listCoin(chain: PrivateChain): Promise<PublicKey> {
  return (await listed(chain)).mint;
}

/** More than a whole curve costs, lamports. */
const CURVE_PRICE = 90 * SOL;

/** Lists a coin, buys its curve out, and moves it into its pool. Returns its mint. */
export async function listPooledCoin(chain: PrivateChain): Promise<PublicKey> {
  const { confirmed, signed } = clientOf(chain);
  const { mint, creator } = await listed(chain);
  await buyOut(chain, mint, creator);
  const key = Keypair.fromSecretKey(bs58.decode(chain.launchpadKey));
  await confirmed(await signed(migrateInstructions(mint, key.publicKey), [key]));
  return mint;
}

/** Buys all that is left on the curve of a coin. Returns the buyer, who has some 10 SOL left. */
export async function buyOut(chain: PrivateChain, mint: PublicKey, creator: PublicKey): Promise<Keypair> {
  const { confirmed, signed, funded } = clientOf(chain);
  const buyer = await funded(CURVE_PRICE + 10 * SOL);
  const trade = {
    mint: mint.toBase58(),
    tokenProgram: pumpAddresses.quoteTokenProgram,
    creator: creator.toBase58(),
    user: buyer.publicKey.toBase58(),
    feeRecipient: FEE_RECIPIENT,
    buybackRecipient: BUYBACK_RECIPIENT,
  };
  const purchase = [createTokenAccount(trade), buyExactQuoteIn(trade, BigInt(CURVE_PRICE), 1n)];
  await confirmed(await signed(purchase, [buyer]));
  return buyer;
}

async function listed(chain: PrivateChain) {
  const { confirmed, signed, funded } = clientOf(chain);
  const key = Keypair.fromSecretKey(bs58.decode(chain.launchpadKey));
  const creator = await funded();
  await confirmed(await signed([pay(creator, key.publicKey, SOL)], [creator]));
  const coin = { ...newMint(), creator: creator.publicKey, reserves: CURVE_START };
  await confirmed(await signed(listingOf(coin, key.publicKey), [key, simulatedMintBase()]));
  return coin;
}
