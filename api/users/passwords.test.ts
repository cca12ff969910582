import * as argon2 from '@node-rs/argon2';
import { expect, test, vi } from 'vitest';
import { createPasswords, HASH_THREADS } from './passwords.ts';

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

test('hashes no more passwords at a time than it has threads, and refuses more than may wait', async () => {
  let [running, most] = [0, 0];
  const ends: (() => void)[] = [];
  const hash = async (): Promise<string> => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => ends.push(resolve));
    running -= 1;
    return 'hash';
  };
  const passwords = createPasswords({ hash, verify: argon2.verify });
  ends.shift()?.();
  const { hash: queued } = await passwords;
  const results = Array.from({ length: 100 }, () => queued('a password').catch(() => 'refused'));
  while (running > 0) {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const refused = (await Promise.all(results)).filter((result) => result === 'refused');
  expect(refused).toHaveLength(100 - HASH_THREADS - 16);
  expect(most).toBe(HASH_THREADS);
});
