import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The Redis of this test run, as `redis://…`; null where `redis-server` is not installed. */
    redisUrl: string | null;
  }
}

const PROGRAM = 'redis-server';

/** A Redis server of one test, on loopback with a directory of its own. */
export interface PrivateRedis {
  /** Stays the same across a kill. */
  readonly url: string;
  /** Kills it (kill -9). `withoutFiles`: what it has stored is gone, as after a disk that was lost. */
  kill(options?: { withoutFiles?: boolean }): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** Starts a Redis server that stores its commands each second. Resolves with null when it is not installed. */
export async function startRedis(): Promise<PrivateRedis | null> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-redis-'));
  const port = await freePort();
  let running = await launch(directory, port);
  const remove = async () => {
    await end(running);
    await rm(directory, { recursive: true, force: true });
  };
  if (running === null) {
    await remove();
    return null;
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    async kill({ withoutFiles = false } = {}) {
      await end(running);
      running = null;
      if (withoutFiles) await rm(path.join(directory, 'appendonlydir'), { recursive: true, force: true });
    },
    async start() {
      running ??= await launch(directory, port);
    },
    remove,
  };
}

/** Resolves when the server is ready, or with null when the program is missing. */
async function launch(directory: string, port: number): Promise<ChildProcess | null> {
  const settings = ['--bind', '127.0.0.1', '--port', String(port), '--dir', directory, '--save', ''];
  const stored = ['--appendonly', 'yes', '--appendfsync', 'everysec'];
  const server = spawn(PROGRAM, [...settings, ...stored], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? resolve(null) : reject(error)));
    server.once('exit', (code) => reject(new Error(`${PROGRAM} ended with ${code}`)));
    let output = '';
    server.stdout.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000);
      if (output.includes('Ready to accept connections')) resolve(server);
    });
  });
}

async function end(server: ChildProcess | null): Promise<void> {
  if (server === null || server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill('SIGKILL');
  await exited;
}
