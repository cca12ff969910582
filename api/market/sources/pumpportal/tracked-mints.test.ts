import { expect, test } from 'vitest';
import { TrackedMints } from './tracked-mints.ts';

test('keeps the newest coins and says which to let go of', () => {
  const tracked = new TrackedMints(2);
  expect(tracked.add('a')).toEqual({ subscribe: ['a'], unsubscribe: [] });
  tracked.add('b');
  expect(tracked.add('b')).toEqual({ subscribe: [], unsubscribe: [] });
  expect(tracked.add('c')).toEqual({ subscribe: ['c'], unsubscribe: ['a'] });
  expect(tracked.all()).toEqual(['b', 'c']);
});
