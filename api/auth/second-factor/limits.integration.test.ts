import { expect, test } from 'vitest';
import { alertCalls } from '../../../common/alerts/http.ts';
import { auditCalls } from '../../../common/audit/http.ts';
import { testServer } from '../../test-server.ts';
import { type Person, person } from '../../testing/people.ts';
import { noLimits, PASSWORD } from '../../testing/server.ts';
import { codeOf, switchOn } from '../testing/two-step.ts';

const TRIES = 2;
const OF_STRANGERS = 5;
const limits = {
  ...noLimits,
  codePerClient: { tries: TRIES, seconds: 600 },
  codeOfStrangersPerUser: { tries: OF_STRANGERS, seconds: 600 },
};
const server = await testServer({ limits });

const WRONG_RECOVERY = 'A'.repeat(16);
/** A code of the app that is not valid in a step near the present one. */
const wrongCode = (secret: string) => {
  const valid = new Set([-2, -1, 0, 1, 2].map((offset) => codeOf(secret, offset)));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !valid.has(code)) ?? '';
};

const login = (username: string, code: string, headers: Record<string, string>) =>
  server.fetchJson('/api/auth/login', { method: 'POST', json: { username, password: PASSWORD, code }, headers });
const from = (address: string) => ({ 'X-Forwarded-For': address });
const confirm = (who: Person, code: string) =>
  who.call('/api/auth/confirm', { method: 'POST', json: { password: PASSWORD, code } });
const alertsOf = async (who: Person) =>
  alertCalls.list.output.parse((await who.call('/api/alerts')).body).map(({ type, text }) => [type, text]);

test('a stranger with the password keeps the owner out of no session, known browser or recovery code, and the owner learns of it', async () => {
  const owner = await person(server, 'Owner');
  // Without its session, which a further login would end.
  const browser = owner.cookie
    .split('; ')
    .filter((cookie) => cookie.startsWith('mintwatch.known'))
    .join('; ');
  const { secret, recoveryCodes } = await switchOn(server, owner);
  const wrong = wrongCode(secret);
  const guesses: number[] = [];
  for (let number = 0; number < 4; number += 1) {
    const address = from(`198.51.100.${number}`);
    for (let round = 0; round <= TRIES; round += 1) guesses.push((await login('Owner', wrong, address)).status);
  }
  // By address, and in all as many as strangers have.
  expect(guesses.slice(0, TRIES + 1)).toEqual([403, 403, 429]);
  expect(guesses.filter((status) => status === 403)).toHaveLength(OF_STRANGERS);
  // A right code of the app from anywhere else waits as the guesses do.
  expect((await login('Owner', codeOf(secret, -1), from('203.0.113.1'))).status).toBe(429);

  // Not the code of the step before, which expires when a step ends.
  expect((await confirm(owner, codeOf(secret))).status).toBe(200);
  const known = { ...from('198.51.100.0'), cookie: browser };
  expect((await login('Owner', codeOf(secret, 1), known)).status).toBe(200);
  expect((await login('Owner', recoveryCodes[0] ?? '', from('203.0.113.2'))).status).toBe(200);

  const text = expect.stringContaining('change your password now');
  await expect.poll(() => alertsOf(owner)).toEqual([['password_exposed', text]]);
  const { entries } = auditCalls.ofUser.output.parse((await owner.call(`/api/users/${owner.id}/audit?limit=200`)).body);
  expect(entries.filter(({ action }) => action === 'password-exposed')).toHaveLength(OF_STRANGERS);
});

test('wrong codes of a session and wrong recovery codes are counted by themselves, without an alert', async () => {
  const owner = await person(server, 'Typist');
  const { secret, recoveryCodes } = await switchOn(server, owner);
  const wrong = wrongCode(secret);
  const replies = [wrong, wrong, wrong, WRONG_RECOVERY, WRONG_RECOVERY, WRONG_RECOVERY];
  const statuses = [];
  for (const code of replies) statuses.push((await confirm(owner, code)).status);
  expect(statuses).toEqual([403, 403, 429, 403, 403, 429]);
  expect(await alertsOf(owner)).toEqual([]);
  const other = await login('Typist', codeOf(secret), from('203.0.113.3'));
  expect(other.status).toBe(200);
  expect((await login('Typist', recoveryCodes[0] ?? '', from('203.0.113.3'))).status).toBe(200);
});
