import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { readNewPassword } from './new-password.ts';

/** Types one line at each prompt of a terminal. */
async function typing(...lines: string[]) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  // Like a terminal, it stays open after the first prompt has ended it.
  const output = Object.assign(new PassThrough(), { end: () => output });
  let shown = '';
  const prompts = ['generate one', 'Repeat'];
  output.on('data', (chunk: Buffer) => {
    shown += String(chunk);
    const [prompt] = prompts;
    if (prompt === undefined || !shown.includes(prompt)) return;
    prompts.shift();
    const line = lines.shift();
    if (line !== undefined) setImmediate(() => input.write(line));
  });
  const outcome = await readNewPassword(input, output).catch((error: Error) => error);
  return { shown, outcome };
}

const piped = (text: string) => {
  const input = new PassThrough();
  input.end(text);
  return readNewPassword(input, new PassThrough());
};

test('reads the password twice from a terminal and does not show it', async () => {
  const { shown, outcome } = await typing('correct horse\r', 'correct horse\r');
  expect(outcome).toBe('correct horse');
  expect(shown).not.toContain('horse');
});

test('refuses two passwords that differ, returns null for an empty one, and stops when cancelled', async () => {
  const differ = { message: 'The passwords differ. Nothing was changed.' };
  expect((await typing('correct horse\r', 'correct house\r')).outcome).toMatchObject(differ);
  expect((await typing('\r')).outcome).toBeNull();
  const CTRL_C = '\u0003';
  expect((await typing(`corr${CTRL_C}`)).outcome).toMatchObject({ message: 'Cancelled. Nothing was changed.' });
});

test.each([
  ['correct horse\nsecond line\n', 'correct horse'],
  ['correct horse\r\n', 'correct horse'],
  ['without an end', 'without an end'],
  ['\n', null],
  ['', null],
])('reads the first line without a terminal: %j', async (text, expected) => {
  expect(await piped(text)).toBe(expected);
});

test('keeps a character that arrives in two chunks', async () => {
  const input = new PassThrough();
  const password = readNewPassword(input, new PassThrough());
  for (const byte of Buffer.from('pässwörd\n')) {
    // Each byte is read before the next one arrives.
    await new Promise(setImmediate);
    input.write(Buffer.from([byte]));
  }
  expect(await password).toBe('pässwörd');
});

test('stops reading an endless line', async () => {
  const input = new PassThrough();
  input.write('x'.repeat(20_000));
  expect(await readNewPassword(input, new PassThrough())).toHaveLength(20_000);
});
