/** Starts a Redis server for the processes of one machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { signalGroup } from '../steps/command.mjs';
import { failureCode, StartError } from '../steps/start-error.mjs';

const PROGRAM = 'redis-server';

/**
 * Starts `redis-server` in the data directory, unless REDIS_URL names one. Throws a `StartError` when it is not installed.
 * @param {{ dataDir: string, redisUrl: string | null }} config `dataDir` is absolute
 * @param {Pick<import('../steps/services.mjs').Context, 'report' | 'add'>} context
 * @returns {Promise<string>} its URL
 */
export async function startRedis({ dataDir, redisUrl }, { report, add }) {
  if (redisUrl !== null) {
    report('the server of REDIS_URL');
    return redisUrl;
  }
  const directory = path.join(dataDir, 'redis');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const port = await freePort();
  const settings = ['--bind', '127.0.0.1', '--port', String(port), '--dir', directory, '--save', ''];
  const kept = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'];
  // A group of its own: Ctrl-C would otherwise end it before the processes that use it.
  const child = spawn(PROGRAM, [...settings, ...kept], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  await new Promise((resolve, reject) => {
    const text = `${PROGRAM} was not found. Install it (Debian: apt install redis-server), or set REDIS_URL.`;
    child.once('error', (error) => {
      const isMissing = failureCode(error) === 'ENOENT';
      reject(isMissing ? new StartError(text, { cause: error }) : error);
    });
    child.once('exit', (code) => reject(new StartError(`${PROGRAM} ended with exit code ${code}.`)));
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      output = (output + chunk).slice(-10_000);
      if (output.includes('Ready to accept connections')) resolve(undefined);
    });
  });
  const ended = once(child, 'exit');
  add({
    async stop() {
      signalGroup(child, 'SIGTERM');
      await ended;
    },
    force: () => signalGroup(child, 'SIGKILL'),
  });
  report(`on port ${port} (pid ${child.pid}), data in ${directory}`);
  return `redis://127.0.0.1:${port}`;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
