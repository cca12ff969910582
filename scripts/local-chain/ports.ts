/** Ports on the loopback address: the chain is for this machine only. */
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { failureCode } from '../steps/start-error.mjs';
import { LocalChainError } from './errors.ts';

const HOST = '127.0.0.1';
/** A restarted chain waits this long for the port that its clients know. */
const PORT_WAIT_MS = 10_000;
const RETRY_MS = 50;
/** In use, or reserved by the system: another port will do. */
const TAKEN = ['EADDRINUSE', 'EACCES'];

/** Resolves with the failure, or with null when the server listens. */
function listen(server: Server, port: number): Promise<Error | null> {
  return new Promise((resolve) => {
    server.once('error', resolve);
    server.listen(port, HOST, () => {
      server.off('error', resolve);
      resolve(null);
    });
  });
}

/** Listens on `port` (0: any), or on any other when it is taken and not `exact`. Resolves with the port. */
export async function listenOnLoopback(server: Server, port: number, exact: boolean): Promise<number> {
  const deadline = Date.now() + PORT_WAIT_MS;
  for (let error = await listen(server, port); error; error = await listen(server, exact ? port : 0)) {
    const isOver = exact && Date.now() > deadline;
    if (isOver || !TAKEN.includes(failureCode(error))) {
      throw new LocalChainError(`cannot listen on port ${port} (${failureCode(error)})`, { cause: error });
    }
    if (exact) await delay(RETRY_MS);
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}
