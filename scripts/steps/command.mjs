/** Runs a program of the project to its end. */
import { spawn } from 'node:child_process';
import { root } from './root.mjs';
import { StartError } from './start-error.mjs';

/** As much of a program's output as is shown when it fails. */
const KEPT_OUTPUT_CHARACTERS = 8_000;

/** The file of a program that an installed package brings. */
export const installed = (name) => `${root}/node_modules/.bin/${name}`;

/**
 * Runs a program and waits for its end. Its output is shown only when it fails, unless `shown` is set.
 * @param {string} program
 * @param {string[]} args
 * @param {{ shown?: boolean, env?: NodeJS.ProcessEnv, signal?: AbortSignal }} [options] `signal` ends the program
 *   and what it started, at once: nothing run here needs to clean up, and npm takes its time for that
 * @returns {Promise<{ code: number, output: string, stdout: string }>} `output` is what it wrote to either stream
 */
export function run(program, args, { shown = false, env = process.env, signal } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = shown ? 'inherit' : ['ignore', 'pipe', 'pipe'];
    signal?.throwIfAborted();
    const child = spawn(program, args, { cwd: root, env, stdio, detached: signal !== undefined });
    const kill = () => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended in the meantime, or never began.
      }
    };
    signal?.addEventListener('abort', kill);
    let output = '';
    let stdout = '';
    const keep = (kept, chunk) => (kept + chunk).slice(-KEPT_OUTPUT_CHARACTERS);
    child.stdout?.setEncoding('utf8').on('data', (chunk) => {
      output = keep(output, chunk);
      stdout = keep(stdout, chunk);
    });
    child.stderr?.setEncoding('utf8').on('data', (chunk) => {
      output = keep(output, chunk);
    });
    child.on('error', (error) => reject(new StartError(`${program} did not run: ${error.message}`, { cause: error })));
    child.on('close', (code) => {
      signal?.removeEventListener('abort', kill);
      resolve({ code: code ?? 1, output: output.trim(), stdout: stdout.trim() });
    });
  });
}

/** As `run`, but a failure is a StartError with the program's output. */
export async function runOrFail(what, program, args, options) {
  const { code, output } = await run(program, args, options);
  options?.signal?.throwIfAborted();
  if (code !== 0) throw new StartError(`${what} failed (exit code ${code}).${output ? `\n\n${output}` : ''}`);
}
