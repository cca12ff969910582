import { createHash, randomBytes } from 'node:crypto';
import { type Connection, type Model, Types } from 'mongoose';
import { Secret, TOTP } from 'otpauth';
import type { Clock } from '../../../common/time.ts';
import { createLimiter, type Limits } from '../../http/limits/rate-limits.ts';
import type { Keys } from '../../keys/service.ts';
import type { UserRecord } from '../../users/model.ts';

const COUNT = 10;
/** 80 bits, 16 characters in base32: too many to guess, also from a plain hash. */
const BYTES = 10;

/** Purpose for which the secret of the app is sealed. */
export const PURPOSE = 'second-factor';
const APP_CODE = /^\d{6}$/;

/** Checks codes as `codeSchema` parses them. */
export type Codes = ReturnType<typeof createCodes>;

export function createCodes({ users, keys, clock }: { users: Model<UserRecord>; keys: Keys; clock: Clock }) {
  /** Returns the 30-second step of a code of the app; null when it is not valid now. */
  async function stepOf(userId: string, sealed: string, code: string): Promise<number | null> {
    const secret = await keys.open(userId, PURPOSE, sealed);
    try {
      return stepOfCode(secret, code, clock.now());
    } finally {
      secret.fill(0);
    }
  }

  return {
    stepOf,
    /** Redeems a code of a user with the secret `sealed`, once; null when it is not valid or was redeemed before. */
    // One atomic update each, so that of two requests with one code only one succeeds.
    async redeem(userId: string, sealed: string, code: string): Promise<CodeKind | null> {
      const _id = new Types.ObjectId(userId);
      if (kindOf(code) === 'recovery') {
        const hash = recoveryHash(userId, code);
        const pull = { $pull: { 'secondFactor.recovery': hash } };
        const { modifiedCount } = await users.updateOne({ _id, 'secondFactor.recovery': hash }, pull);
        return modifiedCount === 1 ? 'recovery' : null;
      }
      const step = await stepOf(userId, sealed, code);
      if (step === null) return null;
      const unused = { _id, 'secondFactor.sealed': sealed, 'secondFactor.lastStep': { $lt: step } };
      const { modifiedCount } = await users.updateOne(unused, { $set: { 'secondFactor.lastStep': step } });
      return modifiedCount === 1 ? 'app' : null;
    },
  };
}

/** Returns the kind of a code as `codeSchema` parses it. */
export function kindOf(code: string): CodeKind {
  return APP_CODE.test(code) ? 'app' : 'recovery';
}

/** Returns new recovery codes as `codeSchema` parses them. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => new Secret({ buffer: Uint8Array.from(randomBytes(BYTES)).buffer }).base32);
}

/** Returns a code in groups of four, as shown to the user. */
export function groupedCode(code: string): string {
  return (code.match(/.{1,4}/g) ?? []).join('-');
}

/** Returns the stored form of a code, which differs between users. */
export function recoveryHash(userId: string, code: string): string {
  return createHash('sha256').update(`recovery:${userId}:${code}`).digest('base64url');
}

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

/** The client that sends a code. */
export interface CodeClient {
  userId: string;
  /** Secret of the user's session, or of a browser in which the user has logged in before; null for a stranger. */
  known: string | null;
  /** As `addressKey` forms it. */
  address: string;
}

/** Kinds of codes, which are counted apart: no guess of one kind uses up the tries of the other. */
export type CodeKind = 'app' | 'recovery';

/**
 * Limits guesses of codes in a way that cannot lock an owner out: each session and each known browser has a count of its own,
 * and a stranger one by address. Over all addresses, codes of the app from strangers have a bound by user, since their guesses
 * must stay few. Recovery codes need none: they are too long to guess.
 */
export type CodeLimits = Awaited<ReturnType<typeof createCodeLimits>>;

export async function createCodeLimits(connection: Connection, limits: Limits) {
  const perClient = {
    app: await createLimiter(connection, 'code', limits.codePerClient),
    recovery: await createLimiter(connection, 'recovery-code', limits.codePerClient),
  };
  const ofStrangers = await createLimiter(connection, 'code-strangers', limits.codeOfStrangersPerUser);

  return {
    /** Counts a code before its check. Throws `too-many-requests`. */
    async count(client: CodeClient, kind: CodeKind): Promise<void> {
      await perClient[kind].count(keyOf(client));
      // Afterwards, so that one address alone cannot use it up.
      if (client.known === null && kind === 'app') await ofStrangers.count(client.userId);
    },
    /** Resets the counts of a client that sent a right code. */
    async succeeded(client: CodeClient): Promise<void> {
      const { userId, known } = client;
      const key = keyOf(client);
      await Promise.all([perClient.app.forget(key), perClient.recovery.forget(key)]);
      if (known === null) await ofStrangers.forget(userId);
    },
  };
}

/** Returns the key of a client, without its secret. */
function keyOf({ userId, known, address }: CodeClient): string {
  const client = known === null ? address : createHash('sha256').update(known).digest('base64url');
  return `${userId} ${client}`;
}
