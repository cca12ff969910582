import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';

/** Response to a call: a result, a JSON-RPC error, an HTTP error, or none (`hang`). */
export type NodeResponse =
  | { result: unknown }
  | { error: { code: number; message: string } }
  | { status: number; headers?: Record<string, string>; body?: string }
  | { hang: true };

interface Call {
  method: string;
  params: unknown[];
  at: number;
}

export interface FakeNode {
  rpcUrl: string;
  wsUrl: string;
  /** All RPC calls so far. */
  calls: Call[];
  callsOf(method: string): Call[];
  /** Sets the responses of a method; `nth` counts its calls from 0. */
  on(method: string, respond: (params: unknown[], nth: number) => NodeResponse | Promise<NodeResponse>): void;
  /** Subscription requests received so far, as text. */
  subscriptions: string[];
  /** Sends a frame to every subscriber, or to those whose last request names this text. */
  send(raw: string, to?: string): void;
  /** Cuts every WebSocket. */
  drop(): void;
  /** Reaction to a subscription. */
  subscribe: 'acknowledge' | 'refuse' | 'ignore';
  /** Whether pings get a pong. */
  pongs: boolean;
  close(): Promise<void>;
}

const callSchema = z.object({
  id: z.union([z.string(), z.number()]),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
});

/** Starts a Solana node on loopback with HTTP and WebSocket; its responses are scripted. */
export async function startFakeNode(): Promise<FakeNode> {
  const responses = new Map<string, (params: unknown[], nth: number) => NodeResponse | Promise<NodeResponse>>();
  const http = createServer((request, response) => void respond(request, response));
  /** The last subscription request of each. */
  const sockets = new Map<WebSocket, string>();
  const server = new WebSocketServer({ server: http, autoPong: false });

  const node: FakeNode = {
    rpcUrl: '',
    wsUrl: '',
    calls: [],
    callsOf: (method) => node.calls.filter((call) => call.method === method),
    on: (method, respond) => void responses.set(method, respond),
    subscriptions: [],
    send(raw, to = '') {
      for (const [socket, requested] of sockets) if (requested.includes(to)) socket.send(raw);
    },
    drop() {
      for (const socket of sockets.keys()) socket.terminate();
    },
    subscribe: 'acknowledge',
    pongs: true,
    async close() {
      node.drop();
      server.close();
      http.close();
      http.closeAllConnections();
      await once(http, 'close');
    },
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const { id, method, params } = callSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    const nth = node.callsOf(method).length;
    node.calls.push({ method, params, at: performance.now() });
    const result = (await responses.get(method)?.(params, nth)) ?? {
      error: { code: -32_601, message: 'Method not found' },
    };
    if ('hang' in result) return;
    if ('status' in result) {
      response.writeHead(result.status, result.headers).end(result.body ?? '');
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...result }));
  }

  server.on('connection', (socket) => {
    sockets.set(socket, '');
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.terminate());
    socket.on('ping', () => {
      if (node.pongs) socket.pong();
    });
    socket.on('message', (data) => {
      sockets.set(socket, data.toString());
      node.subscriptions.push(data.toString());
      if (node.subscribe === 'acknowledge') socket.send('{"jsonrpc":"2.0","id":1,"result":13117691}');
      if (node.subscribe === 'refuse') {
        socket.send('{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params"}}');
      }
    });
  });

  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo; // a TCP server's address is never a string
  node.rpcUrl = `http://127.0.0.1:${port}/?api-key=very-secret`;
  node.wsUrl = `ws://127.0.0.1:${port}/?api-key=very-secret`;
  return node;
}
