import { type Connection, type Model, Types } from 'mongoose';
import type { SecondFactor, SecondFactorSetup } from '../../../common/auth/model.ts';
import { errors, PublicError } from '../../../common/errors.ts';
import { type Clock, MINUTE } from '../../../common/time.ts';
import type { Audit } from '../../audit/service.ts';
import type { EventSink } from '../../events/bus.ts';
import type { Limits } from '../../http/limits/rate-limits.ts';
import type { Keys } from '../../keys/service.ts';
import { type UserRecord, userModel } from '../../users/model.ts';
import { type CodeClient, type CodeLimits, createCodeLimits } from './code-limits.ts';
import { type Codes, createCodes, groupedCode, kindOf, newRecoveryCodes, PURPOSE, recoveryHash } from './codes.ts';
import { newSecret, presentSecret } from './one-time-code.ts';

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
export interface SecondFactors {
  state(userId: string): Promise<SecondFactor>;
  /** Stores a new secret, which counts once `enable` has confirmed it. Throws `second-factor-on`. */
  setUp(user: Holder['user']): Promise<SecondFactorSetup>;
  /**
   * Switches two-step login on with a code of the new secret. Resolves with the recovery codes, which can't be read again.
   * Throws `second-factor-off` without a set-up, `second-factor-on`, `wrong-code` and `too-many-requests`.
   */
  enable(by: CodeHolder, code: string): Promise<string[]>;
  /**
   * Requires a code where two-step login is on: one of the app that was not used before, or a recovery code, which is used up.
   * A stranger's wrong code, for which the password was right, is recorded and announced as `password-exposed`. Throws `code-needed`, `wrong-code` and `too-many-requests`.
   */
  require(by: CodeHolder & { user: Pick<UserRecord, 'secondFactor'> }, code: string | undefined): Promise<void>;
  /** Switches two-step login off. Throws `second-factor-off`. */
  disable(by: Holder): Promise<void>;
  /** Replaces the recovery codes. Throws `second-factor-off`. */
  renewRecoveryCodes(by: Holder): Promise<string[]>;
}

export async function createSecondFactors(deps: {
  connection: Connection;
  keys: Keys;
  audit: Pick<Audit, 'record'>;
  limits: Limits;
  clock: Clock;
  bus: EventSink;
}): Promise<SecondFactors> {
  const users = userModel(deps.connection);
  const attempts = await createCodeLimits(deps.connection, deps.limits);
  const codes = createCodes({ ...deps, users });
  const parts = { ...deps, users, attempts, codes };
  const setup = createSetup(parts);
  const whileOn = createSwitch(parts);
  return { require: createCodeCheck(parts), ...setup, ...whileOn };
}

interface Parts {
  users: Model<UserRecord>;
  keys: Keys;
  audit: Pick<Audit, 'record'>;
  attempts: CodeLimits;
  codes: Codes;
  clock: Clock;
  bus: EventSink;
}

function createCodeCheck({ audit, attempts, codes, clock, bus }: Parts): SecondFactors['require'] {
  return async (by, code) => {
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

type Setup = Pick<SecondFactors, 'setUp' | 'enable'>;

function createSetup({ users, keys, audit, attempts, codes, clock, bus }: Parts): Setup {
  return {
    async setUp({ _id, username }) {
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
    async enable(by, code) {
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

function createSwitch({ users, audit, bus }: Parts): Omit<SecondFactors, 'require' | keyof Setup> {
  return {
    async state(userId) {
      const { secondFactor } = (await users.findById(new Types.ObjectId(userId)).lean<UserRecord>()) ?? {};
      return {
        isOn: secondFactor !== undefined,
        since: secondFactor?.since.toISOString() ?? null,
        recoveryCodesLeft: secondFactor?.recovery.length ?? 0,
      };
    },
    async disable(by) {
      const userId = by.user._id.toHexString();
      await audit.record('second-factor-off', by, userId);
      const on = { _id: by.user._id, secondFactor: { $exists: true } };
      const { modifiedCount } = await users.updateOne(on, { $unset: { secondFactor: '', secondFactorSetup: '' } });
      if (modifiedCount === 0) throw new PublicError('second-factor-off');
      bus.emit('account-changed', { userId });
    },
    async renewRecoveryCodes(by) {
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
