import { expect, test } from 'vitest';
import { presentKey } from './present.ts';

test('writes the key as hex into bytes that can be overwritten', () => {
  const secretKey = Uint8Array.from({ length: 64 }, (_, index) => (index * 37) % 256);
  const { bytes } = presentKey('an "address"', secretKey);
  expect(JSON.parse(bytes.toString())).toEqual({
    walletAddress: 'an "address"',
    privateKey: Buffer.from(secretKey).toString('hex'),
  });
  bytes.fill(0);
  expect(bytes.every((byte) => byte === 0)).toBe(true);
});
