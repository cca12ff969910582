import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { placeOf, SealError, seal, unseal } from './sealed.ts';

const bytes = (text: string) => Buffer.from(text, 'hex');
const key = bytes('00112233445566778899aabbccddeeff'.repeat(2));
const place = placeOf('wallet key', 'user 1');

test("AES-256-GCM matches the known answers of the algorithm's own test cases [S3-18]", () => {
  // Cases 13 and 14 of the GCM specification: key and IV of zeros, empty text and 16 zeros, no additional data.
  const zeros = () => Buffer.alloc(12);
  const head = `01${'00'.repeat(12)}`;
  expect(seal(Buffer.alloc(32), Buffer.alloc(0), '', zeros).toString('hex')).toBe(
    `${head}530f8afbc74536b9a963b4f1c4cb738b`,
  );
  const sealed = seal(Buffer.alloc(32), Buffer.alloc(16), '', zeros);
  expect(sealed.toString('hex')).toBe(`${head}cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919`);
  expect(unseal(Buffer.alloc(32), sealed, '')).toEqual(Buffer.alloc(16));
});

test('a sealed value opens with its key in its place [S3-18]', () => {
  const plain = randomBytes(64);
  expect(unseal(key, seal(key, plain, place, randomBytes), place)).toEqual(plain);
});

test('sealing the same value twice gives two results: the IV is new each time', () => {
  const plain = Buffer.from('the same');
  expect(seal(key, plain, place, randomBytes)).not.toEqual(seal(key, plain, place, randomBytes));
});

test('detects each flipped bit of each byte', () => {
  const sealed = seal(key, randomBytes(64), place, randomBytes);
  for (let at = 0; at < sealed.length; at += 1) {
    for (const bit of [1, 2, 4, 8, 16, 32, 64, 128]) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ bit;
      expect(() => unseal(key, changed, place), `byte ${at}, bit ${bit}`).toThrow(SealError);
    }
  }
});

test('detects a truncated or extended value', () => {
  const sealed = seal(key, randomBytes(64), place, randomBytes);
  for (let length = 0; length < sealed.length; length += 1) {
    expect(() => unseal(key, sealed.subarray(0, length), place)).toThrow(SealError);
  }
  expect(() => unseal(key, Buffer.concat([sealed, Buffer.alloc(1)]), place)).toThrow(SealError);
});

test.each([
  ['another user', placeOf('wallet key', 'user 2')],
  ['another purpose', placeOf('data key', 'user 1')],
  ['parts that run together', placeOf('wallet keyuser 1')],
])('does not open in the place of %s [S3-18]', (_name, elsewhere) => {
  expect(() => unseal(key, seal(key, Buffer.from('x'), place, randomBytes), elsewhere)).toThrow(SealError);
});

test('does not open with another key, and the error reveals nothing of the content', () => {
  const sealed = seal(key, Buffer.from('very secret'), place, randomBytes);
  expect(() => unseal(randomBytes(32), sealed, place)).toThrow(
    'what was sealed does not open with this key in this place',
  );
});
