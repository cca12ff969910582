import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** Length of a secret, which is that of the SHA-1 key (RFC 4226, section 4), bytes. */
const SECRET_BYTES = 20;
/** Codes of the steps before and after the current one count too, since clocks differ (RFC 6238, section 5.2). */
const WINDOW = 1;
const PERIOD_SECONDS = 30;
const ISSUER = 'Mintwatch';

export function newSecret(): Uint8Array {
  return randomBytes(SECRET_BYTES);
}

/** Returns the form for people to type, and the address that authenticator apps read from a QR code. */
export function presentSecret(secret: Uint8Array, username: string): { secret: string; uri: string } {
  const totp = new TOTP({ issuer: ISSUER, label: username, secret: secretOf(secret), period: PERIOD_SECONDS });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** Returns the number of the 30-second step that `code` belongs to (RFC 6238); null when it is not valid at `now` (epoch ms). */
export function stepOfCode(secret: Uint8Array, code: string, now: number): number | null {
  const delta = TOTP.validate({
    token: code,
    secret: secretOf(secret),
    timestamp: now,
    window: WINDOW,
    period: PERIOD_SECONDS,
  });
  return delta === null ? null : TOTP.counter({ timestamp: now, period: PERIOD_SECONDS }) + delta;
}

function secretOf(bytes: Uint8Array): Secret {
  // A copy, since a Buffer may be a part of a larger ArrayBuffer.
  return new Secret({ buffer: Uint8Array.from(bytes).buffer });
}
