import { afterEach, beforeEach, vi } from 'vitest';
import type { z } from 'zod';
import { type ErrorBody, type ErrorCode, errors } from '../../common/errors.ts';
import type { Call } from '../../common/http.ts';

/** A received request. */
export interface Received {
  method: string;
  path: string;
  query: URLSearchParams;
  params: Record<string, string>;
  body: unknown;
  headers: Headers;
  credentials: RequestCredentials | undefined;
  signal: AbortSignal | null | undefined;
}

type Reply = (received: Received) => Response | Promise<Response>;
type Data<C extends Call> = z.input<C['output']>;
/** Response of a call: data, or a function of the request. */
type Source<C extends Call> = Data<C> | ((received: Received) => Data<C>);

/** An in-memory server that replaces `fetch` until the test ends (`vi.unstubAllGlobals` or `close`). */
export interface FakeServer {
  requests: Received[];
  /**
   * Answers a call with data, or with the result of a function of the request. Checks the data by the call's `output`.
   */
  answer<C extends Call>(call: C, data: Source<C>, headers?: Record<string, string>): void;
  /** Answers a call with one of the product's errors. */
  fail(call: Call, code: ErrorCode, text?: string): void;
  /** Answers a call with any response, e.g. a body that is not JSON, or a promise that the test settles. */
  reply(call: Call, reply: Reply): void;
  /** Returns the number of requests of a call. */
  count(call: Call): number;
  close(): void;
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });
}

/** Creates a server for each test of a file. Called once, outside of the tests. */
export function fakeServerPerTest(): FakeServer {
  const { fetch: _, ...server } = createServer();
  beforeEach(() => void Object.assign(server, fakeServer()));
  afterEach(server.close);
  return server;
}

/** Creates a server for the test under way. */
export function fakeServer(): FakeServer {
  const { fetch, ...server } = createServer();
  vi.stubGlobal('fetch', vi.fn(fetch));
  return server;
}

/** Creates a server that replaces nothing yet. Calls without an answer fail like an unknown address. */
function createServer() {
  const replies = new Map<Call, Reply>();
  const requests: Received[] = [];

  async function fakeFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const url = new URL(input instanceof Request ? input.url : input, window.location.origin);
    const method = init.method ?? 'GET';
    const known = bestMatch([...replies.keys()], method, url.pathname);
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const received: Received = {
      method,
      path: url.pathname,
      query: url.searchParams,
      params: known?.params ?? {},
      body,
      headers: new Headers(init.headers),
      credentials: init.credentials,
      signal: init.signal,
    };
    requests.push(received);
    const reply = known && replies.get(known.call);
    return reply ? reply(received) : json({ error: `No answer for ${method} ${url.pathname}`, code: 'not-found' }, 404);
  }

  const server: FakeServer = {
    requests,
    answer: (call, data, headers) => {
      replies.set(call, (received) => {
        const value: unknown = isMaker(data) ? data(received) : data;
        call.output.parse(value);
        return json(value, 200, headers);
      });
    },
    fail: (call, code, text) => {
      const body: ErrorBody = { error: text ?? errors[code].text, code };
      replies.set(call, () => json(body, errors[code].status));
    },
    reply: (call, reply) => replies.set(call, reply),
    count: (call) => requests.filter((one) => bestMatch([call], one.method, one.path)).length,
    close: () => vi.unstubAllGlobals(),
  };
  return { fetch: fakeFetch, ...server };
}

function isMaker(data: unknown): data is (received: Received) => unknown {
  return typeof data === 'function';
}

/** Returns the call whose method and path match; one without parameters takes precedence. */
function bestMatch(calls: Call[], method: string, path: string): { call: Call; params: Record<string, string> } | null {
  const fitting = calls
    .filter((call) => call.method === method)
    .map((call) => ({ call, params: paramsOf(call.path, path) }))
    .filter((one): one is { call: Call; params: Record<string, string> } => one.params !== null)
    .sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length);
  return fitting[0] ?? null;
}

function paramsOf(pattern: string, path: string): Record<string, string> | null {
  const expression = new RegExp(`^${pattern.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  const match = expression.exec(path);
  return match
    ? Object.fromEntries(Object.entries(match.groups ?? {}).map(([k, v]) => [k, decodeURIComponent(v)]))
    : null;
}
