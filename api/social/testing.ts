import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the service says to one request: a status with a body, nothing at all, or an end in the middle of it. */
export type FakeAnswer = { status?: number; headers?: Record<string, string>; body: unknown } | 'hang' | 'cut';

export interface FakeService {
  url: string;
  /** Address and headers of every request so far. */
  requests: { url: URL; headers: IncomingMessage['headers'] }[];
  close(): Promise<void>;
}

/** A service on loopback that answers over a real socket as the test says; `nth` counts requests from 0. */
export async function startFakeService(answer: (url: URL, nth: number) => FakeAnswer): Promise<FakeService> {
  const requests: FakeService['requests'] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const given = answer(url, requests.length);
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
