/** Spawns the process of a service: detached, with a log file, and without the secrets of this environment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The log is rotated at a start when it is longer than this. */
const LONGEST_LOG_BYTES = 1_000_000;
/** The variables a service inherits. None of them may hold a secret. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'LD_LIBRARY_PATH'];

export interface ServiceProcess {
  child: ChildProcess;
  /** Returns the last line that the process has logged; empty when it has logged nothing. */
  lastLogLine(): string;
}

interface ServiceSettings {
  /** `import.meta.url` of the launcher: the process runs the module `server` beside it. */
  launcherUrl: string;
  /** Passed to the process as one argument in JSON. */
  settings: unknown;
  logFile: string;
  /** Whether launcher and process exchange messages; the process then notices the end of its launcher. */
  ipc: boolean;
}

/** Spawns the process. Throws when the log file can't be written. */
export function spawnService({ launcherUrl, settings, logFile, ipc }: ServiceSettings): ServiceProcess {
  const log = openLog(logFile);
  const logStart = fstatSync(log).size;
  const extension = path.extname(fileURLToPath(launcherUrl));
  const entry = fileURLToPath(new URL(`./server${extension}`, launcherUrl));
  const args = [...loaderArgs(extension), entry, JSON.stringify(settings)];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => INHERITED.includes(name)));
  // Detached: Ctrl-C signals the whole process group of the terminal, and the app must finish its writes first.
  const child = spawn(process.execPath, args, {
    detached: true,
    stdio: ['ignore', log, log, ...(ipc ? (['ipc'] as const) : [])],
    env,
  });
  closeSync(log);
  // The service alone keeps no app running.
  child.unref();
  child.channel?.unref();
  return {
    child,
    lastLogLine: () => readFileSync(logFile).subarray(logStart).toString().trim().split('\n').at(-1) ?? '',
  };
}

/** Tests and `npm run dev` run the TypeScript sources; `npm start` runs their build. */
function loaderArgs(extension: string): string[] {
  if (extension !== '.ts') return [];
  return ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href];
}

function openLog(logFile: string): number {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LONGEST_LOG_BYTES) renameSync(logFile, `${logFile}.1`);
  return openSync(logFile, 'a', 0o600);
}
