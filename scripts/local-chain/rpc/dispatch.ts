/** JSON-RPC 2.0: turns a parsed request into a response, and every failure into an error response. */
import { CODES, RpcError } from './errors.ts';
import { Disconnect, type Interference } from './faults.ts';
import type { Methods } from './method.ts';

/** Far above the size of web3.js's batches. */
const MAX_BATCH = 100;
/** Internal errors that one process logs: enough for a diagnosis, too few to fill the disk. */
const MAX_LOGGED = 100;

interface Reply {
  /** Null: no body, for a notification. */
  body: unknown;
  status: number;
  /** Seconds. */
  retryAfter?: number | undefined;
}

export type Dispatch = ReturnType<typeof createDispatch>;

interface Parts {
  methods: Methods;
  interference: Interference;
  /** Resolves when all executed transactions are on disk; see ledger.ts. */
  whenAllWritten: () => Promise<void>;
  log: (line: string) => void;
}

interface Request {
  id?: unknown;
  jsonrpc?: unknown;
  method?: unknown;
  params?: unknown;
}

const isRequest = (value: unknown): value is Request =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const errorBody = (id: string | number | null, { code, message, details: { data } }: RpcError) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data === undefined ? {} : { data }) },
});
/** Returns the id; null for one of another type, which would be returned at any depth of nesting. */
export const idOf = ({ id }: Request): string | number | null =>
  typeof id === 'string' || typeof id === 'number' ? id : null;
const invalidRequest = (): RpcError => new RpcError(CODES.invalidRequest, 'Invalid request');
const errorReply = (error: RpcError, id: string | number | null = null): Reply => ({
  body: errorBody(id, error),
  status: error.details.status ?? 200,
  retryAfter: error.details.retryAfter,
});

export const parseErrorReply = errorReply(new RpcError(CODES.parse, 'Parse error'));

/**
 * Creates the function that handles a request or a batch. `path` is the path of the URL. It rejects only with a
 * `Disconnect`.
 */
export function createDispatch({ methods, interference, whenAllWritten, log }: Parts) {
  let logged = 0;

  const run = async (request: Request, path: string): Promise<unknown> => {
    const { jsonrpc, method, params = [] } = request;
    if (jsonrpc !== '2.0' || typeof method !== 'string') throw invalidRequest();
    if (!Array.isArray(params)) throw new RpcError(CODES.invalidParams, '`params` should be an array');
    const control = Object.hasOwn(interference.methods, method) ? interference.methods[method] : undefined;
    if (control) return control(params, path);
    await interference.before(path, method);
    const call = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (!call) throw new RpcError(CODES.methodNotFound, 'Method not found');
    const result = await call(params, interference.view(path));
    await whenAllWritten();
    return result;
  };

  const toRpcError = (error: unknown, method: unknown): RpcError => {
    if (error instanceof RpcError) return error;
    logged += 1;
    if (logged <= MAX_LOGGED) {
      log(`call of ${String(method).slice(0, 40)} failed: ${error instanceof Error ? error.stack : String(error)}`);
    }
    return new RpcError(CODES.internal, 'Internal error');
  };

  const handleOne = async (request: unknown, path: string): Promise<Reply> => {
    if (!isRequest(request)) return errorReply(invalidRequest());
    const id = idOf(request);
    const isNotification = request.id === undefined && typeof request.method === 'string';
    try {
      const result = await run(request, path);
      return { body: isNotification ? null : { jsonrpc: '2.0', id, result }, status: 200 };
    } catch (error) {
      if (error instanceof Disconnect) throw error;
      return isNotification ? { body: null, status: 200 } : errorReply(toRpcError(error, request.method), id);
    }
  };

  return async function dispatch(request: unknown, path: string): Promise<Reply> {
    if (!Array.isArray(request)) return handleOne(request, path);
    if (request.length === 0 || request.length > MAX_BATCH) return errorReply(invalidRequest());
    const replies: Reply[] = [];
    for (const one of request) replies.push(await handleOne(one, path));
    const { status, retryAfter } = replies.find((reply) => reply.status !== 200) ?? { status: 200 };
    const bodies = replies.flatMap(({ body }) => (body === null ? [] : [body]));
    return { body: bodies.length > 0 ? bodies : null, status, retryAfter };
  };
}
