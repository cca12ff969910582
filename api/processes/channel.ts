import type { RequestListener, Server } from 'node:http';
import { hostname } from 'node:os';
import { PublicError } from '../../common/errors.ts';
import { secretComparison } from '../http/admin-key.ts';
import type { Forwarding } from '../http/edge/forwarding.ts';
import { createHttpServer, listen } from '../http/listen.ts';

/** Header of a forwarded request with the secret that the processes of a server share. */
export const SECRET_HEADER = 'x-mintwatch-channel';

/**
 * Creates the internal server of the worker, which does not listen yet: the whole app for requests that other processes forward.
 * Requests with the secret are believed about their client's address and host; all others are refused.
 */
export function createChannelServer(
  app: RequestListener,
  { secret, forwarding }: { secret: string; forwarding: Pick<Forwarding, 'believe'> },
): Server {
  const isRight = secretComparison(secret);
  const refusal = new PublicError('forbidden');
  return createHttpServer(
    (request, response) => {
      const sent = request.headers[SECRET_HEADER];
      delete request.headers[SECRET_HEADER];
      if (typeof sent === 'string' && isRight(sent)) {
        forwarding.believe(request);
        app(request, response);
        return;
      }
      response.writeHead(refusal.status, { Connection: 'close', 'Content-Type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify(refusal.body()));
    },
    // One address sends the requests of many clients.
    { isProxy: () => true },
  );
}

/** Listens, and resolves with the address for other processes. On all interfaces it is by the name of this machine. */
export async function listenToProcesses(
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<string> {
  const url = new URL(await listen(server, host, port, { hostName: 'CHANNEL_HOST', portName: 'CHANNEL_PORT' }));
  if (host === '0.0.0.0' || host === '::') url.hostname = hostname();
  return url.origin;
}
