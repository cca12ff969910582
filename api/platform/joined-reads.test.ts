import { expect, test } from 'vitest';
import { createJoinedReads } from './joined-reads.ts';

/** Reads of a value, each of which ends when the test has it end. */
function tested() {
  const joined = createJoinedReads<number>();
  const ends: ((error?: Error) => void)[] = [];
  let stored = 0;
  const read = () => {
    const seen = stored;
    return new Promise<number>((resolve, reject) => {
      ends.push((error) => (error ? reject(error) : resolve(seen)));
    });
  };
  return {
    ends,
    store: (value: number) => {
      stored = value;
    },
    read: (key = 'key') => joined(key, read),
  };
}

test('calls at once share a read, and those during it the next one, with the value at their time', async () => {
  const { ends, store, read } = tested();
  const first = [read(), read()];
  await expect.poll(() => ends.length).toBe(1);
  store(1);
  const later = [read(), read(), read()];
  ends[0]?.();
  expect(await Promise.all(first)).toEqual([0, 0]);
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.();
  expect(await Promise.all(later)).toEqual([1, 1, 1]);
  expect(ends).toHaveLength(2);
});

test('keys are read beside one another, and a failed read fails its own calls alone', async () => {
  const { ends, read } = tested();
  const failing = read('one');
  const other = read('other');
  await expect.poll(() => ends.length).toBe(2);
  const next = read('one');
  ends[0]?.(new Error('away'));
  ends[1]?.();
  await expect(failing).rejects.toThrow('away');
  expect(await other).toBe(0);
  await expect.poll(() => ends.length).toBe(3);
  ends[2]?.();
  expect(await next).toBe(0);
});
