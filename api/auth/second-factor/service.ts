import { type Connection, type Model, Types } from 'mongoose';
import type { SecondFactor, SecondFactorSetup } from '../../../common/auth/model.ts';
import { errors, PublicError } from '../../../common/errors.ts';
import { type Clock, MINUTE } from '../../../common/time.ts';
import type { Audit } from '../../audit/service.ts';
import type { EventSink } from '../../events/bus.ts';
import type { Limits } from '../../http/limits/rate-limits.ts';
import type { Keys } from '../../keys/service.ts';
import { type UserRecord, userModel } from '../../users/model.ts';
import {
  type CodeClient,
  type CodeLimits,
  type Codes,
  createCodeLimits,
  createCodes,
  groupedCode,
  kindOf,
  newRecoveryCodes,
  newSecret,
  PURPOSE,
  presentSecret,
  recoveryHash,
} from './codes.ts';

/** Time within which a set-up has to be confirmed, ms. */
const SETUP_AGE = 30 * MINUTE;

/** A user, and the address of the request. */
export interface Holder {
  user: Pick<UserRecord, '_id' | 'username'>;
  address: string;
}

/** A user who sends a code. `known`: as in `CodeClient`. */
export interface CodeHolder extends Holder {
  known: string | null;
}

/** Two-step login by one-time codes of an authenticator app (RFC 6238). Every change is recorded. */
export type SecondFactors = Awaited<ReturnType<typeof createSecondFactors>>;

interface Deps {
  connection: Connection;
  keys: Keys;
  audit: Pick<Audit, 'record'>;
  limits: Limits;
  clock: Clock;
  bus: EventSink;
}

export async function createSecondFactors(deps: Deps) {
  const users = userModel(deps.connection);
  const attempts = await createCodeLimits(deps.connection, deps.limits);
  const parts = { ...deps, users, attempts, codes: createCodes({ ...deps, users }) };
  return { require: createCodeCheck(parts), ...createSetup(parts), ...createSwitch(parts) };
}

interface Parts extends Deps {
  users: Model<UserRecord>;
  attempts: CodeLimits;
  codes: Codes;
}

/**
 * Creates the check that requires a code where two-step login is on: one of the app that was not used before, or a recovery code,
 * which is used up. A stranger's wrong code, for which the password was right, is recorded and announced as `password-exposed`.
 * Throws `code-needed`, `wrong-code` and `too-many-requests`.
 */
function createCodeCheck({ audit, attempts, codes, clock, bus }: Parts) {
  return async (
    by: CodeHolder & { user: Pick<UserRecord, 'secondFactor'> },
    code: string | undefined,
  ): Promise<void> => {
    const { secondFactor } = by.user;
    if (!secondFactor) return;
    if (code === undefined) throw new PublicError('code-needed', { details: { code: [errors['code-needed'].text] } });
    const userId = by.user._id.toHexString();
    const client = clientOf(by);
    // Before the check, so that concurrent guesses are all counted.
    await attempts.count(client, kindOf(code));
    const kind = await codes.redeem(userId, secondFactor.sealed, code);
    if (kind === null) {
      if (by.known !== null) return refuse(audit, by);
      await audit.record('password-exposed', by, userId);
      bus.emit('password-exposed', { userId, at: clock.now() });
      throw wrongCode();
    }
    await attempts.succeeded(client);
    if (kind === 'recovery') await audit.record('recovery-code-used', by, userId);
  };
}

