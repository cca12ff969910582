import { once } from 'node:events';
import net from 'node:net';

const END_OF_HEAD = '\r\n\r\n';

/** The fields of a response that benchmarks read. */
interface RawResponse {
  status: number;
  /** Length of the body, bytes. */
  length: number;
}

interface RawRequests {
  /** Sends one request and resolves with its response. One at a time. */
  send(request: string): Promise<RawResponse>;
  close(): void;
}

/**
 * Opens a connection that sends requests and counts bodies without reading them: a client of Node's own costs more than the
 * server it measures. The server must send `Content-Length`, except with 304.
 */
export async function openRequests(url: string): Promise<RawRequests> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.setNoDelay(true);
  let head = '';
  /** Bytes of the body that are still to come; null while the head is read. */
  let left: number | null = null;
  let response: RawResponse = { status: 0, length: 0 };
  let settle: { resolve(response: RawResponse): void; reject(error: Error): void } | null = null;

  function finish(): void {
    const { resolve } = settle ?? {};
    [head, left, settle] = ['', null, null];
    resolve?.(response);
  }
  socket.on('data', (chunk) => {
    if (left !== null) left -= chunk.length;
    else {
      head += chunk.toString('latin1');
      const end = head.indexOf(END_OF_HEAD);
      if (end < 0) return;
      response = parseHead(head.slice(0, end));
      left = response.length - (head.length - end - END_OF_HEAD.length);
    }
    if (left <= 0) finish();
  });
  const fail = () => settle?.reject(new Error('the connection ended'));
  socket.on('error', fail);
  socket.on('close', fail);

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error('the connection ended'));
        settle = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

function parseHead(head: string): RawResponse {
  const status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined && status !== 304) throw new Error(`a response ${status} without its length`);
  return { status, length: status === 304 ? 0 : Number(length) };
}

/** Returns the text of a request without a body. */
export function getRequest(path: string, headers: Readonly<Record<string, string>>): string {
  return requestText('GET', path, headers, '');
}

/** Returns the text of a request with a JSON body. */
export function postRequest(path: string, headers: Readonly<Record<string, string>>, json: unknown): string {
  const body = JSON.stringify(json);
  const own = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) };
  return requestText('POST', path, { ...headers, ...own }, body);
}

function requestText(method: string, path: string, headers: Readonly<Record<string, string>>, body: string): string {
  const lines = Object.entries({ Host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
