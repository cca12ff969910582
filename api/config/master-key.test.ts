import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { MasterKeyMissing, unwrapKey, wrapKey } from '../keys/model.ts';
import { type MasterKeys, masterKey, masterKeyText, parseMasterKey } from './master-key.ts';

const bytes = Buffer.from('fb0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff', 'hex');

test('a master key is read from hex and from base64 of either alphabet', () => {
  for (const text of [
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    bytes.toString('base64'),
    bytes.toString('base64url'),
  ]) {
    expect(parseMasterKey(text)?.bytes).toEqual(bytes);
  }
  expect(parseMasterKey(masterKeyText(masterKey(bytes)))?.bytes).toEqual(bytes);
});

test.each(['', 'short', bytes.toString('hex').slice(2), `${bytes.toString('hex')}00`, `${'A'.repeat(43)}!`])(
  'no master key is read from "%s"',
  (text) => {
    expect(parseMasterKey(text)).toBeNull();
  },
);

test('the id names the key, and none of its bytes are in it', () => {
  const { id } = masterKey(bytes);
  expect(id).toBe(masterKey(Buffer.from(bytes)).id);
  expect(id).toMatch(/^[0-9a-f]{16}$/);
  expect(id).not.toBe(masterKey(randomBytes(32)).id);
  expect(bytes.toString('hex')).not.toContain(id.slice(0, 8));
});

test('a data key is unwrapped by the master key that wrapped it, for its user alone [S3-18]', () => {
  const [old, newer, stranger] = [masterKey(randomBytes(32)), masterKey(randomBytes(32)), masterKey(randomBytes(32))];
  const dataKey = randomBytes(32);
  const stored = wrapKey(dataKey, 'user 1', old, randomBytes);
  const both: MasterKeys = [newer, old];
  expect(unwrapKey(stored, 'user 1', both)).toEqual(dataKey);
  expect(() => unwrapKey(stored, 'user 2', both)).toThrow('does not open');
  // A wrong master key says so, instead of giving garbage.
  expect(() => unwrapKey(stored, 'user 1', [newer, stranger])).toThrow(new MasterKeyMissing(old.id));
  expect(() => unwrapKey({ ...stored, masterKeyId: newer.id }, 'user 1', both)).toThrow('does not open');
});
