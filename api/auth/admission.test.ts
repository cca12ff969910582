import { expect, test } from 'vitest';
import { createSlowRefusals } from '../http/limits/slow-refusals.ts';
import { createAdmission } from './admission.ts';

const REFUSED = { code: 'too-many-requests', retryAfter: 2 };
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
  const [one, two] = [admission.run('a', first.work), admission.run('b', second.work)];
  let begun = false;
  await expect(
    admission.run('c', async () => {
      begun = true;
    }),
  ).rejects.toMatchObject(REFUSED);
  expect(begun).toBe(false);
  first.end();
  await one;
  expect(await admission.run('c', async () => 'done')).toBe('done');
  second.end();
  await two;
});

test('one address cannot take all places', async () => {
  const admission = createAdmission(9, refuse);
  const waiting = job();
  const flood = Array.from({ length: 200 }, () => admission.run('a', waiting.work).catch((error: unknown) => error));
  expect(await admission.run('b', async () => 'in')).toBe('in');
  waiting.end();
  const results = await Promise.all(flood);
  expect(results.filter((result) => result === undefined)).toHaveLength(4);
});

test('a place is free again after work that failed', async () => {
  const admission = createAdmission(1, refuse);
  await expect(admission.run('a', () => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
  expect(await admission.run('a', async () => 'in')).toBe('in');
});
