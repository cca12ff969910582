import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Response of the fake service: a status with a body, none (`hang`), or a connection that ends within the body (`cut`). */
export type FakeResponse = { status?: number; headers?: Record<string, string>; body: unknown } | 'hang' | 'cut';

export interface FakeService {
  url: string;
  /** Address and headers of every request so far. */
  requests: { url: URL; headers: IncomingMessage['headers'] }[];
  close(): Promise<void>;
}

/** Starts an HTTP service on loopback that responds with `respond`; `nth` counts requests from 0. */
export async function startFakeService(respond: (url: URL, nth: number) => FakeResponse): Promise<FakeService> {
  const requests: FakeService['requests'] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const given = respond(url, requests.length);
    requests.push({ url, headers: request.headers });
    if (given === 'hang') return;
    if (given === 'cut') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"data":', () => request.socket.destroy());
      return;
    }
    response.writeHead(given.status ?? 200, { 'content-type': 'application/json', ...given.headers });
    response.end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server's address is never a string
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
