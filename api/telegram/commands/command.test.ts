import { expect, test } from 'vitest';
import { parseCommand } from './command.ts';

test.each([
  ['/start', { command: 'start', args: '' }],
  ['  /Start   ABC  ', { command: 'start', args: 'ABC' }],
  ['/token@Our_Bot $DOG now', { command: 'token', args: '$DOG now' }],
  ['/token\nDOG', { command: 'token', args: 'DOG' }],
  ['/start@other_bot ABC', 'other-bot'],
  ['hello', null],
  ['/', null],
  ['see /start', null],
  ['/start!', null],
])('parses %j as %j', (text, parsed) => {
  expect(parseCommand(text, 'our_bot')).toEqual(parsed);
});
