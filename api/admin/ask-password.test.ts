import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { askPassword } from './ask-password.ts';

/** A terminal on which somebody types these lines, each as soon as the question for it is there. */
async function typing(...lines: string[]) {
  const typed = Object.assign(new PassThrough(), { isTTY: true });
  const shown: string[] = [];
  const left = [...lines];
  const answer = askPassword(typed, (text) => {
    shown.push(text);
    const line = text.endsWith(': ') ? left.shift() : undefined;
    if (line !== undefined) setImmediate(() => typed.write(line));
  });
  return { shown, outcome: await answer.catch((error: Error) => error) };
}

function piped(text: string) {
  const input = new PassThrough();
  input.end(text);
  return askPassword(input, () => expect.fail('nobody is there to read it'));
}

test('a terminal asks twice and shows nothing of what is typed', async () => {
  const { shown, outcome } = await typing('correct horse\r', 'correct horse\r');
  expect(outcome).toBe('correct horse');
  expect(shown).toEqual(['Password (leave it empty to have one made): ', '\n', 'Once more: ', '\n']);
});

test('two that differ are refused, an empty one is none, and so ends whoever breaks off', async () => {
  expect((await typing('correct horse\r', 'correct house\r')).outcome).toMatchObject({ message: 'These two differ.' });
  expect((await typing('\r')).outcome).toBeNull();
  const CTRL_C = '\u0003';
  expect((await typing(`corr${CTRL_C}`)).outcome).toMatchObject({ message: 'Broken off. Nothing was changed.' });
});

test.each([
  ['correct horse\nsecond line\n', 'correct horse'],
  ['correct horse\r\n', 'correct horse'],
  ['without an end', 'without an end'],
  ['\n', null],
  ['', null],
])('without a terminal it is the first line: %j', async (text, expected) => {
  expect(await piped(text)).toBe(expected);
});

test('a character that comes in two pieces stays one', async () => {
  const input = new PassThrough();
  const bytes = Buffer.from('pässwörd\n');
  const answer = askPassword(input, () => {});
  for (const byte of bytes) {
    // Each is read before the next one comes.
    await new Promise(setImmediate);
    input.write(Buffer.from([byte]));
  }
  expect(await answer).toBe('pässwörd');
});

test('what never ends is not read for ever', async () => {
  const input = new PassThrough();
  input.write('x'.repeat(20_000));
  expect(await askPassword(input, () => {})).toHaveLength(20_000);
});
