/** Ports of the loopback address: the chain is for this machine only. */
import { setTimeout as delay } from 'node:timers/promises';
import { LocalChainError } from './errors.mjs';

const HOST = '127.0.0.1';
/** A chain that is started again waits so long for the port that its clients know. */
const PORT_WAIT_MS = 10_000;
const RETRY_MS = 50;
/** In use, or reserved by the system: another port will do. */
const NOT_OURS = ['EADDRINUSE', 'EACCES'];

/** @returns {Promise<NodeJS.ErrnoException | null>} why it does not listen */
const listen = (server, port) =>
  new Promise((resolve) => {
    const failed = (error) => resolve(error);
    server.once('error', failed);
    server.listen(port, HOST, () => {
      server.off('error', failed);
      resolve(null);
    });
  });

/** Listens if it can. @param {import('node:http').Server} server @param {number} port */
export async function tryListen(server, port) {
  if (port < 65_536) await listen(server, port);
}

/**
 * @param {import('node:http').Server} server
 * @param {number} port 0: any
 * @param {boolean} exact this port and no other
 * @returns {Promise<number>} where it listens
 */
export async function listenSomewhere(server, port, exact) {
  const deadline = Date.now() + PORT_WAIT_MS;
  for (let error = await listen(server, port); error; error = await listen(server, exact ? port : 0)) {
    const isOver = exact && Date.now() > deadline;
    if (isOver || !NOT_OURS.includes(error.code)) {
      throw new LocalChainError(`cannot listen on port ${port} (${error.code})`, { cause: error });
    }
    if (exact) await delay(RETRY_MS);
  }
  return server.address().port;
}
