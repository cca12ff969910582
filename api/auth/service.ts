import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import type { z } from 'zod';
import type { Credentials, loginSchema } from '../../common/auth/model.ts';
import { PublicError } from '../../common/errors.ts';
import type { Audit } from '../audit/service.ts';
import { createLimiter, createMemoryLimiter, type Limits } from '../http/limits/rate-limits.ts';
import { loginKey, type UserRecord } from '../users/model.ts';
import type { Users } from '../users/service.ts';
import type { Admission, Client } from './admission.ts';
import { createLoginLimits } from './login-limits.ts';
import type { SecondFactors } from './second-factor/service.ts';

/** The client of a login, and its device. */
export interface Origin extends Client {
  /** Name of the device for the audit log; null: unknown. */
  device: string | null;
}

/** Login and registration with their limits. Each is recorded. */
export type Auth = Awaited<ReturnType<typeof createAuth>>;

export async function createAuth(deps: {
  connection: Connection;
  users: Users;
  secondFactors: Pick<SecondFactors, 'require'>;
  audit: Pick<Audit, 'record'>;
  limits: Limits;
  /** Each login and registration takes a place before any work in the database. */
  admission: Admission;
}) {
  const { connection, users, secondFactors, audit, limits, admission } = deps;
  const logins = await createLoginLimits(connection, limits, (ms) => sleep(ms));
  const registrations = await createLimiter(connection, 'register-address', limits.registerPerAddress);
  const total = createMemoryLimiter(limits.enterInAll);

  async function check({ code, ...credentials }: z.output<typeof loginSchema>, { address, browser, device }: Origin) {
    const user = await users.findByPassword(credentials);
    if (!user) {
      // Without the name as typed, which may be a password in the wrong field.
      const existing = await users.findByName(credentials.username);
      const subject = existing?._id.toHexString() ?? null;
      await audit.record('login-failed', { user: null, name: 'unknown', address }, subject);
      throw new PublicError('wrong-credentials');
    }
    await secondFactors.require({ user, address, known: browser }, code);
    await audit.record('login', { user, address }, user._id.toHexString(), device);
    return user;
  }

  return {
    /** Throws `wrong-credentials`, `code-needed`, `wrong-code` and `too-many-requests`. */
    async login(credentials: z.output<typeof loginSchema>, from: Origin): Promise<UserRecord> {
      const { browser } = from;
      const attempt = { account: loginKey(credentials.username), address: from.address, browser };
      const login = async () => {
        const user = await check(credentials, from);
        await logins.succeeded(attempt);
        return user;
      };
      const first = await admission.run(from, async () => {
        const admitted = await logins.admit(attempt);
        // After the limits of address and account, so that one client cannot use it up; a known browser always gets in.
        if (browser === null) await total.count('all');
        return admitted === 'delay' ? null : { user: await login() };
      });
      if (first) return first.user;
      // Without a place meanwhile: logins that wait must not keep the others out.
      await logins.delay(attempt);
      return admission.run(from, login);
    },
    /** Throws `username-taken`, `invalid-input` for a weak password, and `too-many-requests`. */
    register: (credentials: Credentials, address: string): Promise<UserRecord> =>
      admission.run({ address, browser: null }, async () => {
        await registrations.count(address);
        await total.count('all');
        const user = await users.create(credentials);
        // Afterwards, since a refused registration must leave no entry.
        await audit.record('registered', { user, address }, user._id.toHexString());
        return user;
      }),
  };
}
