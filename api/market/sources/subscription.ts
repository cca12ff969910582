import type { Logger } from 'pino';
import WebSocket from 'ws';
import type { Clock, Random } from '../../../common/time.ts';
import { backoff } from '../../platform/resilience.ts';

export const defaultSubscriptionTimes = {
  /** Time limit to open the WebSocket and acknowledge the subscription, together, ms. */
  openMs: 10_000,
  /** Between pings, ms. A peer that has not responded to the previous ping counts as gone, even when TCP reports it alive. */
  pingMs: 15_000,
  /** Without a frame for this long, ms, the subscription counts as dead although the connection lives. */
  silenceMs: 60_000,
  /** First and longest delay before a new connection, ms. */
  retryBaseMs: 500,
  retryMaxMs: 30_000,
  /** A connection that lasted this long, ms, resets the backoff. */
  goodMs: 10_000,
};
export type SubscriptionTimes = typeof defaultSubscriptionTimes;

/** Meaning of a frame for the subscription itself. */
export type FrameVerdict = 'subscribed' | 'refused' | 'other';

export interface SubscriptionOptions {
  /** May contain a key, so it is never logged. */
  url: string;
  /** Sent in this order as soon as the connection is open. */
  requests: readonly string[];
  /** Name in log lines, e.g. `log subscription`. */
  name: string;
  times: SubscriptionTimes;
  clock: Clock;
  random: Random;
  log: Logger;
  /** Handles a frame's text and returns its meaning for the subscription; `refused` reconnects. */
  onFrame(raw: string): FrameVerdict;
  /** Called when the subscription is acknowledged; `resumed` after an earlier one, so events may be missing. */
  onSubscribed(resumed: boolean): void;
}

export type Subscription = ReturnType<typeof openSubscription>;

const failuresUntilDown = 3;
/** Frames are a few kB; block notifications above 1 MB have been observed. */
const maxFrameBytes = 16 * 1_024 * 1_024;

/** Keeps one WebSocket subscription alive: connects, subscribes, watches, and reconnects with backoff. */
export function openSubscription(options: SubscriptionOptions) {
  const { times, log, random, name } = options;
  let socket: WebSocket | undefined;
  let retry: NodeJS.Timeout | undefined;
  let stopped = false;
  let subscribed = false;
  let everSubscribed = false;
  let failures = 0;
  let attempt = 0;
  const errors: ReturnType<Subscription['errors']> = { count: 0, lastAt: null };

  function onFrame(raw: string): FrameVerdict {
    if (stopped) return 'other';
    const verdict = options.onFrame(raw);
    if (verdict === 'subscribed' && !subscribed) onSubscribed();
    return verdict;
  }

  function onSubscribed(): void {
    subscribed = true;
    failures = 0;
    log.info({ resumed: everSubscribed }, `${name} established`);
    options.onSubscribed(everSubscribed);
    everSubscribed = true;
  }

  function onClosed(lastedMs: number): void {
    if (stopped) return;
    errors.count += 1;
    errors.lastAt = options.clock.now();
    if (!subscribed) failures += 1;
    // A short connection keeps the backoff: a peer that accepts and drops at once must not cause a storm of connections.
    if (subscribed && lastedMs >= times.goodMs) attempt = 0;
    subscribed = false;
    const wait = backoff(attempt, { base: times.retryBaseMs, max: times.retryMaxMs, random });
    attempt += 1;
    log.warn({ attempt, waitMs: Math.round(wait) }, `${name} ended, reconnecting`);
    retry = setTimeout(connect, wait);
  }

  function connect(): void {
    socket = openSocket(options, onFrame, onClosed);
  }

  connect();
  return {
    /** `down` after several consecutive connections that failed before they were subscribed. */
    state: (): 'connecting' | 'live' | 'down' =>
      subscribed ? 'live' : failures >= failuresUntilDown ? 'down' : 'connecting',
    /** Returns the number of failed connections, and when the last one ended, epoch ms; null without one. */
    errors: (): { count: number; lastAt: number | null } => ({ ...errors }),
    /** Sends a text; returns false without a connection. */
    send(text: string): boolean {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(text);
      return true;
    },
    stop(): void {
      stopped = true;
      subscribed = false;
      clearTimeout(retry);
      // Not a graceful close: the server does not wait for the peer's reply.
      socket?.terminate();
    },
  };
}

/** Opens one connection, which ends itself when refused or silent; `onClosed` receives how long it lasted, ms. */
function openSocket(
  { url, requests, times, log, name }: SubscriptionOptions,
  onFrame: (raw: string) => FrameVerdict,
  onClosed: (lastedMs: number) => void,
): WebSocket {
  const address = new URL(url);
  // `ws` throws on an address with a fragment.
  address.hash = '';
  const opened = performance.now();
  const socket = new WebSocket(address, {
    handshakeTimeout: times.openMs,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
  });
  const watchdog = startWatchdog(socket, times, (reason) => {
    log.warn({ reason }, `${name} silent, reconnecting`);
    socket.terminate();
  });
  socket.on('open', () => {
    for (const request of requests) socket.send(request);
  });
  socket.on('message', (data) => {
    watchdog.onFrame();
    const verdict = onFrame(textOf(data));
    if (verdict === 'refused') socket.terminate();
    if (verdict === 'subscribed') watchdog.onSubscribed();
  });
  // Without a listener an error event ends the process. 'close' follows and reconnects.
  socket.on('error', (error) => log.warn({ reason: error.message }, `${name} failed`));
  socket.on('close', () => {
    watchdog.stop();
    onClosed(performance.now() - opened);
  });
  return socket;
}

/** Ends a connection that is not subscribed in time, responds to no ping, or sends no frames. */
function startWatchdog(socket: WebSocket, times: SubscriptionTimes, giveUp: (reason: string) => void) {
  let isAlive = true;
  const opening = setTimeout(() => giveUp('not subscribed in time'), times.openMs);
  const silence = setTimeout(() => giveUp('no frame'), times.silenceMs);
  const ping = setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (!isAlive) return giveUp('no pong');
    isAlive = false;
    socket.ping();
  }, times.pingMs);
  socket.on('pong', () => {
    isAlive = true;
  });
  return {
    onFrame: () => void silence.refresh(),
    onSubscribed: () => clearTimeout(opening),
    stop() {
      clearTimeout(opening);
      clearTimeout(silence);
      clearInterval(ping);
    },
  };
}

function textOf(data: WebSocket.RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return data instanceof ArrayBuffer ? Buffer.from(data).toString('utf8') : data.toString('utf8');
}
