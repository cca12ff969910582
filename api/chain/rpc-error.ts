const texts = {
  'rate-limited': 'the node keeps answering that there are too many requests',
  forbidden: 'the node refuses us',
  http: 'the node answers with an error',
  network: 'the node is not reachable',
  timeout: 'the node did not answer in time',
  overloaded: 'the node says that it is overloaded',
  'circuit-open': 'the node failed repeatedly and is left alone for a moment',
  busy: 'too many calls wait already',
  stopped: 'the connection was stopped',
} as const;

export type RpcErrorCode = keyof typeof texts;

/** A failed RPC call. Its text never holds the address of the node, which may carry a key. */
export class RpcError extends Error {
  readonly code: RpcErrorCode;
  /** HTTP status; null when none came. */
  readonly status: number | null;

  constructor(code: RpcErrorCode, status: number | null = null) {
    super(`RPC: ${texts[code]}${status === null ? '' : ` (HTTP ${status})`}`);
    this.name = 'RpcError';
    this.code = code;
    this.status = status;
  }
}
