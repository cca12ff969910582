import { expect, test } from 'vitest';
import { readUpdate } from './update.ts';

const from = { id: 7, is_bot: false, first_name: 'Ann', username: 'ann' };
const message = { message_id: 1, from, chat: { id: 7, type: 'private' }, date: 1_700_000_000, text: '/help' };

test('reads a message in a private chat', () => {
  expect(readUpdate({ update_id: 1, message })).toEqual({
    kind: 'message',
    chatId: '7',
    telegramUserId: '7',
    username: 'ann',
    firstName: 'Ann',
    text: '/help',
    at: 1_700_000_000_000,
  });
});

test.each([
  ['a message in a group', { message: { ...message, chat: { id: -5, type: 'group' } } }],
  ['a photograph', { message: { ...message, text: undefined } }],
  ['something new', { chat_boost: {} }],
])('ignores %s', (_name, rest) => {
  expect(readUpdate({ update_id: 2, ...rest })).toEqual({ kind: 'other' });
});

const button = { text: 'Buy', callback_data: 'c:1:0' };
const query = {
  ...{ id: 'press', from, chat_instance: '1', data: 'c:1:0' },
  message: {
    message_id: 3,
    chat: { id: 7, type: 'private' },
    text: 'Buy?',
    reply_markup: { inline_keyboard: [[button]] },
  },
};

test('reads a press of a button with the message as it was', () => {
  expect(readUpdate({ update_id: 1, callback_query: query })).toEqual({
    ...{ kind: 'press', chatId: '7', telegramUserId: '7', username: 'ann', queryId: 'press', data: 'c:1:0' },
    message: { id: 3, text: 'Buy?', buttons: [[{ text: 'Buy', data: 'c:1:0' }]] },
  });
  const inGroup = { ...query, message: { ...query.message, chat: { id: -5, type: 'group' } } };
  expect(readUpdate({ update_id: 2, callback_query: inGroup })).toEqual({ kind: 'other' });
});

test.each([
  ['kicked', 'blocked'],
  ['member', 'unblocked'],
])('reads the status %s as %s', (status, kind) => {
  const member = { chat: { id: 7, type: 'private' }, new_chat_member: { status } };
  expect(readUpdate({ update_id: 3, my_chat_member: member })).toEqual({ kind, chatId: '7' });
});

test('an invalid update is read as null', () => {
  expect(readUpdate({ update_id: 4, message: 'invalid' })).toBeNull();
  expect(readUpdate('invalid')).toBeNull();
});
