import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const root = path.resolve(import.meta.dirname, '../..');

/** The product as `npm start` runs it, for a test that restarts it. */
export interface OwnProduct {
  url: string;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Starts the product on free ports and waits for its URL. `settings` are added to its environment. */
export async function startOwnProduct(dataDir: string, settings: Record<string, string> = {}): Promise<OwnProduct> {
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: '0',
      LOCAL_CHAIN_PORT: '0',
      DATA_DIR: dataDir,
      MARKET: 'simulator',
      // Each start generates eight hours of history: a few hundred tokens are enough.
      MARKET_RATE: '1',
      LOG_LEVEL: 'error',
      // Tests act as a proxy, for clients of many addresses.
      TRUSTED_PROXIES: '127.0.0.1',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  const url = await Promise.race([
    announcedUrl(child),
    gone.then(([code]) => Promise.reject(new Error(`the product ended with code ${code}`))),
  ]);
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await gone;
      return child.exitCode;
    },
  };
}

async function announcedUrl(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the output is not readable');
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^Mintwatch is at (\S+)$/.exec(line)?.[1];
    if (url) {
      child.stdout.resume(); // a full pipe would block the server
      return url;
    }
  }
  throw new Error('the product ended without its URL');
}
