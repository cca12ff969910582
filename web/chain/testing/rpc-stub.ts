import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import type { ChainConfig } from '../../../common/client-config/model.ts';
import { localConfig } from './fake-chain.ts';

const callSchema = z.object({
  id: z.unknown().optional(),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
});

/** The response to a call: a result, an error, or an HTTP status. */
type RpcResponse =
  | { result: unknown }
  | { error: { code: number; message: string; data?: unknown } }
  | { status: number };

/** A node with scripted responses over HTTP and WebSocket, on a port of its own. */
export interface RpcStub {
  config: ChainConfig;
  /** Sets the responses to the next calls of a method; the last one repeats. */
  respondTo(method: string, ...responses: RpcResponse[]): void;
  /** Calls over HTTP, in order. */
  calls: { method: string; params: unknown[] }[];
  /** Open subscriptions by id. */
  subscriptions: Map<number, { method: string; params: unknown[] }>;
  /** Notifies every subscription of a kind: `account`, `signature`. */
  notify(kind: string, value: unknown): void;
  /** Cuts all WebSockets, as a restarting node does. */
  cut(): void;
  close(): Promise<void>;
}

const cors = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' };

export async function rpcStub(): Promise<RpcStub> {
  const responses = new Map<string, RpcResponse[]>();
  let lastSubscription = 0;

  function nextResponse(method: string): RpcResponse {
    const queue = responses.get(method) ?? [{ error: { code: -32601, message: `no response for ${method}` } }];
    const scripted = queue.length > 1 ? queue.shift() : queue[0];
    return scripted ?? { result: null };
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'OPTIONS') return void response.writeHead(204, cors).end();
    const { id, method, params } = callSchema.parse(JSON.parse(await textOf(request)));
    stub.calls.push({ method, params });
    const scripted = nextResponse(method);
    if ('status' in scripted) return void response.writeHead(scripted.status, cors).end('not now');
    const headers = { ...cors, 'Content-Type': 'application/json' };
    response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id, ...scripted }));
  }

  const http = createServer((request, response) => void respond(request, response));
  const sockets = new WebSocketServer({ server: http });
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => {
      const { id, method, params } = callSchema.parse(JSON.parse(String(data)));
      if (id === undefined) return;
      const result = method.endsWith('Unsubscribe') ? unsubscribe(params) : subscribe(method, params);
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });

  function subscribe(method: string, params: unknown[]): number {
    lastSubscription += 1;
    stub.subscriptions.set(lastSubscription, { method, params });
    return lastSubscription;
  }

  function unsubscribe([id]: unknown[]): boolean {
    return stub.subscriptions.delete(Number(id));
  }

  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  const address = http.address() as AddressInfo;
  const stub: RpcStub = {
    config: { ...localConfig, rpcUrl: `http://127.0.0.1:${address.port}`, wsUrl: `ws://127.0.0.1:${address.port}` },
    respondTo: (method, ...given) => void responses.set(method, given),
    calls: [],
    subscriptions: new Map(),
    notify(kind, value) {
      for (const [subscription, { method }] of stub.subscriptions) {
        if (method !== `${kind}Subscribe`) continue;
        const params = { subscription, result: { context: { slot: 7 }, value } };
        const text = JSON.stringify({ jsonrpc: '2.0', method: `${kind}Notification`, params });
        // A turn later: web3.js drops a notification that it reads together with the response to the subscription.
        for (const socket of sockets.clients) setImmediate(() => socket.send(text));
      }
    },
    cut() {
      stub.subscriptions.clear();
      for (const socket of sockets.clients) socket.terminate();
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      http.closeAllConnections();
      await new Promise((closed) => http.close(closed));
    },
  };
  return stub;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}
