import { expect, test } from 'vitest';
import { commandLine } from './line.ts';

test.each([
  ['/start', { command: 'start', args: '' }],
  ['  /Start   ABC  ', { command: 'start', args: 'ABC' }],
  ['/token@Our_Bot $DOG now', { command: 'token', args: '$DOG now' }],
  ['/token\nDOG', { command: 'token', args: 'DOG' }],
  ['/start@other_bot ABC', 'elsewhere'],
  ['hello', null],
  ['/', null],
  ['see /start', null],
  ['/start!', null],
])('%j is read as %j', (text, read) => {
  expect(commandLine(text, 'our_bot')).toEqual(read);
});
