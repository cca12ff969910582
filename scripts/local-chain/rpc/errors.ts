/** JSON-RPC and Solana error codes. */
export const CODES = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  preflightFailure: -32002,
  signatureFailure: -32003,
  unhealthy: -32005,
  unsupportedVersion: -32015,
  contextSlotNotReached: -32016,
  tooManyRequests: 429,
} as const;

interface Details {
  data?: unknown;
  /** Status of the HTTP response where it is not 200. */
  status?: number;
  /** Seconds. */
  retryAfter?: number;
}

/** An error response. */
export class RpcError extends Error {
  readonly code: number;
  readonly details: Details;

  constructor(code: number, message: string, details: Details = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

export const invalidParams = (message: string): RpcError => new RpcError(CODES.invalidParams, message);
