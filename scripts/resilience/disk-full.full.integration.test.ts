import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { testFolder } from '../../api/testing/folder.ts';
import { noteProof } from '../../api/testing/proof.ts';
import { announcedUrl, post } from './product.ts';

/** Room for a new database and the files of its start, MB. */
const DISK_MB = 900;
/** A MongoDB that fails is started again every few seconds. */
const FULL_MS = 20_000;
const SOON = { timeout: 60_000, interval: 200 };

/** Mounts an empty disk of its own over the folder, which only this process and its children see, and becomes the command. */
const ON_SMALL_DISK = `mount -t tmpfs -o size=${DISK_MB}m tmpfs "$0" && exec "$@"`;
const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

const folder = await testFolder('disk');

/** Starts the product with its own MongoDB on a small disk. */
async function startOnSmallDisk() {
  const start = path.resolve(import.meta.dirname, '../start.mjs');
  const command = ['-rm', 'bash', '-c', ON_SMALL_DISK, folder, process.execPath, start];
  const child = spawn('unshare', command, {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: '0',
      LOCAL_CHAIN_PORT: '0',
      LOG_LEVEL: 'silent',
      DATA_DIR: path.join(folder, 'data'),
      TRUSTED_PROXIES: '127.0.0.1',
      MARKET_RATE: '120',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  afterAll(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  const url = await announcedUrl(child);
  // The disk as the product's process sees it.
  const fill = path.join(`/proc/${child.pid}/root`, folder, 'fill');
  return { child, url, fill };
}

const statusOf = async (url: string): Promise<number> => (await fetch(`${url}/api/health`)).status;

/** Address of a client, another one for each number: these tests are not about the limit per address. */
const addressOf = (number: number): string => `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
const register = (url: string, username: string, number: number): Promise<Response> =>
  post(url, '/api/auth/register', { username, password: 'long-enough' }, addressOf(number));

/** Writes to a file until its disk is full. */
async function fillDisk(file: string): Promise<void> {
  const part = Buffer.alloc(16 * 1024 * 1024);
  for (let count = 0; count < DISK_MB; count += 1) {
    try {
      await appendFile(file, part);
    } catch {
      return;
    }
  }
}

test.runIf(canMount)(
  'a full disk makes calls respond with 503, and when it has room again everything acknowledged is there',
  { timeout: 240_000 },
  async () => {
    const { child, url, fill } = await startOnSmallDisk();
    const acknowledged: string[] = [];
    const statuses = new Map<number, number>();
    let isWriting = true;
    const writing = (async () => {
      for (let number = 0; isWriting; number += 1) {
        const username = `user-${number}`;
        const { status, ok } = await register(url, username, number);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (ok) acknowledged.push(username);
      }
    })();
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(20), SOON);

    await fillDisk(fill);
    const fullSince = performance.now();
    await vi.waitFor(async () => expect(await statusOf(url)).toBe(503), SOON);
    await vi.waitFor(() => expect(performance.now() - fullSince).toBeGreaterThan(FULL_MS), SOON);
    expect(child.exitCode).toBeNull();
    const before = acknowledged.length;

    await rm(fill);
    await vi.waitFor(async () => expect(await statusOf(url)).toBe(200), SOON);
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 20), SOON);
    isWriting = false;
    await writing;

    const missing: string[] = [];
    for (const [index, username] of acknowledged.entries()) {
      const again = await register(url, username, 100_000 + index);
      if (again.status !== 409) missing.push(username);
    }
    expect(missing).toEqual([]);
    expect([...statuses.keys()].filter((status) => ![200, 503].includes(status))).toEqual([]);
    expect(child.exitCode).toBeNull();
    noteProof(
      'disk full and freed',
      { seconds: FULL_MS / 1_000, acknowledged: acknowledged.length },
      {
        writesLost: missing.length,
        serverErrors: 0,
        crashes: 0,
      },
    );
  },
);
