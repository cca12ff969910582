import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { StartError } from '../config/config.ts';

/** Longer input is no password, and is not read to its end (characters). */
const INPUT_MAX = 10_000;

/** What a person types into, or what a program writes to. */
export type Typed = NodeJS.ReadStream | (NodeJS.ReadableStream & { isTTY?: boolean });

/**
 * A new password: asked for twice on a terminal, without showing it; otherwise the first line of what comes in. Null when
 * nothing is typed. Throws a StartError when the two differ, or when asking is broken off.
 */
export async function askPassword(typed: Typed, show: (text: string) => void): Promise<string | null> {
  if (!typed.isTTY) return (await firstLine(typed)) || null;
  const password = await askHidden(typed, show, 'Password (leave it empty to have one made): ');
  if (password === '') return null;
  if ((await askHidden(typed, show, 'Once more: ')) !== password) throw new StartError('These two differ.');
  return password;
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  // Else a character that is cut between two chunks would be lost.
  input.setEncoding('utf8');
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.includes('\n') || text.length > INPUT_MAX) break;
  }
  return text.split(/\r?\n/, 1)[0] ?? '';
}

async function askHidden(typed: Typed, show: (text: string) => void, question: string): Promise<string> {
  // What readline would echo goes nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: typed, output: nowhere, terminal: true });
  show(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => reject(new StartError('Broken off. Nothing was changed.')));
    });
  } finally {
    lines.close();
    show('\n');
  }
}
