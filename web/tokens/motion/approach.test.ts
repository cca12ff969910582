import { expect, test } from 'vitest';
import { approaches } from './approach.ts';

const box = { left: 232, top: 110, right: 1264, bottom: 800 };
test.each([
  ['inside', null, { x: 600, y: 300 }, true],
  ['160 px above', null, { x: 600, y: 0 }, true],
  ['far away at its first move', null, { x: 10, y: 10 }, false],
  ['far away, coming nearer', { x: 8, y: 8 }, { x: 10, y: 10 }, true],
  ['far away, leaving', { x: 20, y: 20 }, { x: 10, y: 10 }, false],
])('a mouse %s', (_, before, now, expected) => expect(approaches(box, before, now)).toBe(expected));

test('a list out of sight is not approached', () => {
  expect(approaches(null, { x: 5, y: 5 }, { x: 6, y: 6 })).toBe(false);
});
