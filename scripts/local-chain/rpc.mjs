/** JSON-RPC 2.0: a parsed request in, an answer out. Whatever is asked, this answers and throws nothing. */

import { CODES, RpcError } from './errors.mjs';
import { Disconnect } from './faults.mjs';

/** What web3.js sends at most at once is far below. */
const MOST_IN_BATCH = 100;
/** Accounts may be large, and a batch can ask for the same one again and again. */
const MOST_ANSWERED_CHARACTERS = 32 * 1024 * 1024;
/** Errors of our own that one process logs: enough to find out why, and no way to fill the disk. */
const MOST_LOGGED = 100;

/**
 * @typedef {object} Reply
 * @property {object | object[] | null} body null: there is nothing to say (a notification)
 * @property {number} status
 * @property {number} [retryAfter] seconds
 */

const refusal = (id, error) => ({
  jsonrpc: '2.0',
  id,
  error: { code: error.code, message: error.message, ...(error.data === undefined ? {} : { data: error.data }) },
});
/** Any other id would be sent back as it came, however deep it is. */
const idOf = (request) => (['string', 'number'].includes(typeof request?.id) ? request.id : null);
const tooMuch = () => new RpcError(CODES.invalidRequest, 'The answers of this batch are too large');
const invalidRequest = () => new RpcError(CODES.invalidRequest, 'Invalid request');

export const parseError = { body: refusal(null, new RpcError(CODES.parse, 'Parse error')), status: 200 };

/**
 * @param {{
 *   methods: import('./methods.mjs').Methods,
 *   interference: import('./faults.mjs').Interference,
 *   whenAllWritten: () => Promise<void>, see ledger.mjs
 *   log: (line: string) => void,
 * }} parts
 */
export function createRpc({ methods, interference, whenAllWritten, log }) {
  let logged = 0;

  const run = async (request, path) => {
    const { method, params = [] } = request;
    if (request.jsonrpc !== '2.0' || typeof method !== 'string') throw invalidRequest();
    if (!Array.isArray(params)) throw new RpcError(CODES.invalidParams, '`params` should be an array');
    if (interference.methods && Object.hasOwn(interference.methods, method)) {
      return interference.methods[method](params, path);
    }
    await interference.before(path, method);
    if (!Object.hasOwn(methods, method)) throw new RpcError(CODES.methodNotFound, 'Method not found');
    const result = await methods[method](params, interference.view(path));
    await whenAllWritten();
    return result;
  };

  /** @returns {Reply} */
  const replyTo = (error, request, id) => {
    if (error instanceof RpcError)
      return { body: refusal(id, error), status: error.status ?? 200, retryAfter: error.retryAfter };
    if (++logged <= MOST_LOGGED) log(`${String(request.method).slice(0, 40)}: ${error.stack}`);
    return { body: refusal(id, new RpcError(CODES.internal, 'Internal error')), status: 200 };
  };

  /** @returns {Promise<Reply>} */
  const answerOne = async (request, path) => {
    if (typeof request !== 'object' || request === null || Array.isArray(request))
      return replyTo(invalidRequest(), {}, null);
    const id = idOf(request);
    const isNotification = request.id === undefined && typeof request.method === 'string';
    try {
      const result = await run(request, path);
      return { body: isNotification ? null : { jsonrpc: '2.0', id, result }, status: 200 };
    } catch (error) {
      if (error instanceof Disconnect) throw error;
      return isNotification ? { body: null, status: 200 } : replyTo(error, request, id);
    }
  };

  /**
   * Answers a request or a batch of them. Rejects with a Disconnect only.
   * @param {unknown} request
   * @param {string} path of the address it came to
   * @returns {Promise<Reply>}
   */
  return async function answer(request, path) {
    if (!Array.isArray(request)) return answerOne(request, path);
    if (request.length === 0 || request.length > MOST_IN_BATCH)
      return { body: refusal(null, invalidRequest()), status: 200 };
    const replies = [];
    let characters = 0;
    for (const one of request) {
      const reply =
        characters > MOST_ANSWERED_CHARACTERS ? replyTo(tooMuch(), {}, idOf(one)) : await answerOne(one, path);
      characters += JSON.stringify(reply.body).length;
      replies.push(reply);
    }
    const { status, retryAfter } = replies.find((reply) => reply.status !== 200) ?? { status: 200 };
    const bodies = replies.flatMap(({ body }) => body ?? []);
    return { body: bodies.length > 0 ? bodies : null, status, retryAfter };
  };
}
