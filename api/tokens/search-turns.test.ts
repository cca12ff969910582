import { expect, test } from 'vitest';
import { createMemoryLimiter } from '../http/limits/rate-limits.ts';
import { createSlowRefusals } from '../http/limits/slow-refusals.ts';
import { createSearchTurns } from './search-turns.ts';

const REFUSED = { code: 'too-many-requests' };

const refuse = createSlowRefusals(async () => {});

/** Searches that the test ends. */
function jobs() {
  let [running, most] = [0, 0];
  const ends: (() => void)[] = [];
  return {
    most: () => most,
    async search(): Promise<string> {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
      return 'found';
    },
    async endAll(): Promise<void> {
      for (let quiet = 0; quiet < 3; quiet += 1) {
        while (ends.length > 0) ends.shift()?.();
        await new Promise((resolve) => setImmediate(resolve));
        if (running > 0) quiet = 0;
      }
    },
  };
}

test('runs two searches of a user at a time, lets eight wait, and refuses more', async () => {
  const turns = createSearchTurns(createMemoryLimiter({ tries: 1_000, seconds: 60 }), refuse);
  const { most, search, endAll } = jobs();
  const searches = Array.from({ length: 60 }, () => turns.run('a', search).catch((error: unknown) => error));
  expect(await turns.run('b', async () => 'other')).toBe('other');
  await endAll();
  const results = await Promise.all(searches);
  expect(results.filter((result) => result === 'found')).toHaveLength(10);
  expect(results.filter((result) => result !== 'found')).toEqual(
    Array.from({ length: 50 }, () => expect.objectContaining(REFUSED)),
  );
  expect(most()).toBe(2);
});

test('counts the searches of a user, and a failed one leaves its turn', async () => {
  const turns = createSearchTurns(createMemoryLimiter({ tries: 3, seconds: 60 }), refuse);
  const failing = () => turns.run('a', () => Promise.reject(new Error('no index')));
  for (let round = 0; round < 3; round += 1) await expect(failing()).rejects.toThrow('no index');
  await expect(turns.run('a', async () => 'found')).rejects.toMatchObject(REFUSED);
  expect(await turns.run('b', async () => 'found')).toBe('found');
});
