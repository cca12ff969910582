import { expect, test } from 'vitest';
import { createSlowRefusals } from '../http/limits/slow-refusals.ts';
import { createAdmission } from './admission.ts';

const REFUSED = { code: 'too-many-requests', retryAfter: 2 };
const stranger = (address: string) => ({ address, browser: null });
const refuse = createSlowRefusals(async () => {});

/** Work that the test ends. */
function job() {
  let end: () => void = () => {};
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => done, end: () => end() };
}

test('begins nothing when all places are taken, and admits again after one was left', async () => {
  const admission = createAdmission(2, refuse);
  const [first, second] = [job(), job()];
  const [one, two] = [admission.run(stranger('a'), first.work), admission.run(stranger('b'), second.work)];
  let begun = false;
  await expect(
    admission.run(stranger('c'), async () => {
      begun = true;
    }),
  ).rejects.toMatchObject(REFUSED);
  expect(begun).toBe(false);
  first.end();
  await one;
  expect(await admission.run(stranger('c'), async () => 'done')).toBe('done');
  second.end();
  await two;
});

test('one address cannot take all places', async () => {
  const admission = createAdmission(9, refuse);
  const waiting = job();
  const flood = Array.from({ length: 200 }, () =>
    admission.run(stranger('a'), waiting.work).catch((error: unknown) => error),
  );
  expect(await admission.run(stranger('b'), async () => 'in')).toBe('in');
  waiting.end();
  const results = await Promise.all(flood);
  expect(results.filter((result) => result === undefined)).toHaveLength(4);
});

test('a place is free again after work that failed', async () => {
  const admission = createAdmission(1, refuse);
  await expect(admission.run(stranger('a'), () => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
  expect(await admission.run(stranger('a'), async () => 'in')).toBe('in');
});

test('keeps a place for known browsers, whatever their address, when strangers have taken all others', async () => {
  const admission = createAdmission(9, refuse);
  const waiting = job();
  const flood = Array.from({ length: 40 }, (_, number) =>
    admission.run(stranger(`198.51.100.${number % 10}`), waiting.work).catch((error: unknown) => error),
  );
  const known = { address: '198.51.100.0', browser: 'known' };
  await expect(admission.run(stranger('203.0.113.1'), waiting.work)).rejects.toMatchObject(REFUSED);
  const first = admission.run(known, waiting.work);
  await expect(admission.run(known, waiting.work)).rejects.toMatchObject(REFUSED);
  waiting.end();
  await first;
  expect((await Promise.all(flood)).filter((result) => result === undefined)).toHaveLength(9);
  expect(await admission.run(known, async () => 'in')).toBe('in');
});
