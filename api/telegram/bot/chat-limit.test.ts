import { expect, test } from 'vitest';
import { createChatLimit } from './chat-limit.ts';

test('a chat may send five at once and then one every two seconds, and is told of it once', () => {
  let now = 0;
  const allowance = createChatLimit({ now: () => now });
  const many = (count: number) => Array.from({ length: count }, () => allowance('1'));
  expect(many(8)).toEqual(['go', 'go', 'go', 'go', 'go', 'tell', 'ignore', 'ignore']);
  expect(allowance('2')).toBe('go');
  now += 2_000;
  expect(many(2)).toEqual(['go', 'tell']);
  now += 60_000;
  expect(many(6)).toEqual(['go', 'go', 'go', 'go', 'go', 'tell']);
});

test('it remembers a bounded number of chats, those of late', () => {
  const allowance = createChatLimit({ now: () => 0 });
  const use = (chat: string) => Array.from({ length: 6 }, () => allowance(chat)).at(-1);
  expect(use('first')).toBe('tell');
  for (let chat = 0; chat < 5_000; chat += 1) allowance(String(chat));
  expect(allowance('first')).toBe('go');
});
