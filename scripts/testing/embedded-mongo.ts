import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { builtFile } from '../../api/testing/built.ts';
import type { EmbeddedMongo, EmbeddedMongoOptions } from '../embedded-mongo/launcher.ts';

/** A MongoDB server of one test, which can stop, kill and restart it. */
export interface PrivateMongo {
  /** Stays the same across `stop` and `start`, and across a kill. */
  readonly uri: string;
  readonly directory: string;
  /** The server's process, or null while it is down. */
  pid(): number | null;
  /** Kills the process (kill -9). The launcher restarts it, as in production. */
  kill(): void;
  /** Stops the server cleanly, until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops the server and removes its data. Every test must call it at its end. */
  remove(): Promise<void>;
}

/** Loads the built launcher, which starts the built server. */
async function builtLauncher(): Promise<typeof import('../embedded-mongo/launcher.ts')> {
  return import(builtFile('scripts/embedded-mongo/launcher.ts'));
}

/** Starts a private embedded MongoDB in a fresh temporary directory. */
export async function embeddedMongoForTest(options?: EmbeddedMongoOptions): Promise<PrivateMongo> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-test-'));
  const { startEmbeddedMongo } = await builtLauncher();
  const first = await startEmbeddedMongo(directory, options);
  let server: EmbeddedMongo | null = first;
  const stop = async (): Promise<void> => {
    const running = server;
    server = null;
    await running?.stop();
  };
  return {
    uri: first.uri,
    directory,
    pid: () => server?.pid() ?? null,
    kill() {
      const pid = server?.pid();
      if (pid == null) throw new Error('the embedded MongoDB is not running');
      process.kill(pid, 'SIGKILL');
    },
    stop,
    async start() {
      server ??= await startEmbeddedMongo(directory, options);
    },
    async remove() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
