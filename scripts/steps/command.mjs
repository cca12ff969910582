/** Runs programs, and imports modules of the built server. */
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { StartError } from './start-error.mjs';

/** The project's folder. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Length of the output shown for a failed program, in characters. */
const SHOWN_OUTPUT = 8_000;
/** A quarter of a busy core: less could starve a test until its limit. */
export const BACKGROUND_PRIORITY = 5;

/**
 * Returns the file of a program from an installed package.
 * @param {string} name
 */
export const installed = (name) => `${root}/node_modules/.bin/${name}`;

/**
 * Imports a module of the built server. The caller names its type.
 * @param {string} file path in the project, with the extension `.js`
 */
export const built = (file) => import(pathToFileURL(path.join(root, '.build/server', file)).href);

/**
 * @typedef {object} RunOptions
 * @property {boolean | number} [shown] shows the output while the program runs, or writes it to this open file
 * @property {boolean} [inBackground] leaves most of a busy processor to other programs
 * @property {NodeJS.ProcessEnv} [env]
 * @property {AbortSignal} [signal] kills the program and its children: none of them needs to clean up, and npm would
 *   take its time for that
 */

/**
 * @param {boolean | number} shown
 * @returns {import('node:child_process').StdioOptions}
 */
function stdioOf(shown) {
  if (typeof shown === 'number') return ['ignore', shown, shown];
  return shown ? 'inherit' : ['ignore', 'pipe', 'pipe'];
}

/**
 * Runs a program and waits for its end. `output` is what it wrote to either stream; both are cut to their last part.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, output: string, stdout: string }>}
 */
export function run(program, args, { shown = false, inBackground = false, env = process.env, signal } = {}) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const child = spawn(program, args, { cwd: root, env, stdio: stdioOf(shown), detached: signal !== undefined });
    // Before it starts threads and programs of its own, which inherit the priority.
    if (inBackground && child.pid !== undefined) {
      // Only an administrator may raise a priority.
      os.setPriority(child.pid, Math.max(os.getPriority(), BACKGROUND_PRIORITY));
    }
    const kill = () => signalGroup(child, 'SIGKILL');
    signal?.addEventListener('abort', kill);
    let output = '';
    let stdout = '';
    const append = (/** @type {string} */ text, /** @type {string} */ chunk) => (text + chunk).slice(-SHOWN_OUTPUT);
    child.stdout?.setEncoding('utf8').on('data', (chunk) => {
      output = append(output, chunk);
      stdout = append(stdout, chunk);
    });
    child.stderr?.setEncoding('utf8').on('data', (chunk) => {
      output = append(output, chunk);
    });
    child.on('error', (error) => reject(new StartError(`${program} did not run: ${error.message}`, { cause: error })));
    child.on('close', (code) => {
      signal?.removeEventListener('abort', kill);
      resolve({ code: code ?? 1, output: output.trim(), stdout: stdout.trim() });
    });
  });
}

/**
 * Runs a program like `run`. Throws a `StartError` with its output when it fails.
 * @param {string} title
 * @param {string} program
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 */
export async function runOrFail(title, program, args, options) {
  const { code, output } = await run(program, args, options);
  options?.signal?.throwIfAborted();
  if (code !== 0) throw new StartError(`${title} failed (exit code ${code}).${output ? `\n\n${output}` : ''}`);
}

/**
 * Signals a detached child and its children.
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export function signalGroup(child, signal) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The process has already ended.
  }
}
