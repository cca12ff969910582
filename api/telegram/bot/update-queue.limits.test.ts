import { expect, test } from 'vitest';
import { createChatLimit, createStrangerLimit } from './update-queue.ts';

test('allows five commands at once and one every two seconds, and warns once', () => {
  let now = 0;
  const allowance = createChatLimit({ now: () => now });
  const repeat = (count: number) => Array.from({ length: count }, () => allowance('1'));
  const five = Array.from({ length: 5 }, () => 'allowed');
  expect(repeat(8)).toEqual([...five, 'warn', 'ignore', 'ignore']);
  expect(allowance('2')).toBe('allowed');
  now += 2_000;
  expect(repeat(2)).toEqual(['allowed', 'warn']);
  now += 60_000;
  expect(repeat(6)).toEqual([...five, 'warn']);
});

test('remembers a bounded number of chats', () => {
  const allowance = createChatLimit({ now: () => 0 });
  const exhaust = (chat: string) => Array.from({ length: 6 }, () => allowance(chat)).at(-1);
  expect(exhaust('first')).toBe('warn');
  for (let chat = 0; chat < 5_000; chat += 1) allowance(String(chat));
  expect(allowance('first')).toBe('allowed');
});

test('allows a chat without an account two replies in any minute', () => {
  let now = 0;
  const mayReply = createStrangerLimit({ now: () => now });
  const repeat = (count: number) => Array.from({ length: count }, () => mayReply('1'));
  expect(repeat(2)).toEqual([true, true]);
  now += 59_999;
  expect(repeat(1)).toEqual([false]);
  expect(mayReply('2')).toBe(true);
  now += 1;
  expect(repeat(3)).toEqual([true, true, false]);
});
