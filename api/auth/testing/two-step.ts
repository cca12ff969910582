import { Types } from 'mongoose';
import { Secret, TOTP } from 'otpauth';
import { authCalls } from '../../../common/auth/http.ts';
import type { Person } from '../../testing/people.ts';
import type { TestServer } from '../../testing/server.ts';

const STEP_MS = 30_000;

/** Returns the code of the step that is `offset` steps from now. */
export function codeOf(secret: string, offset = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + offset * STEP_MS });
}

/** Switches two-step login on, long before the present step. A code of the step before expires when a step ends. */
export async function switchOn(
  server: Pick<TestServer, 'connection'>,
  who: Person,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const post = (path: string, json?: object) => who.call(`/api/auth/${path}`, { method: 'POST', json });
  const { secret } = authCalls.setUpSecondFactor.output.parse((await post('second-factor/setup')).body);
  const reply = await post('second-factor', { code: codeOf(secret) });
  const _id = new Types.ObjectId(who.id);
  await server.connection.collection('users').updateOne({ _id }, { $set: { 'secondFactor.lastStep': 0 } });
  return { secret, ...authCalls.enableSecondFactor.output.parse(reply.body) };
}
