import { expect, test } from 'vitest';
import { tokenOf } from '../../common/testing/tokens.ts';
import { addressOf, oneOfEach, updateOf } from '../testing/events.ts';
import { entryJson, parseEntry, payloadJson } from './entry-text.ts';
import type { FeedEvent } from './feed-log.ts';

const textOf = (event: FeedEvent, seq: number) => entryJson(event.event, payloadJson(event), seq);

test('every event is read as it was written, with its number first in the payload', () => {
  for (const [index, event] of oneOfEach().entries()) {
    const entry = parseEntry(textOf(event, index + 1));
    expect(entry).toEqual({ ...event, seq: index + 1, payload: { ...event.payload, seq: index + 1 } });
    expect(Object.keys(entry.payload)[0]).toBe('seq');
  }
});

test('updates are stored as arrays: each field by its place, no name', () => {
  expect(JSON.parse(textOf(updateOf(1), 7))).toEqual([
    'token-updates',
    [7, 1_700_000_000_001, null, [[2, 2, 1, 0.000002]], [addressOf(1)]],
  ]);
});

test('a text that looks like an array does not make another event one', () => {
  const event: FeedEvent = { event: 'new-token', payload: { token: tokenOf(1, { name: '[1]' }) } };
  expect(parseEntry(textOf(event, 3))).toMatchObject({ seq: 3, payload: { token: { name: '[1]' } } });
});
