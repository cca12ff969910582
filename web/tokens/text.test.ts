import { expect, test } from 'vitest';
import { cleanText, nameOf, symbolOf } from './text.ts';

const address = `4k3D${'x'.repeat(40)}`;

test('removes control, direction and zero-width characters', () => {
  expect(cleanText('\u202Eevil\u202C')).toBe('evil');
  expect(cleanText('a\u200Bb\uFEFFc\u0000d')).toBe('abcd');
  expect(cleanText('two\nlines')).toBe('two lines');
  expect(cleanText('\u2066isolate\u2069')).toBe('isolate');
});

test('keeps an emoji of several parts', () => {
  expect(cleanText('👨‍👩‍👧 family')).toBe('👨‍👩‍👧 family');
});

test('limits combining marks in a row', () => {
  expect([...cleanText(`Z${'\u0301'.repeat(40)}`)].length).toBeLessThanOrEqual(3);
});

test('cuts a long name at whole characters', () => {
  const shown = cleanText('😀'.repeat(500));
  expect([...shown]).toHaveLength(49);
  expect(shown.endsWith('…')).toBe(true);
});

test('returns the name, or a fallback built from the symbol or the address [S2.5-14]', () => {
  expect(nameOf({ name: 'Good Boy', symbol: 'DOG', address })).toBe('Good Boy');
  expect(nameOf({ name: '\u200B\u200B', symbol: 'DOG', address })).toBe('DOG Token');
  expect(nameOf({ name: 'Unknown Token (4k3Dxxxx...)', symbol: 'DOG', address })).toBe('DOG Token');
  expect(nameOf({ name: null, symbol: 'Unknown', address })).toBe('Unknown Token (4k3Dxxxx...)');
  expect(symbolOf({ symbol: 'Unknown' })).toBeNull();
  expect(symbolOf({ symbol: ' DOG ' })).toBe('DOG');
});
