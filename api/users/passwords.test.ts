import * as argon2 from '@node-rs/argon2';
import { expect, test, vi } from 'vitest';
import { createPasswords } from './passwords.ts';

test('an unknown user costs the same hash as a wrong password', async () => {
  const verify = vi.fn(argon2.verify);
  const passwords = await createPasswords({ hash: argon2.hash, verify });
  for (const stored of [await passwords.hash('the password'), null]) {
    verify.mockClear();
    expect(await passwords.verify(stored, 'not the password')).toBe(false);
    expect(verify).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
      'not the password',
    );
  }
});
