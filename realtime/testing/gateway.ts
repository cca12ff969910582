import { once } from 'node:events';
import { createServer } from 'node:http';
import { pino } from 'pino';
import { type ManagerOptions, connect as open, type Socket, type SocketOptions } from 'socket.io-client';
import type { SessionUser } from '../../common/auth/model.ts';
import type { Ack, ClientToServerEvents, ServerToClientEvents } from '../../common/live/events.ts';
import { type Encoding, type FeedCursor, PROTOCOL_VERSION } from '../../common/live/protocol.ts';
import type { FeedLog } from '../feed-log/feed-log.ts';
import { createMemoryLog } from '../feed-log/memory.ts';
import { createGateway, type GatewayDeps } from '../gateway/gateway.ts';
import { createPublisher } from '../publisher.ts';

type TestSocket = Socket<ServerToClientEvents, ClientToServerEvents>;

/** An event of the server, as a client received it. */
interface ReceivedEvent {
  event: string;
  payload: unknown;
}

export interface TestClient {
  socket: TestSocket;
  received: ReceivedEvent[];
  /** Returns the numbers of the received feed events, in order of arrival. */
  seqs(): number[];
  of(event: string): unknown[];
  /** Emits an event, well-formed or not, and resolves with its ack. */
  send(event: string, ...inputs: unknown[]): Promise<Ack>;
}

interface ClientOptions {
  session?: string;
  cursor?: FeedCursor;
  encoding?: Encoding;
  /** Replaces the whole handshake, or makes it for each connection. */
  auth?: Record<string, unknown> | (() => Record<string, unknown>);
  /** Address to connect to. Default: the gateway's own. */
  address?: string;
  headers?: Record<string, string>;
  options?: Partial<ManagerOptions & SocketOptions>;
}

const ACK_TIMEOUT_MS = 5_000;

/** Starts a real gateway on a free port, with sessions `alice`, `bob` (users) and `root` (administrator). */
export async function startGateway(deps: Partial<GatewayDeps> & { feedLog?: FeedLog } = {}) {
  const clock = { now: Date.now };
  const sessions = new Map<string, SessionUser>([
    ['alice', { id: 'u1', username: 'alice', isAdmin: false, hasSecondFactor: false }],
    ['bob', { id: 'u2', username: 'bob', isAdmin: false, hasSecondFactor: false }],
    ['root', { id: 'u3', username: 'root', isAdmin: true, hasSecondFactor: false }],
  ]);
  const feedLog = deps.feedLog ?? createMemoryLog({ clock });
  const http = createServer((_request, response) => response.writeHead(404).end());
  const gateway = createGateway(http, {
    feedLog,
    clock,
    log: pino({ level: 'silent' }),
    authenticate: async ({ headers }) => {
      const sessionId = /session=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? '';
      const user = sessions.get(sessionId);
      return user ? { user, sessionId } : null;
    },
    aliveSessions: async (ids) => new Set(ids.filter((id) => sessions.has(id))),
    recordWatch: () => Promise.resolve(),
    ...deps,
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('the test server has no port');
  const { port } = address;
  const url = `http://127.0.0.1:${port}`;
  const opened: TestSocket[] = [];

  /** Opens a client without waiting for its connection. */
  function client({
    session = 'alice',
    cursor,
    encoding,
    auth,
    address: to = url,
    headers,
    options,
  }: ClientOptions = {}): TestClient {
    const socket: TestSocket = open(to, {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      extraHeaders: { cookie: `session=${session}`, ...headers },
      auth:
        typeof auth === 'function'
          ? (give: (data: object) => void) => give(auth())
          : (auth ?? { protocol: PROTOCOL_VERSION, ...cursor, ...(encoding && { encoding }) }),
      ...options,
    });
    opened.push(socket);
    return recording(socket);
  }

  return {
    url,
    port,
    http,
    gateway,
    feedLog,
    sessions,
    publisher: createPublisher(feedLog, gateway.hasMembers),
    client,
    /** Opens a client and waits for its hello. */
    async connect(options?: ClientOptions): Promise<TestClient> {
      const opening = client(options);
      await new Promise<void>((resolve, reject) => {
        opening.socket.once('hello', () => resolve());
        opening.socket.once('connect_error', reject);
      });
      return opening;
    },
    async stop() {
      for (const socket of opened) socket.disconnect();
      await gateway.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
export type TestGateway = Awaited<ReturnType<typeof startGateway>>;

function recording(socket: TestSocket): TestClient {
  const received: ReceivedEvent[] = [];
  socket.onAny((event: string, payload: unknown) => received.push({ event, payload }));
  return {
    socket,
    received,
    seqs: () => received.flatMap(({ event, payload }) => (event === 'hello' ? [] : seqOf(payload))),
    of: (event) => received.filter((one) => one.event === event).map(({ payload }) => payload),
    send: (event, ...inputs) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`no ack for ${event}`)), ACK_TIMEOUT_MS);
        const ack = (response: Ack) => {
          clearTimeout(late);
          resolve(response);
        };
        // Tests also emit events outside the contract.
        const untyped: { emit(event: string, ...args: unknown[]): unknown } = socket;
        untyped.emit(event, ...inputs, ack);
      }),
  };
}

function seqOf(payload: unknown): number[] {
  if (Array.isArray(payload)) return payload.slice(0, 1);
  if (typeof payload !== 'object' || payload === null || !('seq' in payload)) return [];
  return typeof payload.seq === 'number' ? [payload.seq] : [];
}

/** Resolves with the code that a refused client receives. */
export function refusal({ socket }: TestClient): Promise<unknown> {
  return new Promise((resolve) => {
    socket.once('connect_error', (error: Error & { data?: { code?: unknown } }) => resolve(error.data?.code ?? null));
  });
}

/** Resolves with the reason of the disconnect. */
export function disconnectReason({ socket }: TestClient): Promise<string> {
  return new Promise((resolve) => {
    socket.once('disconnect', (reason) => resolve(reason));
  });
}

/** from, from + 1 … to */
export function numbers(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}
