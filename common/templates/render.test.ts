import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../testing/any-character.ts';
import { rounds } from '../testing/effort.ts';
import { MESSAGE_MAX, renderTemplate } from './render.ts';

const variables = { 'token.name': 'Dog', 'token.symbol': 'DOG', 'timeAgo(token.createdAt)': '5 minutes ago' };

test.each<[string, string, string[]]>([
  ['{token.name} ({token.symbol})', 'Dog (DOG)', []],
  ['{token.name}{token.name}', 'DogDog', []],
  ['made {timeAgo(token.createdAt)}', 'made 5 minutes ago', []],
  ['{token.nmae}, {token.name}, {token.nmae}', '{token.nmae}, Dog, {token.nmae}', ['token.nmae']],
  ['{{token.name}}', '{Dog}', []],
  ['{timeAgo(token.name)} {evil()}', '{timeAgo(token.name)} {evil()}', ['timeAgo(token.name)', 'evil()']],
  ['{ 50 % } {} {', '{ 50 % } {} {', []],
])('%s [S3-52]', (text, expected, unknown) => {
  expect(renderTemplate(text, variables)).toEqual({ text: expected, unknown });
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'constructor.name', 'token.name.length'])(
  'does not treat an inherited property as a variable: %s [S3-52]',
  (name) => {
    const written = `{${name}}`;
    const known = /^[A-Za-z]/.test(name) ? [name] : [];
    expect(renderTemplate(written, variables)).toEqual({ text: written, unknown: known });
  },
);

test('does not render placeholders in values [S3-52]', () => {
  const injected = { 'token.name': '{token.symbol} $& $1 $<name>', 'token.symbol': 'DOG' };
  expect(renderTemplate('{token.name}', injected).text).toBe(injected['token.name']);
});

const piece = fc.oneof(
  fc.constantFrom(...Object.keys(variables).map((name) => `{${name}}`), '{', '}', '(', '{token.', '$&', '😀', '\ud83d'),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
);

test('renders any text within the limit of Telegram and without other changes [S3-52]', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.string({ unit: 'grapheme', maxLength: 400 }), (pieces, name) => {
      const text = pieces.join('');
      const all = { ...variables, 'token.name': name };
      const rendered = renderTemplate(text, all).text;
      // Reference implementation: splits the text at the placeholders.
      const parts = text.split(/(\{[^{}]*\})/).map((part) => {
        const known = Object.entries(all).find(([known]) => part === `{${known}}`);
        return known ? known[1] : part;
      });
      const whole = parts.join('');
      expect(whole.startsWith(rendered)).toBe(true);
      expect(rendered.length).toBeLessThanOrEqual(MESSAGE_MAX);
      if (whole.length <= MESSAGE_MAX) expect(rendered).toBe(whole);
      else expect(rendered.length).toBeGreaterThanOrEqual(MESSAGE_MAX - 1);
    }),
    { numRuns: rounds(300), seed: 3 },
  );
});

test.each([MESSAGE_MAX - 1, MESSAGE_MAX - 2])(
  'does not split a surrogate pair after %i characters [S3-52]',
  (before) => {
    const { text } = renderTemplate(`${'a'.repeat(before)}😀😀`, {});
    // encodeURIComponent throws for half a pair.
    expect(encodeURIComponent(text)).not.toBe('');
    expect(text).toBe(before === MESSAGE_MAX - 1 ? 'a'.repeat(before) : `${'a'.repeat(before)}😀`);
  },
);

// Even quadratic time would exceed the timeout of the test.
test.each(['{', '{a', '{a(', '{a(a', '{a.', `{${'a'.repeat(60)}`])(
  'renders adversarial text in linear time: %s [S3-52]',
  (part) => {
    expect(renderTemplate(part.repeat(200_000), variables).text).toHaveLength(MESSAGE_MAX);
  },
);
