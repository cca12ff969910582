import { execFile } from 'node:child_process';
import path from 'node:path';

/** What a command has left: its exit code and its output. */
interface Ended {
  code: number | null;
  output: string;
  errors: string;
}

/** Runs a command of `scripts` on a data directory, without npm and the variables of this process. */
export function runCommand(script: string, dataDir: string, args: readonly string[] = [], input = ''): Promise<Ended> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir };
  return new Promise((resolve) => {
    const all = [path.resolve(import.meta.dirname, '..', script), ...args];
    const child = execFile(process.execPath, all, { env }, (_error, output, errors) => {
      resolve({ code: child.exitCode, output, errors: errors.trim() });
    });
    child.stdin?.end(input);
  });
}
