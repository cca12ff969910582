import fc from 'fast-check';
import { test } from 'vitest';
import { createHeap, firstIndex } from './sorted.ts';

const numbers = fc.array(fc.integer({ min: 0, max: 20 }));

test('the first index is that of a linear search', () => {
  fc.assert(
    fc.property(numbers, fc.integer({ min: -1, max: 21 }), (list, limit) => {
      const sorted = list.toSorted((a, b) => a - b);
      const found = sorted.findIndex((value) => value >= limit);
      return firstIndex(sorted, (value) => value < limit) === (found < 0 ? sorted.length : found);
    }),
  );
});

test('a heap hands out its items in order, also after its first one was replaced', () => {
  fc.assert(
    fc.property(numbers, fc.integer({ min: 0, max: 20 }), (list, other) => {
      const heap = createHeap<number>((a, b) => a - b);
      for (const value of list) heap.add(value);
      const expected = list.toSorted((a, b) => a - b);
      if (list.length > 0) {
        heap.replaceFirst(other);
        expected[0] = other;
        expected.sort((a, b) => a - b);
      }
      return expected.every((value) => heap.take() === value) && heap.take() === undefined;
    }),
  );
});
