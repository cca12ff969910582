import fc from 'fast-check';
import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { groupedCode, newRecoveryCodes, newSecret, presentSecret, recoveryHash, stepOfCode } from './codes.ts';

const STEP_MS = 30_000;

/** RFC 6238, appendix B, for SHA-1: the last six of its eight digits. */
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('accepts the code of RFC 6238 at %i s', (seconds, code) => {
  const secret = new TextEncoder().encode('12345678901234567890');
  expect(stepOfCode(secret, code, seconds * 1_000)).toBe(Math.floor(seconds / 30));
});

test('accepts codes one step early or late, and names their step', () => {
  const secret = newSecret();
  const totp = new TOTP({ secret: new Secret({ buffer: Uint8Array.from(secret).buffer }) });
  fc.assert(
    fc.property(fc.integer({ min: 60_000, max: 4e12 }), fc.integer({ min: -1, max: 1 }), (now, offset) => {
      const code = totp.generate({ timestamp: now + offset * STEP_MS });
      const step = stepOfCode(secret, code, now);
      expect(step).not.toBeNull();
      // Codes of neighbouring steps may be equal by chance.
      expect(Math.abs((step ?? 0) - Math.floor(now / STEP_MS))).toBeLessThanOrEqual(1);
    }),
  );
});

test('refuses a code of two steps before', () => {
  const secret = new TextEncoder().encode('12345678901234567890');
  expect(stepOfCode(secret, '287082', 59_000 + 2 * STEP_MS)).toBeNull();
});

test('shows the secret in base32, and an address that names account and issuer', () => {
  const { secret, uri } = presentSecret(new TextEncoder().encode('12345678901234567890'), 'Änn & co');
  expect(secret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  const address = new URL(uri);
  expect(decodeURIComponent(address.pathname)).toBe('/Mintwatch:Änn & co');
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    issuer: 'Mintwatch',
    secret,
    digits: '6',
    period: '30',
  });
});

test('recovery codes are ten different ones of 80 bits, hashed differently for each user', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[A-Z2-7]{16}$/);
  expect(groupedCode('ABCDEFGHIJKLMNOP')).toBe('ABCD-EFGH-IJKL-MNOP');
  const [code = ''] = codes;
  expect(recoveryHash('a', code)).not.toBe(recoveryHash('b', code));
});
