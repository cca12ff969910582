import { verify } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { PublicError } from '../../common/errors.ts';
import { SealError } from '../keys/sealed.ts';
import { createSigner } from './signer.ts';

const pair = Keypair.generate();
const wallet = pair.publicKey.toBase58();
const message = Buffer.from('message');

/** A signer over one key, with the buffers that it was given. */
function signing() {
  const given: Buffer[] = [];
  const signer = createSigner({
    secretKey: async () => {
      const secretKey = Buffer.from(pair.secretKey);
      given.push(secretKey);
      return { walletAddress: wallet, secretKey };
    },
  });
  return { signer, given };
}

const isWanted = async () => true;
const failing = (error: Error) => createSigner({ secretKey: () => Promise.reject(error) });
const isZero = (bytes: Buffer | undefined) => bytes?.every((byte) => byte === 0);

describe('the signer', () => {
  test('returns a signature that the wallet verifies, and overwrites the key', async () => {
    const { signer, given } = signing();
    const signed = await signer.sign('user', wallet, message, isWanted);
    const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), pair.publicKey.toBuffer()]);
    const key = { key: spki, format: 'der', type: 'spki' } as const;
    expect(signed.ok && verify(null, message, key, signed.value)).toBe(true);
    expect(given.map(isZero)).toEqual([true]);
  });

  test('signs for no other wallet, and overwrites the key also then', async () => {
    const { signer, given } = signing();
    const other = Keypair.generate().publicKey.toBase58();
    expect(await signer.sign('user', other, message, isWanted)).toEqual({
      ok: false,
      reason: { code: 'wallet-changed', numbers: {} },
    });
    expect(given.map(isZero)).toEqual([true]);
  });

  test('does not use an open key once a stop has ended its order, and overwrites it [O6]', async () => {
    const { signer, given } = signing();
    // A stop that is acknowledged after the key was opened, and before the signature.
    const stopped = async () => {
      expect(given.map(isZero)).toEqual([false]);
      return false;
    };
    expect(await signer.sign('user', wallet, message, stopped)).toMatchObject({
      ok: false,
      reason: { code: 'cancelled' },
    });
    const away = () => Promise.reject(new Error('away'));
    await expect(signer.sign('user', wallet, message, away)).rejects.toThrow('away');
    expect(given.map(isZero)).toEqual([true, true]);
  });

  test.each([
    [new PublicError('no-wallet'), 'no-wallet'],
    [new PublicError('no-key'), 'no-key'],
    [new SealError('it does not open'), 'no-key'],
  ])('names %s', async (error, code) => {
    expect(await failing(error).sign('user', wallet, message, isWanted)).toMatchObject({ ok: false, reason: { code } });
  });

  test('passes other failures on, such as a database that is away', async () => {
    await expect(failing(new Error('away')).sign('user', wallet, message, isWanted)).rejects.toThrow('away');
  });
});