function createSetup({ users, keys, audit, attempts, codes, clock, bus }: Parts) {
  return {
    /** Stores a new secret, which counts once `enable` has confirmed it. Throws `second-factor-on`. */
    async setUp({ _id, username }: Holder['user']): Promise<SecondFactorSetup> {
      const userId = _id.toHexString();
      const secret = newSecret();
      const sealed = await keys.seal(userId, PURPOSE, secret);
      const shown = presentSecret(secret, username);
      secret.fill(0);
      const setup = { sealed, at: new Date(clock.now()) };
      const off = { _id, secondFactor: { $exists: false } };
      const { matchedCount } = await users.updateOne(off, { $set: { secondFactorSetup: setup } });
      if (matchedCount === 0) throw new PublicError('second-factor-on');
      return shown;
    },
    /**
     * Switches two-step login on with a code of the new secret. Resolves with the recovery codes, which can't be read again.
     * Throws `second-factor-off` without a set-up, `second-factor-on`, `wrong-code` and `too-many-requests`.
     */
    async enable(by: CodeHolder, code: string): Promise<string[]> {
      const { _id } = by.user;
      const userId = _id.toHexString();
      const { secondFactor, secondFactorSetup: setup } = (await users.findById(_id).lean<UserRecord>()) ?? {};
      if (secondFactor) throw new PublicError('second-factor-on');
      if (!setup || clock.now() - setup.at.getTime() > SETUP_AGE) {
        throw new PublicError('second-factor-off', { text: 'This set-up has expired. Please start again.' });
      }
      await attempts.count(clientOf(by), 'app');
      const step = await codes.stepOf(userId, setup.sealed, code);
      if (step === null) return refuse(audit, by);
      await attempts.succeeded(clientOf(by));
      const { shown, hashes } = freshCodes(userId);
      await audit.record('second-factor-on', by, userId);
      const on = { sealed: setup.sealed, since: new Date(clock.now()), lastStep: step, recovery: hashes };
      const { modifiedCount } = await users.updateOne(
        { _id, secondFactor: { $exists: false }, 'secondFactorSetup.sealed': setup.sealed },
        { $set: { secondFactor: on }, $unset: { secondFactorSetup: '' } },
      );
      if (modifiedCount === 0) throw new PublicError('second-factor-on');
      bus.emit('account-changed', { userId });
      return shown;
    },
  };
}

function createSwitch({ users, audit, bus }: Parts) {
  return {
    async state(userId: string): Promise<SecondFactor> {
      const { secondFactor } = (await users.findById(new Types.ObjectId(userId)).lean<UserRecord>()) ?? {};
      return {
        isOn: secondFactor !== undefined,
        since: secondFactor?.since.toISOString() ?? null,
        recoveryCodesLeft: secondFactor?.recovery.length ?? 0,
      };
    },
    /** Switches two-step login off. Throws `second-factor-off`. */
    async disable(by: Holder): Promise<void> {
      const userId = by.user._id.toHexString();
      await audit.record('second-factor-off', by, userId);
      const on = { _id: by.user._id, secondFactor: { $exists: true } };
      const { modifiedCount } = await users.updateOne(on, { $unset: { secondFactor: '', secondFactorSetup: '' } });
      if (modifiedCount === 0) throw new PublicError('second-factor-off');
      bus.emit('account-changed', { userId });
    },
    /** Replaces the recovery codes. Throws `second-factor-off`. */
    async renewRecoveryCodes(by: Holder): Promise<string[]> {
      const userId = by.user._id.toHexString();
      const { shown, hashes } = freshCodes(userId);
      await audit.record('recovery-codes-renewed', by, userId);
      const on = { _id: by.user._id, secondFactor: { $exists: true } };
      const { matchedCount } = await users.updateOne(on, { $set: { 'secondFactor.recovery': hashes } });
      if (matchedCount === 0) throw new PublicError('second-factor-off');
      return shown;
    },
  };
}

function clientOf({ user, known, address }: CodeHolder): CodeClient {
  return { userId: user._id.toHexString(), known, address };
}

async function refuse(audit: Pick<Audit, 'record'>, by: Holder): Promise<never> {
  await audit.record('code-refused', by, by.user._id.toHexString());
  throw wrongCode();
}

function wrongCode(): PublicError {
  return new PublicError('wrong-code', { details: { code: [errors['wrong-code'].text] } });
}

function freshCodes(userId: string): { shown: string[]; hashes: string[] } {
  const codes = newRecoveryCodes();
  return { shown: codes.map(groupedCode), hashes: codes.map((code) => recoveryHash(userId, code)) };
}
