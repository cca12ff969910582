/** One process a directory: the one that holds a socket in it. A kill leaves no claim behind, only a file. */
import { rename, rm } from 'node:fs/promises';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { LocalChainError } from './errors.mjs';

/** Relative: a socket's path holds about 100 bytes, and a data directory's may be longer. */
const NAME = 'lock.sock';
/** A predecessor that was told to end writes its state first. */
const WAIT_MS = 4_000;
const RETRY_MS = 50;

const answers = (name) =>
  new Promise((resolve) => {
    const probe = net.connect(name, () => resolve(true));
    probe.on('connect', () => probe.destroy());
    probe.on('error', () => resolve(false));
  });

/** @returns {Promise<net.Server | null>} null: the file is there already */
const listenOn = (name) =>
  new Promise((resolve, reject) => {
    const server = net.createServer((socket) => socket.on('error', () => {}).end());
    server.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(null) : reject(error)));
    server.listen(name, () => resolve(server));
  });

/** Takes away the socket file of a process that is gone. */
async function clearStale() {
  // Under another name first: should it be the file of somebody who was faster, it still answers, and is put back.
  const aside = `${NAME}.${process.pid}`;
  try {
    await rename(NAME, aside);
  } catch {
    return; // somebody else is at it
  }
  if (await answers(aside)) await rename(aside, NAME);
  else await rm(aside, { force: true });
}

/**
 * Claims the working directory for this process, until it ends. Waits a little for one that is ending.
 * @param {string} directory its name, for the message
 */
export async function claimDirectory(directory) {
  for (const deadline = Date.now() + WAIT_MS; ; await delay(RETRY_MS)) {
    const lock = await listenOn(NAME);
    if (lock) return lock.unref();
    if (!(await answers(NAME))) await clearStale();
    else if (Date.now() > deadline) {
      throw new LocalChainError(
        `of ${directory} is run by another process; stop that, or set DATA_DIR to another directory`,
      );
    }
  }
}
