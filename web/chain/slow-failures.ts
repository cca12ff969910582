/** Delay of a failed call on the WebSocket, ms: by then the library knows whether the socket is closed. */
const FAILED_CALL_PAUSE_MS = 1_000;

/**
 * Delays failures on the library's WebSocket. The Solana library retries a failed call at once and synchronously, and
 * learns
 * of a closed socket a moment late: a subscription started or ended in that moment is retried forever, the close event
 * is
 * never processed, and the tab hangs. The library has no option for this, so its socket is wrapped.
 */
export function delayFailures(connection: object, sleep: (ms: number) => Promise<void>): void {
  const socket: unknown = Reflect.get(connection, '_rpcWebSocket');
  if (!isCaller(socket)) return;
  const call = socket.call.bind(socket);
  socket.call = async (...args) => {
    try {
      return await call(...args);
    } catch (reason) {
      await sleep(FAILED_CALL_PAUSE_MS);
      throw reason;
    }
  };
}

interface Caller {
  call: (...args: unknown[]) => Promise<unknown>;
}

function isCaller(value: unknown): value is Caller {
  return typeof value === 'object' && value !== null && 'call' in value && typeof value.call === 'function';
}
