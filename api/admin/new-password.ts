import { password } from '@inquirer/prompts';
import { StartError } from '../config/config.ts';

/** Longer input is not a password, and is not read to its end (characters). */
const INPUT_MAX = 10_000;

type Input = NodeJS.ReadableStream & { isTTY?: boolean };

/**
 * Reads a new password: twice and hidden from a terminal, otherwise from the first line of the input. Returns null when it
 * is empty. Throws a `StartError` when the two differ, or when the person cancels.
 */
export async function readNewPassword(input: Input, output: NodeJS.WritableStream): Promise<string | null> {
  if (!input.isTTY) return (await firstLine(input)) || null;
  try {
    const typed = await password({ message: 'Password (leave it empty to generate one):' }, { input, output });
    if (typed === '') return null;
    const repeated = await password({ message: 'Repeat the password:' }, { input, output });
    if (repeated !== typed) throw new StartError('The passwords differ. Nothing was changed.');
    return typed;
  } catch (error) {
    const isCancelled = error instanceof Error && error.name === 'ExitPromptError';
    throw isCancelled ? new StartError('Cancelled. Nothing was changed.') : error;
  }
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  input.setEncoding('utf8'); // otherwise a character split between two chunks would be lost
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.includes('\n') || text.length > INPUT_MAX) break;
  }
  return text.split(/\r?\n/, 1)[0] ?? '';
}
