import http from 'node:http';

export interface RawReply {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

/** A request as it stands: fetch would tidy up the path, refuse some headers and add others. */
export function rawRequest(
  url: string,
  request: { method?: string; path: string; headers?: http.OutgoingHttpHeaders; body?: string | Buffer },
): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  const { method = 'GET', path, body } = request;
  // Node leaves the length out for GET and its like, and the body would be read as the next request.
  const length =
    body === undefined || request.headers?.['Transfer-Encoding'] ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const headers = { ...length, ...request.headers };
  return new Promise((resolve, reject) => {
    const sent = http.request({ hostname, port, method, path, headers, agent: false }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('error', reject);
      reply.on('end', () => {
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text: Buffer.concat(chunks).toString() });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
