import { expect, test } from 'vitest';
import { createRecentReads } from './recent-reads.ts';

const MAX_AGE = 1_000;

function start() {
  let now = 1;
  const pending: { key: string; resolve(value: string | null): void; reject(error: Error): void }[] = [];
  const reads = createRecentReads<string>(
    (key) => new Promise((resolve, reject) => pending.push({ key, resolve, reject })),
    { maxAge: MAX_AGE, max: 2, clock: { now: () => now } },
  );
  return {
    reads,
    pending,
    pass(ms: number) {
      now += ms;
    },
  };
}

test('reads a value once within its time, however many callers', async () => {
  const { reads, pending, pass } = start();
  const callers = [reads.get('a'), reads.get('a')];
  pending[0]?.resolve('first');
  expect(await Promise.all(callers)).toEqual(['first', 'first']);
  pass(MAX_AGE - 1);
  expect(await reads.get('a')).toBe('first');
  expect(pending).toHaveLength(1);
  pass(2);
  void reads.get('a');
  expect(pending).toHaveLength(2);
});

test('a value is known from the end of its read until it is dropped or too old', async () => {
  const { reads, pending, pass } = start();
  const caller = reads.get('a');
  expect(reads.known('a')).toBeUndefined();
  pending[0]?.resolve('first');
  await caller;
  expect(reads.known('a')).toBe('first');
  pass(MAX_AGE + 1);
  expect(reads.known('a')).toBeUndefined();
  const [running, dropped] = [reads.get('a'), reads.get('b')];
  reads.drop('b');
  for (const { resolve } of pending) resolve('second');
  await Promise.all([running, dropped]);
  expect([reads.known('a'), reads.known('b')]).toEqual(['second', undefined]);
  reads.drop('a');
  expect([reads.known('a'), pending.length]).toEqual([undefined, 3]);
});

test('does not keep the result of a read that was running when its key was dropped', async () => {
  const { reads, pending } = start();
  const early = reads.get('a');
  reads.drop('a');
  const late = reads.get('a');
  pending[1]?.resolve('new');
  pending[0]?.resolve('old');
  expect([await early, await late, await reads.get('a')]).toEqual(['old', 'new', 'new']);
  expect(pending).toHaveLength(2);
});

test('keeps neither null nor an error', async () => {
  const { reads, pending } = start();
  const missing = reads.get('a');
  pending[0]?.resolve(null);
  expect(await missing).toBeNull();
  const failing = reads.get('a');
  pending[1]?.reject(new Error('the database is away'));
  await expect(failing).rejects.toThrow('away');
  const found = reads.get('a');
  pending[2]?.resolve('found');
  expect(await found).toBe('found');
});

test('keeps no more keys than its limit', async () => {
  const { reads, pending } = start();
  for (const key of ['a', 'b', 'c']) {
    const got = reads.get(key);
    pending.at(-1)?.resolve(key);
    await got;
  }
  void reads.get('a');
  expect(pending.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'a']);
});
