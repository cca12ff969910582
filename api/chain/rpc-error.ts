const texts = {
  'rate-limited': 'the node reports too many requests',
  forbidden: 'the node refuses access',
  http: 'the node responded with an error',
  network: 'the node is not reachable',
  timeout: 'the node did not respond in time',
  overloaded: 'the node is overloaded',
  'circuit-open': 'the node failed repeatedly; calls are paused',
  busy: 'too many calls are queued',
  stopped: 'the client was stopped',
} as const;

export type RpcErrorCode = keyof typeof texts;

/** A failed RPC call. Its text never contains the address of the node, which may include a key. */
export class RpcError extends Error {
  readonly code: RpcErrorCode;
  /** HTTP status; null without a response. */
  readonly status: number | null;

  constructor(code: RpcErrorCode, status: number | null = null) {
    super(`RPC: ${texts[code]}${status === null ? '' : ` (HTTP ${status})`}`);
    this.name = 'RpcError';
    this.code = code;
    this.status = status;
  }
}
