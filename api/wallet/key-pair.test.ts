import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect, test } from 'vitest';
import { belongsTogether } from './key-pair.ts';

/** RFC 8032, test 1: seed and public key. */
const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const PUBLIC = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const secret = (text: string) => Buffer.from(text, 'hex');
const address = bs58.encode(secret(PUBLIC));

test('a secret key is its seed and its public key, 64 bytes, and belongs to that address [S3-16]', () => {
  expect(belongsTogether(secret(SEED + PUBLIC), address)).toBe(true);
});

test('what web3.js makes belongs together, and with nothing else [S3-15]', () => {
  const [one, other] = [Keypair.generate(), Keypair.generate()];
  expect(belongsTogether(one.secretKey, one.publicKey.toBase58())).toBe(true);
  expect(belongsTogether(one.secretKey, other.publicKey.toBase58())).toBe(false);
  const mixed = Buffer.concat([one.secretKey.subarray(0, 32), other.secretKey.subarray(32)]);
  expect(belongsTogether(mixed, one.publicKey.toBase58())).toBe(false);
  expect(belongsTogether(mixed, other.publicKey.toBase58())).toBe(false);
});

test.each([
  ['half a key', secret(SEED), address],
  ['one byte more', secret(`${SEED}${PUBLIC}00`), address],
  ['another seed', secret(`00${SEED.slice(2)}${PUBLIC}`), address],
  ['no base58', secret(SEED + PUBLIC), '0OIl'],
  ['a short address', secret(SEED + PUBLIC), bs58.encode(secret(PUBLIC).subarray(1))],
])('%s does not belong', (_name, key, to) => {
  expect(belongsTogether(key, to)).toBe(false);
});
