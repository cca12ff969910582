/** Allows one process per directory: the one that listens on a socket in it. A kill leaves only the file behind. */
import { rename, rm } from 'node:fs/promises';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { failureCode } from '../steps/start-error.mjs';
import { LocalChainError } from './errors.ts';

/** Relative: a socket's path holds about 100 bytes, and a data directory's may be longer. */
const SOCKET = 'lock.sock';
/** A stopping predecessor writes its state first. */
const WAIT_MS = 4_000;
const RETRY_MS = 50;

function accepts(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.connect(name, () => resolve(true));
    probe.on('connect', () => probe.destroy());
    probe.on('error', () => resolve(false));
  });
}

/** Resolves with null when the socket file exists. */
function listenOn(name: string): Promise<net.Server | null> {
  return new Promise((resolve, reject) => {
    const server = net.createServer((socket) => socket.on('error', () => {}).end());
    server.once('error', (error) => (failureCode(error) === 'EADDRINUSE' ? resolve(null) : reject(error)));
    server.listen(name, () => resolve(server));
  });
}

/** Removes the socket file of a process that has ended. */
async function removeStale(): Promise<void> {
  // Moved aside first: if it belongs to a faster process by now, it still accepts connections and is moved back.
  const aside = `${SOCKET}.${process.pid}`;
  try {
    await rename(SOCKET, aside);
  } catch {
    return; // another process is removing it
  }
  if (await accepts(aside)) await rename(aside, SOCKET);
  else await rm(aside, { force: true });
}

/**
 * Claims the working directory until this process ends, waiting a little for a process that is stopping. Throws when
 * another process keeps it. `directory` is its name in the message.
 */
export async function claimDirectory(directory: string): Promise<void> {
  for (const deadline = Date.now() + WAIT_MS; ; await delay(RETRY_MS)) {
    const lock = await listenOn(SOCKET);
    if (lock) {
      lock.unref();
      return;
    }
    if (!(await accepts(SOCKET))) await removeStale();
    else if (Date.now() > deadline) {
      throw new LocalChainError(
        `of ${directory} is run by another process; stop that, or set DATA_DIR to another directory`,
      );
    }
  }
}
