import { describe, expect, test } from 'vitest';
import { displayName, displaySymbol, nameIsMissing, symbolIsMissing } from './names.ts';

const address = '9BB6NFEcjBCtnNLFko2FqVQBq8HHM13kCyYcdQbgpump';

describe('names', () => {
  test.each([
    null,
    '',
    '   ',
    '\u3164\u3164',
    '\u200B\u2800',
    'Unknown Token (9BB6NFEc...)',
    'Unknown Token (9BB6NFEc…)',
    ' Unknown Token (9BB6NFEc...) ',
  ])('the name %j counts as missing [S3-11]', (name) => expect(nameIsMissing(name)).toBe(true));

  test.each(['Unknown', 'Unknown Token', 'Unknown Token (very) rare', 'Pepe', 'unknown token (9BB6NFEc...)'])(
    'the name %j is a name [S3-11]',
    (name) => expect(nameIsMissing(name)).toBe(false),
  );

  test.each([
    [null, true],
    ['', true],
    ['Unknown', true],
    [' Unknown ', true],
    ['\u115F', true],
    ['UNKNOWN', false],
    ['PEPE', false],
  ])('the symbol %j counts as missing: %s [S3-11]', (symbol, missing) => expect(symbolIsMissing(symbol)).toBe(missing));

  test('falls back to the symbol, and then to the start of the address [S3-11]', () => {
    expect(displayName({ name: 'Pepe', symbol: 'P', address })).toBe('Pepe');
    expect(displayName({ name: 'Unknown Token (9BB6NFEc...)', symbol: 'PEPE', address })).toBe('PEPE Token');
    expect(displayName({ name: null, symbol: 'Unknown', address })).toBe('Unknown Token (9BB6NFEc...)');
  });

  test('a symbol falls back to the name, and then to the start of the address', () => {
    expect(displaySymbol({ name: 'Pepe', symbol: 'P', address })).toBe('P');
    expect(displaySymbol({ name: 'Pepe', symbol: '', address })).toBe('Pepe');
    expect(displaySymbol({ name: '', symbol: 'Unknown', address })).toBe('Unknown Token (9BB6NFEc...)');
  });

  test('its own placeholder counts as missing [S3-11]', () => {
    expect(nameIsMissing(displayName({ name: null, symbol: null, address }))).toBe(true);
  });
});
