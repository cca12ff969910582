import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { Keypair, type TransactionInstruction, TransactionMessage } from '@solana/web3.js';
import bs58 from 'bs58';
import { type MintOrigin, mintAddress, mintSeed } from '../market/sources/simulator/coin/mint-address.ts';

/** The account of the local chain that lists simulated coins and trades for simulated wallets. It holds play money only. */
export type LaunchpadAccount = ReturnType<typeof openLaunchpadAccount>;

const SIGNATURE_BYTES = 64;
const SEED_BYTES = 32;

/** Opens the account of a secret key, base58. */
export function openLaunchpadAccount(secretKey: string) {
  const key = Keypair.fromSecretKey(bs58.decode(secretKey));
  const signers = new Map([key, simulatedMintBase()].map((pair) => [pair.publicKey.toBase58(), keyOf(pair)]));
  return {
    address: key.publicKey,
    /** Returns a signed transaction, base64, and its signature. `withBase`: also signed by the base of simulated mints. */
    transaction(
      instructions: TransactionInstruction[],
      recentBlockhash: string,
      withBase: boolean = false,
    ): { bytes: string; signature: string } {
      const payerKey = key.publicKey;
      const message = new TransactionMessage({ payerKey, recentBlockhash, instructions }).compileToV0Message();
      const bytes = message.serialize();
      const count = withBase ? 2 : 1;
      const signatures = message.staticAccountKeys.slice(0, count).map((address) => {
        const signer = signers.get(address.toBase58());
        return signer ? sign(null, bytes, signer) : Buffer.alloc(SIGNATURE_BYTES);
      });
      const signed = Buffer.concat([Buffer.of(count), ...signatures, bytes]);
      return { bytes: signed.toString('base64'), signature: bs58.encode(signed.subarray(1, 1 + SIGNATURE_BYTES)) };
    },
  };
}

/** Returns the key that Node.js signs with, in a thirtieth of the time of web3.js. */
function keyOf({ secretKey, publicKey }: Keypair): KeyObject {
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
  const d = text(secretKey.subarray(0, SEED_BYTES));
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x: text(publicKey.toBytes()) }, format: 'jwk' });
}

/**
 * Returns the key pair under which the mints of simulated coins are created. It is public on purpose: it holds nothing, it only
 * lets the local chain create a mint at an address that the simulator chose before.
 */
export function simulatedMintBase(): Keypair {
  return Keypair.fromSeed(createHash('sha256').update('mintwatch: base of simulated mints').digest());
}

/**
 * Returns the seed of a coin's mint under the base; null for a coin whose address does not follow from its origin: no key can create it.
 */
export function seedOfMint(address: string, origin: MintOrigin): string | null {
  return mintAddress(origin) === address ? mintSeed(origin) : null;
}
