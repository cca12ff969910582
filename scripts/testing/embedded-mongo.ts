import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type EmbeddedMongo, type EmbeddedMongoOptions, startEmbeddedMongo } from '../embedded-mongo/launcher.ts';

/** A MongoDB server that a test owns alone, to take it away and bring it back. */
export interface PrivateMongo {
  /** Stays the same across `stop` and `start`, and across a kill. */
  readonly uri: string;
  readonly directory: string;
  /** The server's process, or null while it is down. */
  pid(): number | null;
  /** kill -9. The launcher brings the server back by itself, as in production. */
  kill(): void;
  /** Takes the server away cleanly; it stays away until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops the server and removes its data. Call it at the end of every test that made one. */
  remove(): Promise<void>;
}

/** Starts a private embedded MongoDB in a fresh temporary directory. */
export async function embeddedMongoForTest(options?: EmbeddedMongoOptions): Promise<PrivateMongo> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-test-'));
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
