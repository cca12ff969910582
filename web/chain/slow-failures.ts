/** So long a call that has failed on the WebSocket is held back, ms: by then the library knows whether the socket is closed. */
const FAILED_CALL_PAUSE_MS = 1_000;

/**
 * The Solana library makes a call on its WebSocket that failed again at once, without giving way. It hears of a closed
 * socket a moment late: a subscription begun or ended in that moment is tried for ever, the news never gets through, and
 * the tab hangs. So failures are told a little later. The library offers no way to say so but through its socket.
 */
export function slowFailures(connection: object, sleep: (ms: number) => Promise<void>): void {
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
